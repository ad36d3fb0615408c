/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What surrounds module symbols while a module is loaded, goes live and is
 * removed. The steps that matter here come from the tree (see source.go);
 * these are the ones that they call and that have no bearing on symbols.
 */
#ifndef KSHIM_LOADER_H
#define KSHIM_LOADER_H

#define KSYM_NAME_LEN 512
#define MAX_PARAM_PREFIX_LEN (64 - sizeof(unsigned long))
#define __MODULE_NAME_LEN MAX_PARAM_PREFIX_LEN
#define BUILD_ID_SIZE_MAX 20
#define KSYM_SYMBOL_LEN \
	(sizeof("%s+%#lx/%#lx [%s %s]") + (KSYM_NAME_LEN - 1) + \
	 2 * (BITS_PER_LONG * 3 / 10) + (MAX_PARAM_PREFIX_LEN - 1) + \
	 BUILD_ID_SIZE_MAX * 2 + 1)
#define __randomize_layout
#define __cacheline_aligned
#define __noreturn __attribute__((noreturn))
#define __stringify(x) #x
#define __copy(x)
#define L1_CACHE_BYTES 64

#ifdef CONFIG_64BIT
#define ELF_CLASS 2 /* ELFCLASS64 */
#define Elf_Ehdr Elf64_Ehdr
#define Elf_Shdr Elf64_Shdr
#define Elf_Sym Elf64_Sym
#define ELF_ST_BIND ELF64_ST_BIND
#define ELF_ST_TYPE ELF64_ST_TYPE
#else
#define ELF_CLASS 1 /* ELFCLASS32 */
#define Elf_Ehdr Elf32_Ehdr
#define Elf_Shdr Elf32_Shdr
#define Elf_Sym Elf32_Sym
#define ELF_ST_BIND ELF32_ST_BIND
#define ELF_ST_TYPE ELF32_ST_TYPE
#endif

/* Bytes of all blocks, as malloc() rounds them, and the most there were at a time. */
extern struct kshim_held { long now, most; } kshim_held;
size_t malloc_usable_size(void *p);
static inline void *kshim_hold(void *p)
{
	if (p)
		kshim_held.now += malloc_usable_size(p);
	kshim_held.most = max(kshim_held.most, kshim_held.now);
	return p;
}
static inline void *kshim_alloc_held(unsigned long size, int zero)
{
	return kshim_hold(kshim_alloc(size, zero));
}
static inline void kshim_free_held(const void *p)
{
	if (p)
		kshim_held.now -= malloc_usable_size((void *)p);
	kshim_free(p);
}

/* Allocations of the code under test are counted, failed ones too. */
extern unsigned int kshim_allocations;
static inline void *kshim_alloc_counted(size_t n, size_t size, gfp_t flags)
{
	kshim_allocations++;
	return kshim_hold(kshim_alloc_array(n, size, flags));
}
#define kshim_alloc_array kshim_alloc_counted
#define kshim_alloc kshim_alloc_held
#define kshim_free kshim_free_held

/* Scope-based cleanup: T name __free(kvfree) = ...; */
#define __cleanup(fn) __attribute__((cleanup(fn)))
#define __free(name) __cleanup(__free_##name)
#define DEFINE_FREE(name, type, free) \
	static inline void __free_##name(void *p) { type _T = *(type *)p; free; }
DEFINE_FREE(kfree, void *, if (!IS_ERR_OR_NULL(_T)) kfree(_T))
DEFINE_FREE(kvfree, void *, if (!IS_ERR_OR_NULL(_T)) kvfree(_T))
#define no_free_ptr(p) ({ __typeof__(p) _p = (p); (p) = NULL; _p; })
#define return_ptr(p) return no_free_ptr(p)
#define kmalloc_obj(var, ...) ((__typeof__(var) *)kmalloc(sizeof(var), GFP_KERNEL))
#define kvmalloc_objs(var, n, ...) ((__typeof__(var) *)kvmalloc_array(n, sizeof(var), GFP_KERNEL))
#define kvmalloc_flex(var, member, n, ...) \
	((__typeof__(var) *)kvmalloc(struct_size((__typeof__(var) *)NULL, member, n), GFP_KERNEL))
#define kmemleak_not_leak(p) do { } while (0)

/* Bitmaps of words: the first bit is the lowest of the first word. */
#ifndef BITS_PER_LONG
#define BITS_PER_LONG (8 * (unsigned int)sizeof(long))
#endif
#define BITS_TO_LONGS(bits) (((bits) + BITS_PER_LONG - 1) / BITS_PER_LONG)
#define __set_bit(bit, words) ((words)[(bit) / BITS_PER_LONG] |= 1UL << ((bit) % BITS_PER_LONG))

/* The first set bit from one on, or size. */
static inline unsigned long find_next_bit(const unsigned long *words, unsigned long size, unsigned long from)
{
	while (from < size) {
		unsigned long word = words[from / BITS_PER_LONG] >> (from % BITS_PER_LONG);

		if (word) {
			from += __builtin_ctzl(word);
			break;
		}
		from += BITS_PER_LONG - from % BITS_PER_LONG;
	}
	return from < size ? from : size;
}

struct kobject { int unused; };
struct attribute { const char *name; umode_t mode; };
struct module_param_attrs;
struct kernel_param;
struct completion;
struct latch_tree_node { int unused; };
#ifndef CONFIG_THUMB2_KERNEL /* arm's own header is taken */
struct mod_arch_specific { int unused; };
#endif
struct notifier_block;
struct work_struct { void (*func)(struct work_struct *work); };
typedef int (*initcall_t)(void);
#define DECLARE_WORK(name, fn) struct work_struct name = { fn }
#define schedule_work(w) (kshim_work = (w), true)
extern struct work_struct *kshim_work; /* runs when the child lets time pass */


/* Between two reads of a reader, a writer may run: glue.c decides. */
void kshim_reader_pauses(void);
#undef rcu_dereference
#define rcu_dereference(p) \
	({ KSHIM_WARN(!kshim_rcu_depth, "rcu_dereference(" #p ") outside a read section"); \
	   __typeof__(p) _v = READ_ORDERED(&(p)); kshim_reader_pauses(); _v; })
#define rcu_dereference_sched rcu_dereference
/* Since 5.0 a stretch without preemption is a read section too. */
#undef preempt_disable
#undef preempt_enable
#define preempt_disable rcu_read_lock
#define preempt_enable rcu_read_unlock
#define strnchr kshim_strnchr
#define strstarts(s, prefix) (!strncmp(s, prefix, strlen(prefix)))
static inline char *kshim_strnchr(const char *s, size_t n, int c)
{
	for (; n-- && *s; s++)
		if (*s == (char)c)
			return (char *)s;
	return NULL;
}

#endif
