/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a variant offers to the measuring program: the kernel's own functions,
 * compiled with its own tables at link-time addresses. Plain C types only, since
 * one side is compiled without libc and the other with it.
 */
#ifndef KBENCH_VARIANT_H
#define KBENCH_VARIANT_H

struct kshim_query;

struct kbench_variant {
	unsigned long (*lookup_name)(const char *name);
	int (*each_match)(int (*visit)(void *data, unsigned long addr), const char *name, void *data);
	int (*each_symbol)(int (*visit)(void *data, const char *name, unsigned long addr), void *data);
	int (*symbol_name)(unsigned long addr, char *name);
	int (*ftrace_lookup)(const char **names, unsigned long n, unsigned long *addrs);
	void (*batch_start)(void); /* NULL for a variant without a batch */
	void (*batch_end)(void);
	void (*boot)(void);
	int (*answer)(const struct kshim_query *query);
	char *tables, *tables_end; /* whole huge pages, all of them the tables' */
};

#endif
