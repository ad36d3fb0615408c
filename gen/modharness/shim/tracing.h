/* SPDX-License-Identifier: GPL-2.0-only */
/* What surrounds the parts of kernel/trace/ftrace.c that are under test. */
#ifndef KSHIM_TRACING_H
#define KSHIM_TRACING_H

struct dyn_arch_ftrace { int unused; };
struct dyn_ftrace {
	unsigned long ip;
	unsigned long flags;
	struct dyn_arch_ftrace arch;
};
#define FTRACE_FL_DISABLED (1UL << 25)
extern unsigned long kshim_max_offset;

extern int ftrace_disabled, ftrace_start_up;
#define ftrace_arch_code_modify_prepare() do { } while (0)
#define ftrace_arch_code_modify_post_process() do { } while (0)
#define referenced_filters(rec) 1
#define __ftrace_replace_code(rec, enable) 0
#define ftrace_bug(failed, rec) kshim_die("ftrace_bug()")
void process_cached_mods(const char *mod_name);

/* For how long locks are held is measured: see stopwatch.c. */
void kshim_lock_begins(void);
void kshim_lock_ends(void);
#define mutex_lock(m) (mutex_lock(m), kshim_lock_begins())
#define mutex_unlock(m) (kshim_lock_ends(), mutex_unlock(m))

/* A function can be traced if it is in the list that the parent sent. */
unsigned long ftrace_location(unsigned long ip);

/* The core kernel's symbols, as the parent sent them, before those of modules. */
unsigned long kallsyms_lookup_name(const char *name);
int kallsyms_on_each_match_symbol(int (*fn)(void *, unsigned long), const char *name, void *data);
int kallsyms_on_each_symbol(int (*fn)(void *, const char *, unsigned long), void *data);
const char *kallsyms_lookup(unsigned long addr, unsigned long *symbolsize, unsigned long *offset,
			    char **modname, char *namebuf);

#endif
