/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The seam between the two halves of the child: unit.c (the patched kernel
 * file, no libc) and runtime.c (libc, the pipe protocol). Plain C types only,
 * because the halves name their integers differently.
 */
#ifndef KSHIM_RUNTIME_H
#define KSHIM_RUNTIME_H

/* One table of the host tool that the kernel file declares. */
struct kshim_table {
	const char *name;
	const void **at; /* the pointer that stands for it */
};

/* Boundary symbols of the loaded map, in the addresses the tables answer. */
struct kshim_bounds {
	unsigned long text, stext, etext, sinittext, einittext;
	unsigned long initbegin, initend, end;
};

/* A query as it came over the pipe. The meaning of a and b depends on op. */
struct kshim_query {
	unsigned char op;
	unsigned long a, b;
	const char *name; /* NUL-terminated, in a block of exactly its size */
};

extern struct kshim_table kshim_tables[]; /* ended by a NULL name */
extern struct kshim_bounds kshim_bounds;
extern __thread int kshim_alloc_fails; /* allocations of this thread fail */

/* Provided by unit.c */
void kshim_boot(void);
int kshim_answer(const struct kshim_query *q);

/* Provided by runtime.c: memory, and the answer being written */
void *kshim_alloc(unsigned long size, int zero);
void kshim_free(const void *p);
long kshim_live_blocks(void); /* allocated and not freed */
void kshim_threads(int n, void (*run)(int id)); /* until all have returned */
void kshim_yield(void);
void kshim_put(const void *data, unsigned long len);
void kshim_put32(unsigned int v);
void kshim_put64(unsigned long long v);
unsigned long kshim_mark(void);              /* reserve a 32-bit count */
void kshim_set32(unsigned long at, unsigned int v); /* and fill it in */
void kshim_die(const char *why);

#endif
