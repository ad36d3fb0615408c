/* SPDX-License-Identifier: GPL-2.0-only */
/* Included at the end of a variant's unit, after the kernel file and glue.c. */
#include "variant.h"

extern char kbench_tables[], kbench_tables_end[];

#ifdef KSHIM_BATCH
static void kbench_batch_start(void) { kallsyms_lookup_batch_start(); }
static void kbench_batch_end(void) { kallsyms_lookup_batch_end(); }
#else
#define kbench_batch_start NULL
#define kbench_batch_end NULL
#endif

/* Of the unit that is made of kernel/trace/ftrace.c. */
int ftrace_lookup_symbols(const char **sorted_syms, size_t cnt, unsigned long *addrs);

/* The harness has no ftrace, and so no such number. */
static int kbench_answer(const struct kshim_query *q)
{
	const char *name = q->name;
	unsigned long addr;
	int ret;

	if (q->op != KBENCH_FTRACE_LOOKUP)
		return kshim_answer(q);
	ret = ftrace_lookup_symbols(&name, 1, &addr);
	kshim_put32(ret);
	kshim_put64(ret ? 0 : addr);
	return 0;
}

const struct kbench_variant kbench_variant = {
	.lookup_name = kallsyms_lookup_name,
	.each_match = kallsyms_on_each_match_symbol,
	.each_symbol = kallsyms_on_each_symbol,
	.symbol_name = lookup_symbol_name,
	.ftrace_lookup = ftrace_lookup_symbols,
	.batch_start = kbench_batch_start,
	.batch_end = kbench_batch_end,
	.boot = kshim_boot,
	.answer = kbench_answer,
	.tables = kbench_tables,
	.tables_end = kbench_tables_end,
};
