// SPDX-License-Identifier: GPL-2.0-only
/*
 * What the stand-ins of a variant need from libc: memory and a place for answers.
 * The memory comes from one arena whose pages are there already, as the pages
 * that the kernel hands out are, so that no page fault is measured.
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include <runtime.h>

#include "bench.h"

__thread int kshim_alloc_fails;
int kshim_warning_expected;

static char *arena;
static size_t room, used;
static long live;

static char *answer;
static size_t answer_len, answer_room;

void fail(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vfprintf(stderr, format, args);
	va_end(args);
	fputc('\n', stderr);
	exit(1);
}

void kshim_die(const char *why) { fail("stand-in: %s", why); }

void arena_init(size_t size)
{
	arena = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
	if (arena == MAP_FAILED)
		fail("out of memory: %zu bytes", size);
	room = size;
}

void arena_bounds(char **start, char **end)
{
	*start = arena;
	*end = arena + used;
}

size_t arena_used(void) { return used; }

/*
 * The arena is a stack, which is how lookups use memory: what is freed is the last
 * block, or one below it that waits for the last. A line in front of each block
 * says where the one before it ends, and whether it is free.
 */
struct block { size_t before; int freed; } __attribute__((aligned(64)));

static size_t top; /* where the header of the last block is */

void *kshim_alloc(unsigned long size, int zero)
{
	struct block *b = (struct block *)(arena + used);

	size = (size + 63) & ~63ul;
	if (room - used < sizeof(*b) + size)
		fail("a variant allocates more than %zu bytes", room);
	*b = (struct block){ .before = top };
	top = used;
	used += sizeof(*b) + size;
	live++;
	return zero ? memset(b + 1, 0, size) : b + 1;
}

void kshim_free(const void *p)
{
	if (!p)
		return;
	((struct block *)p - 1)->freed = 1;
	for (live--; used; top = ((struct block *)(arena + top))->before) {
		if (!((struct block *)(arena + top))->freed)
			return;
		used = top;
	}
}

long kshim_live_blocks(void) { return live; }
void kshim_yield(void) {}
void kshim_threads(int n, void (*run)(int id)) { fail("no threads here"); }

void kshim_put(const void *data, unsigned long len)
{
	if (answer_room - answer_len < len) {
		answer_room = 2 * answer_room + len;
		answer = realloc(answer, answer_room);
		if (!answer)
			fail("out of memory");
	}
	memcpy(answer + answer_len, data, len);
	answer_len += len;
}

void kshim_put32(unsigned int v) { kshim_put(&v, 4); }
void kshim_put64(unsigned long long v) { kshim_put(&v, 8); }

unsigned long kshim_mark(void)
{
	kshim_put32(0);
	return answer_len - 4;
}

void kshim_set32(unsigned long at, unsigned int v) { memcpy(answer + at, &v, 4); }

const char *answer_of(const struct kbench_variant *v, const struct query *q, uint32_t *len)
{
	struct kshim_query asked = { .op = q->op, .a = q->a, .b = q->b, .name = q->name };

	answer_len = 0;
	if (v->answer(&asked))
		fail("a variant does not know operation %d", q->op);
	*len = answer_len;
	return answer;
}
