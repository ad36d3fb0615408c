/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * /proc and its sequence files, and initcalls. A file that the patched code
 * creates is remembered, so that glue.c can open and read it.
 */
#ifndef KSHIM_FILES_H
#define KSHIM_FILES_H

struct seq_file;

struct seq_operations {
	void *(*start)(struct seq_file *m, loff_t *pos);
	void (*stop)(struct seq_file *m, void *v);
	void *(*next)(struct seq_file *m, void *v, loff_t *pos);
	int (*show)(struct seq_file *m, void *v);
};

/* One open file: the lines shown since it was last drained pile up in buf. */
struct seq_file {
	const struct seq_operations *op;
	void *private;
	size_t count;
	char buf[1024]; /* one line: address, type, name */
};

struct cred { int unused; };
struct inode { int unused; };
struct file {
	const struct cred *f_cred;
	struct seq_file *private_data;
};

struct proc_ops {
	unsigned int proc_flags;
	int (*proc_open)(struct inode *inode, struct file *file);
	ssize_t (*proc_read)(struct file *file, char *buf, size_t n, loff_t *pos);
	loff_t (*proc_lseek)(struct file *file, loff_t pos, int whence);
	int (*proc_release)(struct inode *inode, struct file *file);
};

/* glue.c drives the operations itself: these only have to be addressable. */
static inline ssize_t seq_read(struct file *f, char *b, size_t n, loff_t *p) { return 0; }
static inline loff_t seq_lseek(struct file *f, loff_t p, int whence) { return 0; }
static inline int seq_release_private(struct inode *i, struct file *f) { return 0; }

static inline void *__seq_open_private(struct file *file, const struct seq_operations *op, int size)
{
	struct seq_file *m = kshim_alloc(sizeof(*m), 1);

	m->op = op;
	m->private = kshim_alloc(size, 1);
	file->private_data = m;
	return m->private;
}

static inline void seq_printf(struct seq_file *m, const char *fmt, ...)
{
	__builtin_va_list args;

	__builtin_va_start(args, fmt);
	m->count += kshim_vsnprintf(m->buf + m->count, sizeof(m->buf) - m->count, fmt, args);
	__builtin_va_end(args);
	if (m->count >= sizeof(m->buf))
		kshim_die("a line of a sequence file is longer than any symbol");
}

static inline void seq_putc(struct seq_file *m, char c) { seq_printf(m, "%c", c); }
static inline void seq_puts(struct seq_file *m, const char *s) { seq_printf(m, "%s", s); }

static inline bool kallsyms_show_value(const struct cred *cred) { return true; }
static inline const struct cred *current_cred(void) { return NULL; }

extern const struct proc_ops *kshim_proc_kallsyms;

static inline void *proc_create(const char *name, umode_t mode, void *parent, const struct proc_ops *ops)
{
	if (!strcmp(name, "kallsyms"))
		kshim_proc_kallsyms = ops;
	return (void *)ops;
}

/* Initcalls run in kshim_boot(), in the order of the file. */
#define KSHIM_MAX_INITCALLS 16
extern int (*kshim_initcalls[KSHIM_MAX_INITCALLS])(void);
extern unsigned int kshim_num_initcalls;
#define KSHIM_INITCALL(fn) \
	static void __attribute__((constructor)) kshim_register_##fn(void) \
	{ \
		if (kshim_num_initcalls == KSHIM_MAX_INITCALLS) \
			kshim_die("more initcalls than the stand-ins have room for"); \
		kshim_initcalls[kshim_num_initcalls++] = fn; \
	}
#define early_initcall(fn) KSHIM_INITCALL(fn)
#define core_initcall(fn) KSHIM_INITCALL(fn)
#define postcore_initcall(fn) KSHIM_INITCALL(fn)
#define subsys_initcall(fn) KSHIM_INITCALL(fn)
#define fs_initcall(fn) KSHIM_INITCALL(fn)
#define device_initcall(fn) KSHIM_INITCALL(fn)
#define late_initcall(fn) KSHIM_INITCALL(fn)

#endif
