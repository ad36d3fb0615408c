/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Included at the end of unit.c, after the patched kernel file: asks the
 * kernel's own interfaces and writes down what they answer. The numbers of the
 * operations and the layout of each answer are those of query.go.
 */

struct kshim_bounds kshim_bounds;
const struct proc_ops *kshim_proc_kallsyms;
int (*kshim_initcalls[KSHIM_MAX_INITCALLS])(void);
unsigned int kshim_num_initcalls;

int kshim_rcu_phase, kshim_rcu_readers[2];
__thread int kshim_rcu_depth, kshim_rcu_mine;
struct rcu_head *kshim_rcu_waiting;

void synchronize_rcu(void)
{
	static struct mutex writers;

	if (kshim_rcu_depth)
		kshim_die("synchronize_rcu() inside a read section");
	mutex_lock(&writers);
	struct rcu_head *done = xchg(&kshim_rcu_waiting, NULL);

	for (int turn = 0; turn < 2; turn++) {
		int old = __atomic_fetch_xor(&kshim_rcu_phase, 1, __ATOMIC_SEQ_CST);

		while (__atomic_load_n(&kshim_rcu_readers[old], __ATOMIC_SEQ_CST))
			kshim_yield();
	}
	mutex_unlock(&writers);
	while (done) {
		struct rcu_head *next = done->next;

		done->func(done);
		done = next;
	}
}

void call_rcu(struct rcu_head *head, void (*func)(struct rcu_head *head))
{
	head->func = func;
	head->next = __atomic_load_n(&kshim_rcu_waiting, __ATOMIC_RELAXED);
	while (!__atomic_compare_exchange_n(&kshim_rcu_waiting, &head->next, head, 0,
					    __ATOMIC_SEQ_CST, __ATOMIC_RELAXED))
		;
}

struct kshim_later { struct rcu_head head; void *p; };

static void kshim_free_now(struct rcu_head *head)
{
	struct kshim_later *l = container_of(head, struct kshim_later, head);

	kshim_free(l->p);
	kshim_free(l);
}

void kshim_free_later(void *p)
{
	struct kshim_later *l;

	if (!p)
		return;
	l = kshim_alloc(sizeof(*l), 1);
	l->p = p;
	call_rcu(&l->head, kshim_free_now);
}

static void kshim_put_char(char **at, const char *end, char c)
{
	if (*at < end)
		**at = c;
	++*at;
}

static void kshim_put_number(char **at, const char *end, unsigned long long v, int base,
			     const char *prefix, int width, char pad)
{
	char digits[24];
	int n = 0, used = strlen(prefix);

	do {
		digits[n++] = "0123456789abcdef"[v % base];
		v /= base;
	} while (v);
	used += n;
	if (pad == ' ')
		for (; used < width; used++)
			kshim_put_char(at, end, pad);
	while (*prefix)
		kshim_put_char(at, end, *prefix++);
	for (; used < width; used++)
		kshim_put_char(at, end, pad);
	while (n)
		kshim_put_char(at, end, digits[--n]);
}

int kshim_vsnprintf(char *buf, size_t size, const char *fmt, __builtin_va_list args)
{
	char *at = buf;
	const char *end = size > (size_t)INT_MAX - 1 ? (const char *)ULONG_MAX : buf + size;

	for (; *fmt; fmt++) {
		int longs = 0, width = 0, alternate = 0;
		char pad = ' ';
		const char *s, *prefix = "";
		unsigned long long v;

		if (*fmt != '%') {
			kshim_put_char(&at, end, *fmt);
			continue;
		}
		for (fmt++; *fmt == '#' || *fmt == '0'; fmt++) {
			if (*fmt == '#')
				alternate = 1;
			else
				pad = '0';
		}
		for (; isdigit(*fmt); fmt++)
			width = width * 10 + *fmt - '0';
		for (; *fmt == 'l' || *fmt == 'z'; fmt++)
			longs++;
		switch (*fmt) {
		case '%':
			kshim_put_char(&at, end, '%');
			continue;
		case 'c':
			kshim_put_char(&at, end, __builtin_va_arg(args, int));
			continue;
		case 's':
			for (s = __builtin_va_arg(args, const char *); *s; s++)
				kshim_put_char(&at, end, *s);
			continue;
		case 'p':
			if (fmt[1] == 'x')
				fmt++;
			v = (unsigned long)__builtin_va_arg(args, void *);
			kshim_put_number(&at, end, v, 16, "", 2 * sizeof(void *), '0');
			continue;
		case 'd':
		case 'i':
		case 'u':
		case 'x':
			break;
		default:
			kshim_die("a format that the stand-in for sprintf() does not know");
		}
		if (longs > 1)
			v = __builtin_va_arg(args, unsigned long long);
		else if (*fmt == 'u' || *fmt == 'x')
			v = longs ? __builtin_va_arg(args, unsigned long) :
				    __builtin_va_arg(args, unsigned int);
		else
			v = longs ? __builtin_va_arg(args, long) : __builtin_va_arg(args, int);
		if ((*fmt == 'd' || *fmt == 'i') && (long long)v < 0) {
			v = -v;
			prefix = "-";
		}
		if (*fmt == 'x' && alternate)
			prefix = "0x";
		kshim_put_number(&at, end, v, *fmt == 'x' ? 16 : 10, prefix, width, pad);
	}
	if (size)
		*(at < end ? at : (char *)end - 1) = '\0';
	return at - buf;
}

static void kshim_put_string(const char *s)
{
	size_t n = strlen(s);

	kshim_put32(n);
	kshim_put(s, n);
}

/* What a visitor was shown; it stops the walk at the stop-th call, if not 0. */
struct kshim_visit { unsigned int calls, stop; };
#define KSHIM_STOPPED 0x5a

static int kshim_visited(struct kshim_visit *v, unsigned long addr)
{
	kshim_put64(addr);
	return ++v->calls == v->stop ? KSHIM_STOPPED : 0;
}

static int kshim_match(void *data, unsigned long addr)
{
	return kshim_visited(data, addr);
}

static int kshim_each(void *data, const char *name, unsigned long addr)
{
	kshim_put_string(name);
	return kshim_visited(data, addr);
}

/* The /proc file from line first on, at most lines of them, as reads of a
 * buffer of so many bytes see it: the walk stops and starts between reads. */
static void kshim_read_proc(unsigned long first, unsigned long lines, size_t buffer)
{
	static const struct cred root;
	struct file file = { .f_cred = &root };
	struct inode inode;
	loff_t pos = first;
	unsigned long bytes = kshim_mark();
	unsigned long shown = 0, drained = 0, total = 0;

	if (!kshim_proc_kallsyms)
		kshim_die("the patched file creates no /proc/kallsyms");
	if (kshim_proc_kallsyms->proc_open(&inode, &file))
		kshim_die("/proc/kallsyms does not open");
	struct seq_file *m = file.private_data;
	void *p = m->op->start(m, &pos);

	while (p && shown < lines) {
		if (m->op->show(m, p) < 0)
			kshim_die("/proc/kallsyms cannot show a symbol");
		kshim_put(m->buf, m->count);
		drained += m->count;
		total += m->count;
		m->count = 0;
		shown++;
		p = m->op->next(m, p, &pos);
		if (p && drained >= buffer) {
			m->op->stop(m, p);
			p = m->op->start(m, &pos);
			drained = 0;
		}
	}
	m->op->stop(m, p);
	kshim_free(m->private);
	kshim_free(m);
	kshim_set32(bytes, total);
}

static void kshim_text(int (*print)(char *, unsigned long), unsigned long addr, size_t size)
{
	char *buf = kshim_alloc(size, 0);

	memset(buf, '?', size);
	kshim_put32(print(buf, addr));
	kshim_put_string(buf);
	kshim_free(buf);
}

static int kshim_symbol_name(char *buf, unsigned long addr)
{
	return lookup_symbol_name(addr, buf);
}

#include "batch.c"

int kshim_answer(const struct kshim_query *q)
{
	struct kshim_visit visit = { .stop = q->b };
	unsigned long size = 0, offset = 0, at;
	const char *found;
	char *modname, *buf;
	int ret;

	switch (q->op) {
	case 1:
		kshim_put64(kallsyms_lookup_name(q->name));
		return 0;
	case 2:
		at = kshim_mark();
		ret = kallsyms_on_each_match_symbol(kshim_match, q->name, &visit);
		kshim_set32(at, visit.calls);
		kshim_put32(ret);
		return 0;
	case 3:
		at = kshim_mark();
		ret = kallsyms_on_each_symbol(kshim_each, &visit);
		kshim_set32(at, visit.calls);
		kshim_put32(ret);
		return 0;
	case 4:
		ret = kallsyms_lookup_size_offset(q->a, &size, &offset);
		kshim_put32(ret);
		kshim_put64(ret ? size : 0);
		kshim_put64(ret ? offset : 0);
		return 0;
	case 5:
		kshim_text(kshim_symbol_name, q->a, KSYM_NAME_LEN);
		return 0;
	case 6:
		kshim_text(sprint_symbol, q->a, KSYM_SYMBOL_LEN);
		return 0;
	case 7:
		kshim_text(sprint_symbol_no_offset, q->a, KSYM_SYMBOL_LEN);
		return 0;
	case 8:
		kshim_text(sprint_backtrace, q->a, KSYM_SYMBOL_LEN);
		return 0;
	case 9:
		buf = kshim_alloc(KSYM_NAME_LEN, 0);
		found = kallsyms_lookup(q->a, &size, &offset, &modname, buf);
		kshim_put32(found != NULL);
		kshim_put64(found ? size : 0);
		kshim_put64(found ? offset : 0);
		kshim_put_string(found ? found : "");
		kshim_free(buf);
		return 0;
	case 10:
		kshim_read_proc(q->a, q->b, PAGE_SIZE);
		return 0;
	case 11: {
		loff_t pos = 0;
		unsigned int names = 0;

		at = kshim_mark();
		while ((found = kdb_walk_kallsyms(&pos)) && ++names)
			kshim_put_string(found);
		kshim_set32(at, names);
		return 0;
	}
	case 12:
		kshim_put64(kallsyms_sym_address(q->a));
		return 0;
	}
	return kshim_batch_answer(q);
}

void kshim_boot(void)
{
	for (unsigned int i = 0; i < kshim_num_initcalls; i++)
		if (kshim_initcalls[i]())
			kshim_die("an initcall failed");
}
