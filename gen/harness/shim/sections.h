/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Where the kernel begins and ends, and the other homes of symbols: modules,
 * BPF, ftrace and kprobes hold none here, so that every answer comes from the
 * tables.
 */
#ifndef KSHIM_SECTIONS_H
#define KSHIM_SECTIONS_H

#define KSYM_NAME_LEN 512
#define MODULE_NAME_LEN (64 - sizeof(unsigned long))
#define BUILD_ID_SIZE_MAX 20
/* name, +offset/size, [module buildid] and a NUL */
#define KSYM_SYMBOL_LEN \
	(sizeof("%s+%#lx/%#lx [%s %s]") + (KSYM_NAME_LEN - 1) + \
	 2 * (BITS_PER_LONG * 3 / 10) + (MODULE_NAME_LEN - 1) + \
	 BUILD_ID_SIZE_MAX * 2 + 1)

#define _text ((char *)kshim_bounds.text)
#define _stext ((char *)kshim_bounds.stext)
#define _etext ((char *)kshim_bounds.etext)
#define _sinittext ((char *)kshim_bounds.sinittext)
#define _einittext ((char *)kshim_bounds.einittext)
#define __init_begin ((char *)kshim_bounds.initbegin)
#define __init_end ((char *)kshim_bounds.initend)
#define _end ((char *)kshim_bounds.end)

static inline int kshim_between(unsigned long addr, unsigned long from, unsigned long to)
{
	return from <= addr && addr < to;
}

static inline bool is_kernel_inittext(unsigned long addr)
{
	return kshim_between(addr, kshim_bounds.sinittext, kshim_bounds.einittext);
}

static inline int is_kernel_text(unsigned long addr)
{
	return kshim_between(addr, kshim_bounds.stext, kshim_bounds.etext);
}

static inline int is_kernel(unsigned long addr)
{
	return kshim_between(addr, kshim_bounds.stext, kshim_bounds.end) ||
	       kshim_between(addr, kshim_bounds.initbegin, kshim_bounds.initend);
}

static inline int is_ksym_addr(unsigned long addr)
{
	return IS_ENABLED(CONFIG_KALLSYMS_ALL) ?
	       is_kernel(addr) : is_kernel_text(addr) || is_kernel_inittext(addr);
}

/*
 * No prototypes: the parameters of these differ between kernel versions, and
 * whatever is passed, the answer is that nothing was found.
 */
static inline unsigned long module_kallsyms_lookup_name() { return 0; }
static inline int module_address_lookup() { return 0; }
static inline int lookup_module_symbol_name() { return -ERANGE; }
static inline int module_get_kallsym() { return -ERANGE; }
static inline int module_kallsyms_on_each_symbol() { return 0; }
static inline int bpf_address_lookup() { return 0; }
static inline int __bpf_address_lookup() { return 0; }
static inline int bpf_get_kallsym() { return -ERANGE; }
static inline int ftrace_mod_address_lookup() { return 0; }
static inline int ftrace_mod_get_kallsym() { return -ERANGE; }
static inline int kprobe_get_kallsym() { return -ERANGE; }

struct module {
	char name[MODULE_NAME_LEN];
	unsigned char build_id[BUILD_ID_SIZE_MAX];
};

#endif
