/* SPDX-License-Identifier: GPL-2.0-only */
/* Measurements: nanoseconds of the code under test, without the pipe. */

/* How long the lock was held that was taken last; locks are not nested here. */
static u64 kshim_lock_taken, kshim_lock_time;

void kshim_lock_begins(void)
{
	kshim_lock_taken = kshim_now();
}

void kshim_lock_ends(void)
{
	kshim_lock_time = kshim_now() - kshim_lock_taken;
}

/* Looks up so many records, spread evenly, as test_for_valid_rec() does. */
static void kshim_time_lookups(struct kshim_loaded *l, unsigned long num)
{
	char name[KSYM_SYMBOL_LEN];
	unsigned long offset, found = 0;
	u64 start = kshim_now();

	for (unsigned long i = 0; i < num; i++)
		found += !!kallsyms_lookup(l->records[i * l->num_records / num], NULL, &offset, NULL, name);
	kshim_put64(kshim_now() - start);
	kshim_put64(found);
}

/* Looks names up in one module. The blob has its name, how many they are, and them. */
static void kshim_time_names(const char *blob)
{
	struct module *mod = &kshim_find(blob)->mod;
	struct kshim_blob b = { blob + strlen(blob) + 1 };
	unsigned int num = kshim_take(&b, 4);
	unsigned long found = 0;
	u64 start = kshim_now();

	for (unsigned int i = 0; i < num; i++) {
		found += !!find_kallsyms_symbol_value(mod, b.at);
		b.at += strlen(b.at) + 1;
	}
	kshim_put64(kshim_now() - start);
	kshim_put64(found);
}

/* The whole ftrace_module_enable(), what it builds included, and its lock. */
static void kshim_time_enable(struct kshim_loaded *l, unsigned long max_offset)
{
	unsigned long valid = 0;
	u64 start;

	ftrace_pages_start = kshim_pages(l, 170);
	kshim_max_offset = max_offset;
	start = kshim_now();
	ftrace_module_enable(&l->mod);
	kshim_put64(kshim_now() - start);
	kshim_put64(kshim_lock_time);
	for (struct ftrace_page *pg = ftrace_pages_start->next; pg; pg = pg->next)
		for (int i = 0; i < pg->index; i++)
			valid += !(pg->records[i].flags & FTRACE_FL_DISABLED);
	kshim_free_pages(ftrace_pages_start->next);
	ftrace_pages_start = NULL;
	kshim_put64(valid);
}
