/* SPDX-License-Identifier: GPL-2.0-only */
/* What the files of the measuring program share. */
#ifndef KBENCH_H
#define KBENCH_H

#include <stddef.h>
#include <stdint.h>

#include "variant.h"

/* The variants, in the order of the parent's list. Made by the parent. */
extern const struct kbench_variant *const kbench_variants[];
extern const int kbench_num_variants;

/* Where the bytes of their tables are, in the same order. */
struct places { uint32_t at, count; }; /* 32-bit distances from themselves */
struct tables { const char *file; size_t size; const struct places *places; }; /* ended by a count of 0 */
extern const struct tables kbench_table_files[];

/* input.c: what is looked up, and the answers the specification gives. */
struct strings { const char **at; uint32_t count; };
struct query { uint8_t op; uint64_t a, b; const char *name; const char *answer; uint32_t len; };
struct input {
	struct strings names; /* of every symbol, in the order of addresses */
	struct strings unique, misses, crowd; /* crowd: one name, of the most symbols */
	struct strings traced; /* of functions, the first two half of them apart */
	const uint64_t *addrs;
	uint32_t num_addrs;
	struct query *queries;
	uint32_t num_queries;
};
void read_input(const char *file, struct input *in);

/* runtime.c: memory that the variants allocate, and the answers they write. */
void fail(const char *format, ...) __attribute__((format(printf, 1, 2), noreturn));
void arena_init(size_t room);
void arena_bounds(char **start, char **end);
size_t arena_used(void);
const char *answer_of(const struct kbench_variant *v, const struct query *q, uint32_t *len);

/* pages.c */
void huge_pages(void); /* and the tables on them */

/* machine.c: the clock, the caches. */
void machine_init(int cpu);
int processors(void);
void use_all_processors(void); /* not the one that machine_init() chose alone */
uint64_t ticks_begin(void);
uint64_t ticks_end(void);
double processor_ns(void); /* of this thread, to within a microsecond */
double ns_of(uint64_t ticks);
uint64_t clock_overhead(void);
void flush(const char *from, const char *to);
void displace_caches(void);
void counter_begin(void);
double counter_end(void); /* instructions since, negative where they cannot be counted */
void machine_end(void);

/* measure.c */
struct settings { int rounds; uint64_t seed; uint32_t lookups; };
void measure(const struct input *in, const struct settings *s);

#endif
