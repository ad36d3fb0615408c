/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Steps of loading, of init and of removal that have no bearing on symbols.
 * Macros, as their parameters differ between kernels; so they come after the
 * headers of the tree that declare some of them.
 */
#ifndef KSHIM_STEPS_H
#define KSHIM_STEPS_H

#define strndup_user(p, max) ((char *)(p))
#define flush_module_icache(mod) do { } while (0)
#define sort_extable(from, to) do { } while (0)
#define percpu_modcopy(mod, from, size) do { } while (0)
#define percpu_modfree(mod) do { } while (0)
#define module_finalize(hdr, sechdrs, mod) 0
#define module_arch_cleanup(mod) do { } while (0)
#define module_arch_freeing_init(mod) do { } while (0)
#define arch_mod_section_prepend(mod, section) 0
#define codetag_unload_module(mod) true
#define trace_module_free(mod) do { } while (0)
#define do_mod_ctors(mod) do { } while (0)
#define do_one_initcall(fn) (fn)()
#define dump_stack() do { } while (0)
#define blocking_notifier_call_chain(chain, state, mod) do { } while (0)
#define kobject_uevent(kobj, action) do { } while (0)
#define async_synchronize_full() do { } while (0)
#define ftrace_release_mod(mod) do { } while (0)
#define klp_module_going(mod) do { } while (0)
#define trim_init_extable(mod) do { } while (0)
#define module_enable_rodata_ro(mod, after_init) 0
#define module_enable_rodata_ro_after_init(mod) 0
#define module_unload_free(mod) do { } while (0)
#define module_destroy_params(kp, num) do { } while (0)
#define destroy_params(kp, num) do { } while (0)
#define module_notify_list 0
#define module_wq 0
#define module_put(mod) do { } while (0)
#define free_module_elf(mod) do { } while (0)
#define wake_up_all(queue) do { } while (0)
#define lockdep_free_key_range(base, size) do { } while (0)
#define module_memory_free(mod, type, ...) execmem_free((mod)->mem[type].base)
/* Forgets the records in the init text. */
void ftrace_free_mem(struct module *mod, void *from, void *to);

/* Gives a region back: a later access ends the child. */
void execmem_free(void *base);

#endif
