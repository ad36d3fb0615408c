/* SPDX-License-Identifier: GPL-2.0-only */
/* The core kernel's symbols as the parent sent them, and ftrace's questions. */

static unsigned int kshim_cached_mods; /* calls of process_cached_mods() */

/* Names are not sorted: the first of several is the lowest, as in the kernel. */
static struct kshim_core {
	unsigned int num, num_traceable;
	struct { const char *name; unsigned long addr; } *sym;
	unsigned long *traceable;
	char *text;
} kshim_core;

static void kshim_kernel(const char *blob)
{
	struct kshim_blob b = { blob };
	struct kshim_core *c = &kshim_core;
	char *name;

	kshim_free(c->sym);
	kshim_free(c->traceable);
	kshim_free(c->text);
	c->num = kshim_take(&b, 4);
	c->num_traceable = kshim_take(&b, 4);
	c->sym = kshim_alloc((c->num + 1) * sizeof(*c->sym), 1);
	c->traceable = kshim_alloc((c->num_traceable + 1) * sizeof(long), 1);
	for (unsigned int i = 0; i < c->num; i++)
		c->sym[i].addr = kshim_take(&b, 8);
	for (unsigned int i = 0; i < c->num_traceable; i++)
		c->traceable[i] = kshim_take(&b, 8);
	name = c->text = kshim_copy(&b, kshim_take(&b, 4));
	for (unsigned int i = 0; i < c->num; i++) {
		c->sym[i].name = name;
		name += strlen(name) + 1;
	}
}

unsigned long kallsyms_lookup_name(const char *name)
{
	if (!*name)
		return 0;
	for (unsigned int i = 0; i < kshim_core.num; i++)
		if (!strcmp(kshim_core.sym[i].name, name))
			return kshim_core.sym[i].addr;
	return module_kallsyms_lookup_name(name);
}

int kallsyms_on_each_match_symbol(int (*fn)(void *, unsigned long), const char *name, void *data)
{
	int ret = 0;

	for (unsigned int i = 0; i < kshim_core.num && !ret; i++)
		if (!strcmp(kshim_core.sym[i].name, name))
			ret = fn(data, kshim_core.sym[i].addr);
	return ret;
}

int kallsyms_on_each_symbol(int (*fn)(void *, const char *, unsigned long), void *data)
{
	for (unsigned int i = 0; i < kshim_core.num; i++) {
		int ret = fn(data, kshim_core.sym[i].name, kshim_core.sym[i].addr);

		if (ret)
			return ret;
	}
	return 0;
}

/* The record at or behind the entry of a function, as with IBT. */
unsigned long ftrace_location(unsigned long ip)
{
	for (unsigned int i = 0; i < kshim_core.num_traceable; i++)
		if (kshim_core.traceable[i] == ip)
			return ip + kshim_max_offset;
	return 0;
}

/* Here every address is a module's or nobody's. */
const char *kallsyms_lookup(unsigned long addr, unsigned long *symbolsize, unsigned long *offset,
			    char **modname, char *namebuf)
{
	const unsigned char *buildid;

	namebuf[0] = '\0';
	return module_address_lookup(addr, symbolsize, offset, modname, &buildid, namebuf) ? namebuf : NULL;
}

void process_cached_mods(const char *mod_name)
{
	if (mutex_is_locked(&ftrace_lock))
		kshim_die("process_cached_mods() under ftrace_lock");
	kshim_cached_mods++;
}

static void kshim_ftrace_lookup(const char *blob)
{
	struct kshim_blob b = { blob };
	unsigned int n = kshim_take(&b, 4);
	const char **names = kshim_alloc((n + !n) * sizeof(*names), 0);
	unsigned long *addrs = kshim_alloc((n + !n) * sizeof(*addrs), 0);
	int ret;

	kshim_max_offset = kshim_take(&b, 8);
	for (unsigned int i = 0; i < n; i++) {
		names[i] = b.at;
		addrs[i] = 0xa5a5a5a5;
		b.at += strlen(b.at) + 1;
	}
	ret = ftrace_lookup_symbols(names, n, addrs);
	kshim_put32(ret);
	kshim_put32(n);
	for (unsigned int i = 0; i < n; i++)
		kshim_put64(addrs[i]);
	kshim_free(names);
	kshim_free(addrs);
}

enum { KSHIM_DISABLED = 2, KSHIM_TRACING = 8 };

/*
 * Gives ftrace the records of a module on pages of a few, behind a page of the
 * core kernel's, as ftrace_process_locs() does. Records start out disabled.
 */
static struct ftrace_page *kshim_pages(struct kshim_loaded *l, unsigned int on_page)
{
	static struct dyn_ftrace core = { .ip = 16 };
	static struct ftrace_page first = { .records = &core, .index = 1 };
	struct ftrace_page **next = &first.next;

	first.next = NULL;
	for (unsigned int i = 0; i < l->num_records; i += on_page) {
		unsigned int n = min(on_page, l->num_records - i);
		struct ftrace_page *pg = kshim_alloc(sizeof(*pg), 1);

		pg->records = kshim_alloc(n * sizeof(*pg->records), 1);
		pg->index = n;
		for (unsigned int k = 0; k < n; k++) {
			pg->records[k].ip = l->records[i + k];
			pg->records[k].flags = FTRACE_FL_DISABLED;
		}
		*next = pg;
		next = &pg->next;
	}
	return &first;
}

static void kshim_free_pages(struct ftrace_page *pg)
{
	while (pg) {
		struct ftrace_page *next = pg->next;

		kshim_free(pg->records);
		kshim_free(pg);
		pg = next;
	}
}

static void kshim_ftrace_enable(struct kshim_loaded *l, unsigned long flags, unsigned long max_offset)
{
	long before = kshim_live_blocks();

	ftrace_pages_start = kshim_pages(l, 170);
	kshim_max_offset = max_offset;
	kshim_cached_mods = 0;
	kshim_alloc_fails = !!(flags & KSHIM_STARVED);
	ftrace_disabled = !!(flags & KSHIM_DISABLED);
	ftrace_start_up = !!(flags & KSHIM_TRACING);
	kshim_allocations = 0;
	ftrace_module_enable(&l->mod);
	kshim_alloc_fails = ftrace_disabled = ftrace_start_up = 0;
	kshim_put32(kshim_cached_mods);
	kshim_put32(kshim_allocations);
	kshim_put32(l->num_records);
	for (struct ftrace_page *pg = ftrace_pages_start->next; pg; pg = pg->next)
		for (int i = 0; i < pg->index; i++)
			kshim_put32(pg->records[i].flags);
	kshim_free_pages(ftrace_pages_start->next);
	ftrace_pages_start = NULL;
	kshim_put32(kshim_live_blocks() - before);
}
