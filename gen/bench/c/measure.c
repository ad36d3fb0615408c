// SPDX-License-Identifier: GPL-2.0-only
/*
 * The rounds. In each of them every variant answers the same lookups, one variant
 * after the other in an order drawn anew, so that what changes on the machine
 * meanwhile meets all of them. A line "sample VARIANT COLUMN NS" is one round's
 * figure for one lookup.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"

#define NAME_ROOM 512
#define GROUP 32          /* lookups timed together; divides those of a round */
#define COLD_LOOKUPS 8
#define COLD_REPEATS 4    /* a round */
#define DRAM_REPEATS 3    /* a round */
#define TAIL_LOOKUPS 4096 /* lookups timed one by one, a round */
#define TAIL_EVERY 3      /* rounds */
#define COUNT_EVERY 8     /* lookups of a round are counted, 1 in so many rounds */
#define LONG_WALK 25e6    /* ns */
#define SHORT_WALK 50e3   /* ns */
#define FTRACE_WALKS 2    /* names for ftrace, where each is a walk */
#define FTRACE_SEARCHES 256 /* and where it takes less than SHORT_WALK */
#define MAX_VARIANTS 256

static uint64_t random_state;
static unsigned long sink; /* keeps answers from being optimised away */

static uint64_t draw(uint64_t below)
{
	random_state ^= random_state << 13;
	random_state ^= random_state >> 7;
	random_state ^= random_state << 17;
	return (random_state >> 11) % below;
}

/* Names side by side, so that reading them costs a variant nothing of note. */
static char *hot;
static const char **names;
static uint64_t *addrs;
static uint64_t *times;

static void pick_names(const struct strings *from, uint32_t n)
{
	char *at = hot;

	for (uint32_t i = 0; i < n; i++) {
		names[i] = strcpy(at, from->at[draw(from->count)]);
		at += strlen(at) + 1;
	}
}

static int order[MAX_VARIANTS];

static void shuffle(void)
{
	for (int i = 0; i < kbench_num_variants; i++) {
		int j = draw(i + 1);

		order[i] = order[j];
		order[j] = i;
	}
}

static const struct kbench_variant *turn(int i) { return kbench_variants[order[i]]; }

static void sample(int i, const char *column, double ns)
{
	printf("sample %d %s %.3f\n", order[i], column, ns);
}

static int visit_match(void *data, unsigned long addr)
{
	*(unsigned long *)data += addr;
	return 0;
}

static int visit_symbol(void *data, const char *name, unsigned long addr)
{
	*(unsigned long *)data += addr + *name;
	return 0;
}

static void look_up_names(const struct kbench_variant *v, uint32_t from, uint32_t n)
{
	for (uint32_t i = from; i < from + n; i++)
		sink += v->lookup_name(names[i]);
}

static void look_up_addrs(const struct kbench_variant *v, uint32_t from, uint32_t n)
{
	static char name[NAME_ROOM];

	for (uint32_t i = from; i < from + n; i++)
		sink += v->symbol_name(addrs[i], name) + *name;
}

static void batch_start(const struct kbench_variant *v)
{
	if (v->batch_start)
		v->batch_start();
}

static void batch_end(const struct kbench_variant *v)
{
	if (v->batch_end)
		v->batch_end();
}

/*
 * The same lookups three times: from the second time on, all that they touch is
 * warm. They are timed in groups, and the better time of a group counts, since on
 * a machine with other work a process is interrupted in one of them.
 */
static void warm(const char *column, void (*look_up)(const struct kbench_variant *, uint32_t, uint32_t), uint32_t n, int count)
{
	shuffle();
	for (int i = 0; i < kbench_num_variants; i++) {
		uint64_t sum = 0;

		batch_start(turn(i));
		look_up(turn(i), 0, n);
		for (int pass = 0; pass < 2; pass++) {
			for (uint32_t k = 0; k < n; k += GROUP) {
				uint64_t begin = ticks_begin(), took;

				look_up(turn(i), k, GROUP);
				took = ticks_end() - begin - clock_overhead();
				if (!pass || took < times[k])
					times[k] = took;
			}
		}
		for (uint32_t k = 0; k < n; k += GROUP)
			sum += times[k];
		sample(i, column, ns_of(sum) / n);
		if (count) {
			double counted;

			counter_begin();
			look_up(turn(i), 0, n);
			counted = counter_end();
			if (counted >= 0)
				printf("instructions %d %s %.1f\n", order[i], column, counted / n);
		}
		batch_end(turn(i));
	}
}

static void walk_symbols(const struct kbench_variant *v, const struct input *in)
{
	v->each_symbol(visit_symbol, &sink);
}

static void walk_crowd(const struct kbench_variant *v, const struct input *in)
{
	v->each_match(visit_match, in->crowd.at[0], &sink);
}

/*
 * All symbols, or all of the name that most symbols have. That takes so long that
 * it is likely to be interrupted: what counts is the time on the processor. The
 * better of two times counts, so what the first finds cold is warm in the second. A
 * walk over so many symbols that it takes longer than LONG_WALK is made once: little
 * of its time is that of reading anything for the first time.
 */
static void walk(const char *column, void (*go)(const struct kbench_variant *, const struct input *), int times, const struct input *in)
{
	shuffle();
	for (int i = 0; i < kbench_num_variants; i++) {
		double best = 0;

		batch_start(turn(i));
		for (int pass = 0; pass < 2; pass++) {
			double begin = processor_ns(), took;

			for (int k = 0; k < times; k++)
				go(turn(i), in);
			took = processor_ns() - begin;
			if (!pass || took < best)
				best = took;
			if (took > LONG_WALK)
				break;
		}
		sample(i, column, best / times);
		batch_end(turn(i));
	}
}

/* The mean time of one name for ftrace, of so many. */
static double ftrace_ns(const struct kbench_variant *v, const struct input *in, uint32_t n)
{
	double begin = processor_ns();

	for (uint32_t i = 0; i < n; i++) {
		const char *name = in->traced.at[i % in->traced.count];
		unsigned long addr;

		sink += v->ftrace_lookup(&name, 1, &addr) + addr;
	}
	return (processor_ns() - begin) / n;
}

/*
 * One name for ftrace, timed as walks are. Where it is a walk up to its symbol, two of
 * them take as long as other walks. Where it is a search, so many are timed as the
 * clock needs, and of all names.
 */
static void ftrace_lookups(const struct input *in)
{
	shuffle();
	for (int i = 0; i < kbench_num_variants; i++) {
		uint32_t n = FTRACE_WALKS;
		double best, again;

		batch_start(turn(i));
		best = ftrace_ns(turn(i), in, n);
		if (best < SHORT_WALK) {
			n = FTRACE_SEARCHES;
			best = ftrace_ns(turn(i), in, n);
		}
		if (best * n <= LONG_WALK) {
			again = ftrace_ns(turn(i), in, n);
			if (again < best)
				best = again;
		}
		sample(i, "ftrace-one", best);
		batch_end(turn(i));
	}
}

static int ascending(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return x < y ? -1 : x > y;
}

/* The slowest lookups, each timed alone, the better of two times. */
static void tails(const struct input *in)
{
	pick_names(&in->names, TAIL_LOOKUPS);
	shuffle();
	for (int i = 0; i < kbench_num_variants; i++) {
		batch_start(turn(i));
		look_up_names(turn(i), 0, TAIL_LOOKUPS);
		for (int pass = 0; pass < 2; pass++) {
			for (int k = 0; k < TAIL_LOOKUPS; k++) {
				uint64_t begin = ticks_begin(), took;

				sink += turn(i)->lookup_name(names[k]);
				took = ticks_end() - begin;
				if (!pass || took < times[k])
					times[k] = took;
			}
		}
		batch_end(turn(i));
		qsort(times, TAIL_LOOKUPS, sizeof(*times), ascending);
		sample(i, "p99", ns_of(times[TAIL_LOOKUPS * 99 / 100] - clock_overhead()));
		sample(i, "p99.9", ns_of(times[TAIL_LOOKUPS * 999 / 1000] - clock_overhead()));
	}
}

static unsigned long no_lookup(const char *name) { return *name; }

/* What the measuring itself needs, as its code, is at hand after this. */
static const struct kbench_variant nothing = { .lookup_name = no_lookup };

/*
 * A few lookups of names that are at hand, by code and tables that are not. The
 * pointer to the code is a matter of the measuring, so it is read before.
 */
static uint64_t cold_lookups(const struct kbench_variant *v, int n)
{
	unsigned long (*lookup_name)(const char *name) = v->lookup_name;
	uint64_t begin;

	for (int i = 0; i < n; i++)
		for (const char *p = names[i]; *p; p++)
			sink += *p;
	begin = ticks_begin();
	for (int i = 0; i < n; i++)
		sink += lookup_name(names[i]);
	return ticks_end() - begin - clock_overhead();
}

/*
 * The tables are read once, then 64 MiB of other memory: so they are in the last
 * level of the caches, if it is larger than that, and in none before it.
 */
static void cold(const struct input *in)
{
	for (int repeat = 0; repeat < COLD_REPEATS; repeat++) {
		pick_names(&in->names, COLD_LOOKUPS);
		shuffle();
		for (int i = 0; i < kbench_num_variants; i++) {
			batch_start(turn(i));
			for (const volatile char *p = turn(i)->tables; p < turn(i)->tables_end; p += 64)
				(void)*p;
			displace_caches();
			cold_lookups(&nothing, COLD_LOOKUPS);
			sample(i, "cold8", ns_of(cold_lookups(turn(i), COLD_LOOKUPS)) / COLD_LOOKUPS);
			batch_end(turn(i));
		}
	}
}

static void from_memory(const struct input *in)
{
	for (int repeat = 0; repeat < DRAM_REPEATS; repeat++) {
		char *from, *to;

		pick_names(&in->names, 1);
		shuffle();
		for (int i = 0; i < kbench_num_variants; i++) {
			batch_start(turn(i));
			arena_bounds(&from, &to);
			flush(from, to);
			flush(turn(i)->tables, turn(i)->tables_end);
			sample(i, "dram1", ns_of(cold_lookups(turn(i), 1)));
			batch_end(turn(i));
		}
	}
}

static void batches(void)
{
	for (int i = 0; i < kbench_num_variants; i++) {
		const struct kbench_variant *v = kbench_variants[i];
		uint64_t begin, middle, end;

		if (!v->batch_start)
			continue;
		begin = ticks_begin();
		v->batch_start();
		middle = ticks_end();
		v->batch_end();
		end = ticks_end();
		printf("setup %d %.1f\nteardown %d %.1f\n", i, ns_of(middle - begin), i, ns_of(end - middle));
	}
}

static void ram(void)
{
	for (int i = 0; i < kbench_num_variants; i++) {
		batch_start(kbench_variants[i]);
		printf("ram %d %zu\n", i, arena_used());
		batch_end(kbench_variants[i]);
	}
}

static void *room(size_t size)
{
	void *p = calloc(1, size);

	if (!p)
		fail("out of memory");
	return p;
}

void measure(const struct input *in, const struct settings *s)
{
	uint32_t most = s->lookups > TAIL_LOOKUPS ? s->lookups : TAIL_LOOKUPS;

	if (kbench_num_variants > MAX_VARIANTS)
		fail("%d variants, at most %d", kbench_num_variants, MAX_VARIANTS);
	if (s->lookups % GROUP)
		fail("%u lookups in a round, expected a multiple of %d", s->lookups, GROUP);
	random_state = s->seed;
	hot = room((size_t)most * NAME_ROOM);
	names = room(most * sizeof(*names));
	addrs = room(most * sizeof(*addrs));
	times = room(most * sizeof(*times));
	ram();
	for (int round = 0; round < s->rounds; round++) {
		int count = round % COUNT_EVERY == 0;

		pick_names(&in->names, s->lookups);
		warm("hit", look_up_names, s->lookups, count);
		pick_names(&in->unique, s->lookups);
		warm("hit-unique", look_up_names, s->lookups, count);
		pick_names(&in->misses, s->lookups);
		warm("miss", look_up_names, s->lookups, count);
		for (uint32_t i = 0; i < s->lookups; i++)
			addrs[i] = in->addrs[draw(in->num_addrs)];
		warm("address", look_up_addrs, s->lookups, count);
		walk("walk", walk_symbols, 1, in);
		walk("duplicates", walk_crowd, 16, in);
		ftrace_lookups(in);
		if (round % TAIL_EVERY == 0)
			tails(in);
		cold(in);
		from_memory(in);
		batches();
		printf("round %d\n", round + 1);
		fflush(stdout);
	}
}
