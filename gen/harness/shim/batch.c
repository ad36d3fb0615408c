/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Included by glue.c. Drives kallsyms_lookup_batch_start() and _end() of a
 * series that has them: one after the other between queries, and from many
 * threads at once. Without them the operations are refused.
 */
#ifdef KSHIM_BATCH

static int kshim_batches;         /* starts that await their end */
static long kshim_batch_baseline; /* blocks allocated before the first */

/* 1 if a batch runs now; a start that fails for want of memory is no error. */
static int kshim_batch_start(int fail)
{
	int ret;

	kshim_alloc_fails = fail;
	/* Some return an error, some return nothing and leave callers to the markers. */
	ret = __builtin_choose_expr(
		__builtin_types_compatible_p(__typeof__(kallsyms_lookup_batch_start()), void),
		(kallsyms_lookup_batch_start(), 0), kallsyms_lookup_batch_start());
	kshim_alloc_fails = 0;
	if (ret && !fail)
		kshim_die("kallsyms_lookup_batch_start() fails though there is memory");
	return !ret;
}

static void kshim_batch_open(int fail)
{
	if (!kshim_batches)
		kshim_batch_baseline = kshim_live_blocks();
	kshim_batches += kshim_batch_start(fail);
}

static void kshim_batch_close(void)
{
	int had = kshim_live_blocks() > kshim_batch_baseline;

	if (!kshim_batches)
		return; /* its start failed */
	kallsyms_lookup_batch_end();
	synchronize_rcu();
	if (--kshim_batches) {
		if (had && kshim_live_blocks() <= kshim_batch_baseline)
			kshim_die("the memory is freed while another batch is open");
		return;
	}
	if (kshim_live_blocks() > kshim_batch_baseline)
		kshim_die("memory is still allocated after the last kallsyms_lookup_batch_end()");
}

/* An end that has no start must change nothing: the next batch is one as ever. */
static void kshim_batch_stray_end(void)
{
	kshim_warning_expected = 1;
	kallsyms_lookup_batch_end();
	kshim_warning_expected = 0;
	kshim_batch_open(0);
	if (kallsyms_num_syms && kshim_live_blocks() <= kshim_batch_baseline)
		kshim_die("after an end without a start, a start allocates nothing");
	kshim_batch_close();
}

/* What a thread asks in a storm, and what it must be told. */
#define KSHIM_ASKED 64
struct kshim_asked { char name[KSYM_NAME_LEN]; unsigned long by_name, at, offset; };
static struct kshim_storm {
	struct kshim_asked asked[KSHIM_ASKED];
	unsigned int n, every, seen;
	unsigned long rounds;
} kshim_storm;

static int kshim_storm_pick(void *data, const char *name, unsigned long addr)
{
	struct kshim_storm *s = data;

	if (*name && s->seen++ % s->every == 0 && s->n < KSHIM_ASKED) {
		kshim_strscpy(s->asked[s->n].name, name, KSYM_NAME_LEN);
		s->asked[s->n++].at = addr;
	}
	return 0;
}

static int kshim_storm_match(void *data, unsigned long addr)
{
	++*(int *)data;
	return 0;
}

static void kshim_storm_read(void)
{
	for (unsigned int i = 0; i < kshim_storm.n; i++) {
		struct kshim_asked *q = &kshim_storm.asked[i];
		unsigned long size, offset = 0;
		int matches = 0;

		if (kallsyms_lookup_name(q->name) != q->by_name)
			kshim_die("kallsyms_lookup_name() answers otherwise while batches start and end");
		kallsyms_on_each_match_symbol(kshim_storm_match, q->name, &matches);
		if (!matches)
			kshim_die("kallsyms_on_each_match_symbol() finds nothing while batches start and end");
		kallsyms_lookup_size_offset(q->at, &size, &offset);
		if (offset != q->offset)
			kshim_die("kallsyms_lookup_size_offset() answers otherwise while batches start and end");
	}
}

/* Even threads only read; odd ones read inside batches, of which every third
 * finds no memory. */
static void kshim_storm_thread(int id)
{
	for (unsigned long round = 0; round < kshim_storm.rounds; round++) {
		int started = id % 2 && kshim_batch_start(round % 3 == 2);

		kshim_storm_read();
		if (started)
			kallsyms_lookup_batch_end();
	}
}

static void kshim_run_storm(int threads, unsigned long rounds)
{
	struct kshim_storm *s = &kshim_storm;

	s->n = s->seen = 0;
	s->every = kallsyms_num_syms / KSHIM_ASKED + 1;
	s->rounds = rounds;
	kallsyms_on_each_symbol(kshim_storm_pick, s);
	for (unsigned int i = 0; i < s->n; i++) {
		unsigned long size;

		s->asked[i].by_name = kallsyms_lookup_name(s->asked[i].name);
		s->asked[i].offset = 0;
		kallsyms_lookup_size_offset(s->asked[i].at, &size, &s->asked[i].offset);
	}
	kshim_batch_baseline = kshim_live_blocks();
	kshim_threads(threads, kshim_storm_thread);
	synchronize_rcu();
	if (kshim_live_blocks() > kshim_batch_baseline)
		kshim_die("memory is still allocated after all batches have ended");
}

static int kshim_batch_answer(const struct kshim_query *q)
{
	switch (q->op) {
	case 13:
		kshim_batch_open(q->b);
		break;
	case 14:
		if (q->b)
			kshim_batch_stray_end();
		else
			kshim_batch_close();
		break;
	case 15:
		kshim_run_storm(q->a, q->b);
		break;
	default:
		return -1;
	}
	kshim_put32(0);
	return 0;
}

#else

static int kshim_batch_answer(const struct kshim_query *q)
{
	return -1;
}

#endif
