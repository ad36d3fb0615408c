/* SPDX-License-Identifier: GPL-2.0-only */
/* Strings, characters, formatting and messages, as the kernel defines them. */
#ifndef KSHIM_TEXT_H
#define KSHIM_TEXT_H

/* Bytes compare as unsigned, whatever the sign of char is. */
static inline int kshim_strncmp(const char *a, const char *b, size_t n)
{
	for (; n; a++, b++, n--) {
		u8 x = *a, y = *b;

		if (x != y)
			return x < y ? -1 : 1;
		if (!x)
			break;
	}
	return 0;
}

static inline int kshim_strcmp(const char *a, const char *b)
{
	return kshim_strncmp(a, b, SIZE_MAX);
}

static inline size_t kshim_strnlen(const char *s, size_t max)
{
	size_t n = 0;

	while (n < max && s[n])
		n++;
	return n;
}

static inline size_t kshim_strlen(const char *s)
{
	return kshim_strnlen(s, SIZE_MAX);
}

static inline void *kshim_memmove(void *to, const void *from, size_t n)
{
	u8 *t = to;
	const u8 *f = from;

	if (t < f)
		while (n--)
			*t++ = *f++;
	else
		while (n--)
			t[n] = f[n];
	return to;
}

static inline void *kshim_memset(void *to, int byte, size_t n)
{
	u8 *t = to;

	while (n--)
		*t++ = byte;
	return to;
}

static inline int kshim_memcmp(const void *a, const void *b, size_t n)
{
	const u8 *x = a, *y = b;

	for (; n; x++, y++, n--)
		if (*x != *y)
			return *x - *y;
	return 0;
}

static inline void *kshim_memchr(const void *s, int byte, size_t n)
{
	for (const u8 *p = s; n; p++, n--)
		if (*p == (u8)byte)
			return (void *)p;
	return NULL;
}

static inline char *kshim_strchr(const char *s, int c)
{
	for (;; s++) {
		if (*s == (char)c)
			return (char *)s;
		if (!*s)
			return NULL;
	}
}

static inline char *kshim_strrchr(const char *s, int c)
{
	const char *last = NULL;

	do
		if (*s == (char)c)
			last = s;
	while (*s++);
	return (char *)last;
}

static inline char *kshim_strstr(const char *s, const char *find)
{
	size_t n = kshim_strlen(find);

	for (; *s || !n; s++)
		if (!kshim_strncmp(s, find, n))
			return (char *)s;
	return NULL;
}

/* Always terminates; the length copied, or -E2BIG where it had to cut. */
static inline ssize_t kshim_strscpy(char *to, const char *from, size_t size)
{
	size_t n = kshim_strnlen(from, size);

	if (!size)
		return -E2BIG;
	if (n < size) {
		kshim_memmove(to, from, n + 1);
		return n;
	}
	kshim_memmove(to, from, size - 1);
	to[size - 1] = '\0';
	return -E2BIG;
}

#define strcmp kshim_strcmp
#define strncmp kshim_strncmp
#define strlen kshim_strlen
#define strnlen kshim_strnlen
#define strchr kshim_strchr
#define strrchr kshim_strrchr
#define strstr kshim_strstr
#define memcpy kshim_memmove
#define memmove kshim_memmove
#define memset kshim_memset
#define memcmp kshim_memcmp
#define memchr kshim_memchr
#define strscpy(to, from, ...) KSHIM_STRSCPY(to, from, ##__VA_ARGS__, sizeof(to))
#define KSHIM_STRSCPY(to, from, size, ...) kshim_strscpy(to, from, size)
#define strscpy_pad strscpy
#define str_has_prefix(s, prefix) \
	(strncmp(s, prefix, strlen(prefix)) ? 0 : strlen(prefix))

#define isdigit(c) ((u8)(c) >= '0' && (u8)(c) <= '9')
#define isupper(c) ((u8)(c) >= 'A' && (u8)(c) <= 'Z')
#define islower(c) ((u8)(c) >= 'a' && (u8)(c) <= 'z')
#define isalpha(c) (isupper(c) || islower(c))
#define isalnum(c) (isalpha(c) || isdigit(c))
#define isspace(c) ((c) == ' ' || ((u8)(c) >= '\t' && (u8)(c) <= '\r'))
static inline char toupper(char c) { return islower(c) ? c - 32 : c; }
static inline char tolower(char c) { return isupper(c) ? c + 32 : c; }

/*
 * The conversions that symbol texts use: %s %c %d %i %u %x %px %p %%, with l,
 * ll, z, #, 0 and a width. As in the kernel, and unlike libc, # prints 0x
 * before a zero too, and %px fills the width of a pointer with zeros. Anything
 * else stops the child: a text must not be guessed.
 */
int kshim_vsnprintf(char *buf, size_t size, const char *fmt, __builtin_va_list args);

static inline __attribute__((format(printf, 3, 4)))
int kshim_snprintf(char *buf, size_t size, const char *fmt, ...)
{
	__builtin_va_list args;
	int n;

	__builtin_va_start(args, fmt);
	n = kshim_vsnprintf(buf, size, fmt, args);
	__builtin_va_end(args);
	return n;
}

#define snprintf kshim_snprintf
#define sprintf(buf, ...) kshim_snprintf(buf, INT_MAX, __VA_ARGS__)
static inline int scnprintf(char *buf, size_t size, const char *fmt, ...)
{
	__builtin_va_list args;
	int n;

	__builtin_va_start(args, fmt);
	n = kshim_vsnprintf(buf, size, fmt, args);
	__builtin_va_end(args);
	return n < (int)size ? n : size ? (int)size - 1 : 0;
}

/* Messages are no answer: they are evaluated for their types and dropped. */
static inline __attribute__((format(printf, 1, 2)))
int kshim_message(const char *fmt, ...) { return 0; }
#define printk(...) kshim_message("" __VA_ARGS__)
#define pr_err(...) kshim_message(__VA_ARGS__)
#define pr_warn(...) kshim_message(__VA_ARGS__)
#define pr_notice(...) kshim_message(__VA_ARGS__)
#define pr_info(...) kshim_message(__VA_ARGS__)
#define pr_debug(...) kshim_message(__VA_ARGS__)
#define pr_warn_once pr_warn
#define pr_info_once pr_info
#define pr_err_once pr_err
#define KERN_ERR
#define KERN_WARNING
#define KERN_INFO

/* A warning is a finding: the kernel would splat. */
#define KSHIM_WARN(cond, what) \
	({ int _bad = !!(cond); if (_bad) kshim_die(what); _bad; })
/* But where a caller does what it must not, it is the right answer. */
extern int kshim_warning_expected;
#define WARN_ON(cond) \
	({ int _on = !!(cond); if (_on && !kshim_warning_expected) kshim_die("WARN_ON(" #cond ")"); _on; })
#define WARN_ON_ONCE(cond) WARN_ON(cond)
#define WARN(cond, ...) WARN_ON(cond)
#define WARN_ONCE(cond, ...) WARN_ON(cond)
#define BUG_ON(cond) KSHIM_WARN(cond, "BUG_ON(" #cond ")")
#define BUG() kshim_die("BUG()")

#endif
