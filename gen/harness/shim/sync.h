/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Memory, mutual exclusion, RCU and counters. All of it works between real
 * threads, with orderings that ThreadSanitizer understands, so that a design
 * that builds tables at run time can be tested under both.
 */
#ifndef KSHIM_SYNC_H
#define KSHIM_SYNC_H

#define GFP_KERNEL 0u
#define GFP_ATOMIC 1u
#define GFP_NOWAIT 1u
#define __GFP_NOWARN 0u
#define __GFP_ZERO 2u
#define __GFP_NORETRY 0u
#define __GFP_RETRY_MAYFAIL 0u

static inline void *kshim_alloc_array(size_t n, size_t size, gfp_t flags)
{
	size_t bytes;

	if (__builtin_mul_overflow(n, size, &bytes))
		return NULL;
	return kshim_alloc_fails ? NULL : kshim_alloc(bytes, flags & __GFP_ZERO);
}

#define kmalloc(size, flags) kshim_alloc_array(1, size, flags)
#define kzalloc(size, flags) kshim_alloc_array(1, size, (flags) | __GFP_ZERO)
#define kmalloc_array(n, size, flags) kshim_alloc_array(n, size, flags)
#define kcalloc(n, size, flags) kshim_alloc_array(n, size, (flags) | __GFP_ZERO)
#define kvmalloc(size, flags) kmalloc(size, flags)
#define kvzalloc(size, flags) kzalloc(size, flags)
#define kvmalloc_array(n, size, flags) kmalloc_array(n, size, flags)
#define kvcalloc(n, size, flags) kcalloc(n, size, flags)
#define vmalloc(size) kmalloc(size, GFP_KERNEL)
#define vzalloc(size) kzalloc(size, GFP_KERNEL)
#define kfree(p) kshim_free(p)
#define kvfree(p) kshim_free(p)
#define vfree(p) kshim_free(p)

#define might_sleep() do { } while (0)
#define cond_resched() do { } while (0)
#define preempt_disable() do { } while (0)
#define preempt_enable() do { } while (0)
#define touch_nmi_watchdog() do { } while (0)
#define in_nmi() 0
#define oops_in_progress 0

#define READ_ORDERED(p) __atomic_load_n(p, __ATOMIC_ACQUIRE)
#define smp_load_acquire(p) READ_ORDERED(p)
#define smp_store_release(p, v) __atomic_store_n(p, v, __ATOMIC_RELEASE)
#define smp_mb() __atomic_thread_fence(__ATOMIC_SEQ_CST)
#define smp_rmb() __atomic_thread_fence(__ATOMIC_ACQUIRE)
#define smp_wmb() __atomic_thread_fence(__ATOMIC_RELEASE)
#define xchg(p, v) __atomic_exchange_n(p, v, __ATOMIC_SEQ_CST)
#define cmpxchg(p, old, new) \
	({ __typeof__(*(p)) _old = (old); \
	   __atomic_compare_exchange_n(p, &_old, new, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST); \
	   _old; })

typedef struct { int counter; } atomic_t, refcount_t;
#define ATOMIC_INIT(n) { n }
#define REFCOUNT_INIT(n) { n }
static inline int atomic_read(const atomic_t *a) { return __atomic_load_n(&a->counter, __ATOMIC_RELAXED); }
static inline void atomic_set(atomic_t *a, int n) { __atomic_store_n(&a->counter, n, __ATOMIC_RELAXED); }
static inline int atomic_add_return(int n, atomic_t *a) { return __atomic_add_fetch(&a->counter, n, __ATOMIC_SEQ_CST); }
#define atomic_sub_return(n, a) atomic_add_return(-(n), a)
#define atomic_inc_return(a) atomic_add_return(1, a)
#define atomic_dec_return(a) atomic_add_return(-1, a)
#define atomic_inc(a) ((void)atomic_inc_return(a))
#define atomic_dec(a) ((void)atomic_dec_return(a))
#define atomic_dec_and_test(a) (atomic_dec_return(a) == 0)
#define refcount_read atomic_read
#define refcount_set atomic_set
#define refcount_inc(r) KSHIM_WARN(atomic_inc_return(r) <= 1, "refcount_t: increment from zero")
#define refcount_dec_and_test(r) \
	({ int _n = atomic_dec_return(r); KSHIM_WARN(_n < 0, "refcount_t: underflow"); _n == 0; })
static inline bool refcount_inc_not_zero(refcount_t *r)
{
	int n = atomic_read(r);

	while (n && !__atomic_compare_exchange_n(&r->counter, &n, n + 1, 0,
						 __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST))
		;
	return n != 0;
}

/* A mutex and a spinlock are the same to threads that never take interrupts. */
struct mutex { int held; };
typedef struct mutex spinlock_t;
#define DEFINE_MUTEX(name) struct mutex name = { 0 }
#define DEFINE_SPINLOCK(name) spinlock_t name = { 0 }
static inline void mutex_init(struct mutex *m) { m->held = 0; }
static inline int mutex_trylock(struct mutex *m) { return !__atomic_exchange_n(&m->held, 1, __ATOMIC_ACQUIRE); }
static inline void mutex_lock(struct mutex *m)
{
	while (!mutex_trylock(m))
		kshim_yield();
}
static inline void mutex_unlock(struct mutex *m)
{
	if (!__atomic_exchange_n(&m->held, 0, __ATOMIC_RELEASE))
		kshim_die("a lock is released that nobody holds");
}
static inline int mutex_is_locked(struct mutex *m) { return __atomic_load_n(&m->held, __ATOMIC_RELAXED); }
#define spin_lock_init mutex_init
#define spin_lock mutex_lock
#define spin_unlock mutex_unlock
#define spin_lock_irqsave(l, flags) do { (void)(flags); mutex_lock(l); } while (0)
#define spin_unlock_irqrestore(l, flags) mutex_unlock(l)
#define lockdep_is_held mutex_is_locked
#define lockdep_assert_held(l) KSHIM_WARN(!mutex_is_locked(l), "lock not held")

/*
 * RCU in two phases: a reader counts itself into the current phase, a writer
 * turns the phase over and waits for the old one to empty, twice. What
 * call_rcu() and kfree_rcu() get waits for the next grace period that a
 * writer asks for, or for kshim_boot()'s successor, rcu_barrier().
 */
/*
 * Readers order nothing among themselves that ThreadSanitizer could see: only
 * a grace period does, so that a writer who does without one races with every
 * reader of what it frees, however far apart they ran. The machine still needs
 * the count to be seen before the pointer is read.
 */
#if defined(__x86_64__) || defined(__i386__)
#define KSHIM_FULL_BARRIER() barrier() /* the increment was one */
#else
#define KSHIM_FULL_BARRIER() smp_mb()
#endif
struct rcu_head { struct rcu_head *next; void (*func)(struct rcu_head *head); };
extern int kshim_rcu_phase, kshim_rcu_readers[2];
extern __thread int kshim_rcu_depth, kshim_rcu_mine;
extern struct rcu_head *kshim_rcu_waiting;
void synchronize_rcu(void);
void call_rcu(struct rcu_head *head, void (*func)(struct rcu_head *head));
void kshim_free_later(void *p);

static inline void rcu_read_lock(void)
{
	if (kshim_rcu_depth++)
		return;
	kshim_rcu_mine = __atomic_load_n(&kshim_rcu_phase, __ATOMIC_RELAXED);
	__atomic_add_fetch(&kshim_rcu_readers[kshim_rcu_mine], 1, __ATOMIC_RELAXED);
	KSHIM_FULL_BARRIER();
}
static inline void rcu_read_unlock(void)
{
	if (kshim_rcu_depth <= 0)
		kshim_die("rcu_read_unlock() without rcu_read_lock()");
	if (!--kshim_rcu_depth)
		__atomic_sub_fetch(&kshim_rcu_readers[kshim_rcu_mine], 1, __ATOMIC_RELEASE);
}
static inline int rcu_read_lock_held(void) { return kshim_rcu_depth > 0; }
#define rcu_barrier() synchronize_rcu()
#define synchronize_rcu_expedited() synchronize_rcu()
#define rcu_read_lock_sched rcu_read_lock
#define rcu_read_unlock_sched rcu_read_unlock
#define RCU_INIT_POINTER(p, v) ((p) = (v))
#define rcu_assign_pointer(p, v) __atomic_store_n(&(p), v, __ATOMIC_RELEASE)
#define rcu_access_pointer(p) __atomic_load_n(&(p), __ATOMIC_RELAXED)
#define rcu_dereference_protected(p, cond) \
	({ KSHIM_WARN(!(cond), "rcu_dereference_protected(" #p ") without " #cond); (p); })
#define rcu_dereference_raw(p) READ_ORDERED(&(p))
#define rcu_dereference(p) \
	({ KSHIM_WARN(!kshim_rcu_depth, "rcu_dereference(" #p ") outside a read section"); \
	   READ_ORDERED(&(p)); })
#define rcu_dereference_check(p, cond) \
	({ KSHIM_WARN(!kshim_rcu_depth && !(cond), "rcu_dereference_check(" #p ")"); \
	   READ_ORDERED(&(p)); })
#define rcu_replace_pointer(p, v, cond) \
	({ KSHIM_WARN(!(cond), "rcu_replace_pointer(" #p ") without " #cond); \
	   __atomic_exchange_n(&(p), v, __ATOMIC_ACQ_REL); })
#define KSHIM_FREE_RCU(p, ...) kshim_free_later(p)
#define kfree_rcu(p, ...) KSHIM_FREE_RCU(p)
#define kvfree_rcu(p, ...) KSHIM_FREE_RCU(p)
#define kfree_rcu_mightsleep(p) do { synchronize_rcu(); kshim_free(p); } while (0)
#define kvfree_rcu_mightsleep(p) kfree_rcu_mightsleep(p)

/* guard(rcu)() and guard(mutex)(&lock) hold until the end of the block. */
#define KSHIM_UNIQUE2(name, line) name##line
#define KSHIM_UNIQUE(name, line) KSHIM_UNIQUE2(name, line)
#define guard(kind) \
	__attribute__((unused, cleanup(kshim_unguard_##kind))) \
	struct kshim_guard_##kind KSHIM_UNIQUE(kshim_guard_, __LINE__) = kshim_guard_##kind
#define scoped_guard(kind, ...) \
	for (__attribute__((cleanup(kshim_unguard_##kind))) \
	     struct kshim_guard_##kind _guard = kshim_guard_##kind(__VA_ARGS__), *_once = &_guard; \
	     _once; _once = NULL)
struct kshim_guard_rcu { int unused; };
struct kshim_guard_mutex { struct mutex *lock; };
static inline struct kshim_guard_rcu kshim_guard_rcu(void)
{
	rcu_read_lock();
	return (struct kshim_guard_rcu){ 0 };
}
static inline void kshim_unguard_rcu(struct kshim_guard_rcu *g) { rcu_read_unlock(); }
static inline struct kshim_guard_mutex kshim_guard_mutex(struct mutex *lock)
{
	mutex_lock(lock);
	return (struct kshim_guard_mutex){ lock };
}
static inline void kshim_unguard_mutex(struct kshim_guard_mutex *g) { mutex_unlock(g->lock); }

#endif
