/* SPDX-License-Identifier: GPL-2.0-only */
/* Integer types, attributes, configuration tests and small expressions. */
#ifndef KSHIM_TYPES_H
#define KSHIM_TYPES_H

typedef unsigned char u8, __u8, uint8_t;
typedef signed char s8, __s8, int8_t;
typedef unsigned short u16, __u16, uint16_t;
typedef signed short s16, __s16, int16_t;
typedef unsigned int u32, __u32, uint32_t;
typedef signed int s32, __s32, int32_t;
typedef unsigned long long u64, __u64, uint64_t;
typedef signed long long s64, __s64, int64_t;
typedef u16 __le16, __be16;
typedef u32 __le32, __be32;
typedef __SIZE_TYPE__ size_t;
typedef long ssize_t;
typedef unsigned long uintptr_t, ulong;
typedef long long loff_t;
typedef unsigned int gfp_t, uint;
typedef unsigned short umode_t;
typedef _Bool bool;
#define true 1
#define false 0
#define NULL ((void *)0)

#ifdef CONFIG_64BIT
#define BITS_PER_LONG 64
#else
#define BITS_PER_LONG 32
#endif
#define BITS_PER_BYTE 8

#define U8_MAX ((u8)~0U)
#define U16_MAX ((u16)~0U)
#define S16_MAX 0x7fff
#define S16_MIN (-S16_MAX - 1)
#define U32_MAX ((u32)~0U)
#define S32_MAX ((s32)(U32_MAX >> 1))
#define INT_MAX ((int)(~0U >> 1))
#define INT_MIN (-INT_MAX - 1)
#define UINT_MAX (~0U)
#define LONG_MAX ((long)(~0UL >> 1))
#define ULONG_MAX (~0UL)
#define SIZE_MAX (~(size_t)0)
#define PAGE_SIZE 4096UL

/*
 * IS_ENABLED(CONFIG_X) is 1 if CONFIG_X is defined as 1, in #if and in C. A
 * value of 1 pastes to a macro that brings its own comma and so moves the 1
 * into second place.
 */
#define KSHIM_HAVE_1 0, 1
#define KSHIM_SECOND(first, second, ...) second
#define KSHIM_PICK(...) KSHIM_SECOND(__VA_ARGS__, 0, 0)
#define KSHIM_PASTE(value) KSHIM_PICK(KSHIM_HAVE_##value)
#define IS_ENABLED(option) KSHIM_PASTE(option)
#define IS_BUILTIN(option) IS_ENABLED(option)
#define IS_REACHABLE(option) IS_ENABLED(option)
#define IS_MODULE(option) 0

#define __init
#define __initdata
#define __initconst
#define __exit
#define __user
#define __kernel
#define __force
#define __iomem
#define __percpu
#define __rcu
#define __read_mostly
#define __ro_after_init
#define __ref
#define __must_check
#define __maybe_unused __attribute__((unused))
#define __always_unused __attribute__((unused))
#define __used __attribute__((used))
#define __weak
#define __pure __attribute__((pure))
#define __packed __attribute__((packed))
#define __aligned(n) __attribute__((aligned(n)))
#define __printf(fmt, first)
#define __section(name)
#define __acquires(x)
#define __releases(x)
#define __must_hold(x)
#define __nocfi
#define __no_sanitize_address
#define __counted_by(member)
#define __always_inline inline __attribute__((always_inline))
#define noinline __attribute__((noinline))
#define noinline_for_stack noinline
#define notrace
#define asmlinkage
#define fallthrough __attribute__((fallthrough))
#define ____cacheline_aligned
#define NOKPROBE_SYMBOL(fn)
#define EXPORT_SYMBOL(sym)
#define EXPORT_SYMBOL_GPL(sym)
#define EXPORT_SYMBOL_NS_GPL(sym, ns)
#define MODULE_LICENSE(text)
#define MODULE_DESCRIPTION(text)
#define ALLOW_ERROR_INJECTION(fn, kind)

#define likely(x) __builtin_expect(!!(x), 1)
#define unlikely(x) __builtin_expect(!!(x), 0)
#define barrier() __asm__ __volatile__("" : : : "memory")
#define prefetch(p) __builtin_prefetch(p, 0, 0) /* as x86: non-temporal */
#define L1_CACHE_BYTES 64
#define READ_ONCE(x) (*(const volatile __typeof__(x) *)&(x))
#define WRITE_ONCE(x, v) (*(volatile __typeof__(x) *)&(x) = (v))
#define BIT(n) (1UL << (n))
#define GENMASK(h, l) ((~0UL << (l)) & (~0UL >> (BITS_PER_LONG - 1 - (h))))
#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))
#define DIV_ROUND_UP(n, d) (((n) + (d) - 1) / (d))
#define ALIGN(x, a) (((x) + (a) - 1) & ~((__typeof__(x))(a) - 1))
#define ALIGN_DOWN(x, a) ((x) & ~((__typeof__(x))(a) - 1))
#define IS_ALIGNED(x, a) (((x) & ((a) - 1)) == 0)
#define round_up(x, a) ALIGN(x, a)
#define round_down(x, a) ALIGN_DOWN(x, a)
#define offsetof(type, member) __builtin_offsetof(type, member)
#define sizeof_field(type, member) sizeof(((type *)0)->member)
#define typeof_member(type, member) __typeof__(((type *)0)->member)
#define container_of(ptr, type, member) \
	((type *)((char *)(ptr) - offsetof(type, member)))
#define struct_size(p, member, n) (sizeof(*(p)) + sizeof((p)->member[0]) * (n))
#define array_size(a, b) ((a) * (b))
#define array3_size(a, b, c) ((a) * (b) * (c))
#define static_assert(cond, ...) _Static_assert(cond, #cond)
#define BUILD_BUG_ON(cond) _Static_assert(!(cond), #cond)
#define BUILD_BUG_ON_MSG(cond, msg) _Static_assert(!(cond), msg)
#define min(a, b) ({ __typeof__(a) _a = (a); __typeof__(b) _b = (b); _a < _b ? _a : _b; })
#define max(a, b) ({ __typeof__(a) _a = (a); __typeof__(b) _b = (b); _a > _b ? _a : _b; })
#define min_t(type, a, b) min((type)(a), (type)(b))
#define max_t(type, a, b) max((type)(a), (type)(b))
#define clamp(v, lo, hi) min(max(v, lo), hi)
#define clamp_t(type, v, lo, hi) clamp((type)(v), (type)(lo), (type)(hi))
#define swap(a, b) do { __typeof__(a) _t = (a); (a) = (b); (b) = _t; } while (0)
#define lower_32_bits(n) ((u32)(n))
#define upper_32_bits(n) ((u32)((u64)(n) >> 32))
#define check_add_overflow(a, b, d) __builtin_add_overflow(a, b, d)
#define check_mul_overflow(a, b, d) __builtin_mul_overflow(a, b, d)

/* A signed 32-bit distance from its own address, as 7.3's kallsyms_offsets. */
static inline void *offset_to_ptr(const int *off)
{
	return (void *)((unsigned long)off + *off);
}

/* Loads that need no alignment, which UBSan would otherwise report. */
struct kshim_any16 { u16 v; } __packed;
struct kshim_any32 { u32 v; } __packed;
struct kshim_any64 { u64 v; } __packed;
#define get_unaligned(p) \
	({ const struct { __typeof__(*(p)) v; } __packed *_p = (const void *)(p); _p->v; })
#define get_unaligned_le16(p) (((const struct kshim_any16 *)(p))->v)
#define get_unaligned_le32(p) (((const struct kshim_any32 *)(p))->v)
#define get_unaligned_le64(p) (((const struct kshim_any64 *)(p))->v)
#define get_unaligned_be16(p) __builtin_bswap16(get_unaligned_le16(p))
#define get_unaligned_be32(p) __builtin_bswap32(get_unaligned_le32(p))
#define get_unaligned_be64(p) __builtin_bswap64(get_unaligned_le64(p))
static inline u32 get_unaligned_be24(const void *at)
{
	const u8 *p = at;

	return p[0] << 16 | p[1] << 8 | p[2];
}
static inline u32 get_unaligned_le24(const void *at)
{
	const u8 *p = at;

	return p[2] << 16 | p[1] << 8 | p[0];
}

static inline u64 div_u64(u64 n, u32 d) { return n / d; }
static inline u64 div64_u64(u64 n, u64 d) { return n / d; }
static inline u32 rol32(u32 v, unsigned int n) { return v << (n & 31) | v >> (-n & 31); }
static inline u32 ror32(u32 v, unsigned int n) { return v >> (n & 31) | v << (-n & 31); }
#define hweight32(v) __builtin_popcount(v)
#define fls(v) ((v) ? 32 - __builtin_clz(v) : 0)
#define ilog2(v) ((int)(8 * sizeof(long long) - 1 - __builtin_clzll(v)))
#define __ffs(v) __builtin_ctzl(v)

enum { EPERM = 1, ENOENT = 2, ESRCH = 3, E2BIG = 7, EAGAIN = 11, ENOMEM = 12,
       EFAULT = 14, EBUSY = 16, EEXIST = 17, EINVAL = 22, ERANGE = 34,
       ENOSYS = 38, EOVERFLOW = 75, EOPNOTSUPP = 95, EALREADY = 114 };
#define MAX_ERRNO 4095
#define ERR_PTR(e) ((void *)(long)(e))
#define PTR_ERR(p) ((long)(p))
#define IS_ERR(p) ((unsigned long)(p) >= (unsigned long)-MAX_ERRNO)
#define IS_ERR_OR_NULL(p) (!(p) || IS_ERR(p))

#endif
