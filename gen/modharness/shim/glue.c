/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Included at the end of unit.c, after the code under test: loads modules the
 * way the kernel does, asks the kernel's interfaces and writes down what they
 * answer. Operations and answers are those of query.go.
 */
#include "regions.c"
#include "clock.c"

struct kshim_bounds kshim_bounds;
struct kshim_table kshim_tables[] = { { 0, 0 } };
int kshim_rcu_phase, kshim_rcu_readers[2];
__thread int kshim_rcu_depth, kshim_rcu_mine;
struct rcu_head *kshim_rcu_waiting;
struct work_struct *kshim_work;
const struct kernel_symbol __start___ksymtab[1], __stop___ksymtab[1];
unsigned long kshim_max_offset;
unsigned int kshim_allocations;
struct kshim_held kshim_held;
int ftrace_disabled, ftrace_start_up;

/* One thread: whoever waits for readers waits for none. */
void synchronize_rcu(void)
{
	struct rcu_head *done = xchg(&kshim_rcu_waiting, NULL);

	if (kshim_rcu_depth)
		kshim_die("synchronize_rcu() inside a read section");
	while (done) {
		struct rcu_head *next = done->next;

		done->func(done);
		done = next;
	}
}

void call_rcu(struct rcu_head *head, void (*func)(struct rcu_head *head))
{
	head->func = func;
	head->next = kshim_rcu_waiting;
	kshim_rcu_waiting = head;
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
	l = kshim_alloc(sizeof(*l), 0);
	l->p = p;
	call_rcu(&l->head, kshim_free_now);
}

void *bsearch(const void *key, const void *base, size_t num, size_t size, cmp_func_t cmp)
{
	return __inline_bsearch(key, base, num, size, cmp);
}

/* Reading a blob of query.go. */
struct kshim_blob { const char *at; };

static u64 kshim_take(struct kshim_blob *b, unsigned int size)
{
	u64 v = 0;

	memcpy(&v, b->at, size);
	b->at += size;
	return v;
}

/* A copy in a block of exactly its size. */
static void *kshim_copy(struct kshim_blob *b, unsigned long size)
{
	void *p = kshim_alloc(size ?: 1, 0);

	memcpy(p, b->at, size);
	b->at += size;
	return p;
}

struct kshim_loaded {
	struct module mod;
	struct list_head all; /* newest first, as in the kernel's own list */
	void *names, *sections;
	unsigned long *records;
	unsigned int num_records;
};
static LIST_HEAD(kshim_all);

static struct kshim_loaded *kshim_find(const char *name)
{
	struct kshim_loaded *l;

	list_for_each_entry(l, &kshim_all, all)
		if (!strcmp(l->mod.name, name))
			return l;
	kshim_die("a query names a module that is not loaded");
	return NULL;
}

void ftrace_free_mem(struct module *mod, void *from, void *to)
{
	struct kshim_loaded *l = container_of(mod, struct kshim_loaded, mod);
	unsigned int kept = 0;

	for (unsigned int i = 0; i < l->num_records; i++)
		if (l->records[i] - (unsigned long)from >= to - from)
			l->records[kept++] = l->records[i];
	l->num_records = kept;
}

/* The file: its header, symbols and strings, in one block as the kernel has it. */
static Elf_Ehdr *kshim_file(struct kshim_blob *b, struct load_info *info)
{
	Elf_Shdr *sym = &info->sechdrs[info->index.sym], *str = &info->sechdrs[info->index.str];
	unsigned int n = kshim_take(b, 4), strings = kshim_take(b, 4);
	Elf_Ehdr *hdr = kshim_alloc(sizeof(*hdr) + n * sizeof(Elf_Sym) + strings, 1);
	Elf_Sym *to = (void *)(hdr + 1);

	sym->sh_offset = sizeof(*hdr);
	sym->sh_size = n * sizeof(Elf_Sym);
	sym->sh_addralign = sizeof(long);
	str->sh_offset = sym->sh_offset + sym->sh_size;
	str->sh_size = strings;
	str->sh_addralign = 1;
	for (unsigned int i = 0; i < n; i++) {
		to[i].st_name = kshim_take(b, 4);
		to[i].st_info = kshim_take(b, 1);
		to[i].st_other = kshim_take(b, 1);
		to[i].st_shndx = kshim_take(b, 2);
		to[i].st_value = kshim_take(b, 8);
		to[i].st_size = kshim_take(b, 8);
	}
	info->strtab = (void *)(to + n);
	memcpy(info->strtab, b->at, strings);
	b->at += strings;
	return hdr;
}

/* Where the kernel copies a section of the file to. */
static void kshim_place(struct module *mod, struct load_info *info, unsigned int index)
{
	Elf_Shdr *s = &info->sechdrs[index];
	struct module_memory *mem = &mod->mem[s->sh_entsize >> SH_ENTSIZE_TYPE_SHIFT];
	void *to = mem->base + (s->sh_entsize & SH_ENTSIZE_OFFSET_MASK);

	memcpy(to, (void *)info->hdr + s->sh_offset, s->sh_size);
	s->sh_addr = (unsigned long)to;
}

static void kshim_put_module(struct kshim_loaded *l)
{
	for_each_mod_mem_type(type) {
		kshim_put64((unsigned long)l->mod.mem[type].base);
		kshim_put64(l->mod.mem[type].size);
	}
	kshim_put64(kshim_live_blocks());
}

/* The steps of load_module() that touch symbols, in its order. */
static void kshim_load(const char *blob)
{
	struct kshim_blob b = { blob };
	struct kshim_loaded *l = kshim_alloc(sizeof(*l), 1);
	struct load_info info = { .mod = &l->mod };
	unsigned int flags = kshim_take(&b, 4), sections;
	Elf_Ehdr *file;
	u64 start;

	strscpy(l->mod.name, b.at, sizeof(l->mod.name));
	b.at += strlen(b.at) + 1;
	for_each_mod_mem_type(type) {
		l->mod.mem[type].base = (void *)(unsigned long)kshim_take(&b, 8);
		l->mod.mem[type].size = kshim_take(&b, 8);
	}
	sections = kshim_take(&b, 4);
	info.index.sym = kshim_take(&b, 4);
	info.index.str = kshim_take(&b, 4);
	info.index.pcpu = kshim_take(&b, 4);
	l->sections = info.sechdrs = kshim_alloc(sections * sizeof(Elf_Shdr), 1);
	for (unsigned int i = 0; i < sections; i++) {
		Elf_Shdr *s = &info.sechdrs[i];
		unsigned long mem;

		s->sh_name = kshim_take(&b, 4);
		s->sh_type = kshim_take(&b, 4);
		s->sh_flags = kshim_take(&b, 4);
		mem = kshim_take(&b, 4);
		s->sh_entsize = mem << SH_ENTSIZE_TYPE_SHIFT;
	}
	info.secstrings = l->names = kshim_copy(&b, kshim_take(&b, 4));
	l->num_records = kshim_take(&b, 4);
	l->records = kshim_alloc((l->num_records + 1) * sizeof(long), 1);
	for (unsigned int i = 0; i < l->num_records; i++)
		l->records[i] = kshim_take(&b, 8);
	file = kshim_file(&b, &info);
	info.hdr = file;
	file->e_shnum = sections;
	if (flags & KSHIM_LIVEPATCH)
		set_livepatch_module(&l->mod);
	l->mod.num_ftrace_callsites = l->num_records;
	l->mod.ftrace_callsites = l->records;
	l->mod.state = MODULE_STATE_UNFORMED;
	INIT_LIST_HEAD(&l->mod.list);

	layout_symtab(&l->mod, &info);
	for_each_mod_mem_type(type) {
		struct module_memory *mem = &l->mod.mem[type];

		if (type == MOD_DATA || type == MOD_INIT_DATA)
			kshim_map(mem);
		mem->size = ALIGN(mem->size, PAGE_SIZE); /* as move_module() does */
	}
	kshim_place(&l->mod, &info, info.index.sym);
	kshim_place(&l->mod, &info, info.index.str);
	list_add_rcu(&l->mod.list, &modules);
	list_add(&l->all, &kshim_all);
	for_each_mod_mem_type(type) {
		unsigned long from = (unsigned long)l->mod.mem[type].base;

		if (!l->mod.mem[type].size)
			continue;
		mod_tree.addr_min = min(mod_tree.addr_min, from);
		mod_tree.addr_max = max(mod_tree.addr_max, from + l->mod.mem[type].size);
	}
	kshim_alloc_fails = !!(flags & KSHIM_STARVED);
	start = kshim_now();
	if (kshim_form(&l->mod, &info, NULL, NULL))
		kshim_die("load_module() fails");
	start = kshim_now() - start;
	kshim_alloc_fails = 0;
	kshim_free(file);
	kshim_free(l->sections);
	kshim_free(l->names);
	if (!(flags & KSHIM_UNFORMED))
		l->mod.state = MODULE_STATE_COMING;
	kshim_put_module(l);
	kshim_put64(start);
}

static void kshim_let_time_pass(void)
{
	struct work_struct *work = xchg(&kshim_work, NULL);

	if (work)
		work->func(work);
	synchronize_rcu();
}

static int kshim_init_that_fails(void)
{
	return -ENOENT;
}

/* Unloads one that is live, and one whose init fails. Returns the time of that. */
static u64 kshim_unload(struct kshim_loaded *l)
{
	u64 start = kshim_now();

	if (l->mod.state == MODULE_STATE_COMING) {
		l->mod.init = kshim_init_that_fails;
		if (do_init_module(&l->mod) != -ENOENT)
			kshim_die("do_init_module() hides that init failed");
	} else {
		free_module(&l->mod);
	}
	start = kshim_now() - start;
	kshim_let_time_pass();
	list_del(&l->all);
	kshim_free(l->records);
	kshim_free(l);
	return start;
}

static int kshim_see(void *stop, const char *name, unsigned long value)
{
	kshim_put32(strlen(name));
	kshim_put(name, strlen(name));
	kshim_put64(value);
	return ++((u64 *)stop)[1] == ((u64 *)stop)[0];
}

static void kshim_put_string(const char *s)
{
	kshim_put32(strlen(s));
	kshim_put(s, strlen(s));
}

static void kshim_address_lookup(unsigned long addr)
{
	unsigned long size = 0, offset = 0;
	const unsigned char *buildid = NULL;
	char name[KSYM_NAME_LEN] = "", *modname = NULL;
	int ret = module_address_lookup(addr, &size, &offset, &modname, &buildid, name);

	kshim_put32(ret);
	kshim_put64(size);
	kshim_put64(offset);
	kshim_put_string(modname ?: "");
	kshim_put_string(name);
}

/* A lookup that a module's end of init comes into, at a chosen pointer it reads. */
static struct module *kshim_ending;
static unsigned long kshim_ends_in;

void kshim_reader_pauses(void)
{
	struct module *mod = kshim_ending;

	if (!mod || --kshim_ends_in)
		return;
	kshim_ending = NULL;
	if (do_init_module(mod))
		kshim_die("do_init_module() fails");
}

static void kshim_lookup_across(const struct kshim_query *q)
{
	kshim_ending = &kshim_find(q->name)->mod;
	kshim_ends_in = q->b;
	kshim_address_lookup(q->a);
	if (kshim_ending && do_init_module(xchg(&kshim_ending, NULL))) /* it read fewer */
		kshim_die("do_init_module() fails");
}

static void kshim_symbol_name(unsigned long addr)
{
	char name[KSYM_NAME_LEN] = "";

	kshim_put32(lookup_module_symbol_name(addr, name));
	kshim_put_string(name);
}

static void kshim_kallsym(unsigned int n)
{
	unsigned long value = 0;
	char type = 0, name[KSYM_NAME_LEN] = "", mod[MODULE_NAME_LEN] = "";
	int exported = 0;

	kshim_put32(module_get_kallsym(n, &value, &type, name, mod, &exported));
	kshim_put64(value);
	kshim_put32(type);
	kshim_put_string(name);
	kshim_put_string(mod);
}

static void kshim_on_each(const char *modname, u64 stop)
{
	u64 count[2] = { stop, 0 };
	unsigned long at = kshim_mark();
	int ret = module_kallsyms_on_each_symbol(*modname ? modname : NULL, kshim_see, count);

	kshim_set32(at, count[1]);
	kshim_put32(ret);
}

#include "ask_ftrace.c"
#include "stopwatch.c"

int kshim_answer(const struct kshim_query *q)
{
	switch (q->op) {
	case 64: kshim_load(q->name); break;
	case 65:
		if (do_init_module(&kshim_find(q->name)->mod))
			kshim_die("do_init_module() fails");
		kshim_put_module(kshim_find(q->name));
		break;
	case 66: kshim_let_time_pass(); kshim_put64(kshim_live_blocks()); break;
	case 67: kshim_unload(kshim_find(q->name)); kshim_put64(kshim_live_blocks()); break;
	case 68: kshim_address_lookup(q->a); break;
	case 69: kshim_symbol_name(q->a); break;
	case 70: kshim_kallsym(q->a); break;
	case 71: kshim_put64(module_kallsyms_lookup_name(q->name)); break;
	case 72: {
		const char *colon = strchr(q->name, ':');
		struct kshim_loaded *l;

		list_for_each_entry(l, &kshim_all, all)
			if (!strncmp(l->mod.name, q->name, colon - q->name) && !l->mod.name[colon - q->name])
				kshim_put64(find_kallsyms_symbol_value(&l->mod, colon + 1));
		break;
	}
	case 73: kshim_on_each(q->name, q->a); break;
	case 74: kshim_kernel(q->name); kshim_put32(0); break;
	case 75: kshim_ftrace_lookup(q->name); break;
	case 76: kshim_ftrace_enable(kshim_find(q->name), q->a, q->b); break;
	case 77: kshim_time_lookups(kshim_find(q->name), q->a); break;
	case 78: kshim_time_enable(kshim_find(q->name), q->a); break;
	case 79: kshim_lookup_across(q); break;
	case 80: kshim_time_names(q->name); break;
	case 81: kshim_put64(kshim_unload(kshim_find(q->name))); break;
	case 82:
		kshim_put64(kshim_held.now);
		kshim_put64(kshim_held.most);
		kshim_held.most = kshim_held.now;
		break;
	default: return -1;
	}
	if (kshim_rcu_depth)
		kshim_die("a read section is left open");
	if (mutex_is_locked(&module_mutex) || mutex_is_locked(&ftrace_lock))
		kshim_die("a lock is left held");
	return 0;
}

void kshim_boot(void) { }
