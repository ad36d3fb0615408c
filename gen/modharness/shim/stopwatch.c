/* SPDX-License-Identifier: GPL-2.0-only */
/* Measurements: nanoseconds of the code under test, without the pipe. */

/* Looks up every record's address, times times, as test_for_valid_rec() does. */
static void kshim_time_lookups(struct kshim_loaded *l, unsigned long times)
{
	char name[KSYM_SYMBOL_LEN];
	unsigned long offset, found = 0;
	u64 start = kshim_now();

	for (unsigned long t = 0; t < times; t++)
		for (unsigned int i = 0; i < l->num_records; i++)
			found += !!kallsyms_lookup(l->records[i], NULL, &offset, NULL, name);
	kshim_put64(kshim_now() - start);
	kshim_put64(found);
}

/* The whole ftrace_module_enable(), what it builds included. */
static void kshim_time_enable(struct kshim_loaded *l, unsigned long max_offset)
{
	unsigned long valid = 0;
	u64 start;

	ftrace_pages_start = kshim_pages(l, 170);
	kshim_max_offset = max_offset;
	start = kshim_now();
	ftrace_module_enable(&l->mod);
	kshim_put64(kshim_now() - start);
	for (struct ftrace_page *pg = ftrace_pages_start->next; pg; pg = pg->next)
		for (int i = 0; i < pg->index; i++)
			valid += !(pg->records[i].flags & FTRACE_FL_DISABLED);
	kshim_free_pages(ftrace_pages_start->next);
	ftrace_pages_start = NULL;
	kshim_put64(valid);
}
