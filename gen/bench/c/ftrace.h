/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Around what is taken of kernel/trace/ftrace.c. What the kernel has in other files is
 * never inlined into it, nor made to fit its arguments.
 */
#define CONFIG_FUNCTION_TRACER 1
#define CONFIG_DYNAMIC_FTRACE 1

/* Those of the variant's own kernel/kallsyms.c. */
unsigned long kallsyms_lookup_name(const char *name);
int kallsyms_on_each_match_symbol(int (*fn)(void *, unsigned long), const char *name, void *data);
int kallsyms_on_each_symbol(int (*fn)(void *, const char *, unsigned long), void *data);

/* The kernel searches its records of calls to the tracer. */
static __attribute__((noipa)) unsigned long ftrace_location(unsigned long addr)
{
	return is_kernel_text(addr) ? addr : 0;
}

static __attribute__((noipa)) void *bsearch(const void *key, const void *base, size_t num, size_t size,
					    int (*cmp)(const void *key, const void *elt))
{
	size_t low = 0, high = num;

	while (low < high) {
		size_t mid = low + (high - low) / 2;
		const void *elt = (const char *)base + mid * size;
		int order = cmp(key, elt);

		if (order == 0)
			return (void *)elt;
		if (order < 0)
			high = mid;
		else
			low = mid + 1;
	}
	return NULL;
}
