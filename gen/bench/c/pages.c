// SPDX-License-Identifier: GPL-2.0-only
/* The pages that the variants lie on, and what is put there. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "bench.h"

#define HUGE (2ul << 20)

/* How much of a range huge pages back, by the kernel's own account. */
static size_t backed(const char *from, const char *to)
{
	FILE *f = fopen("/proc/self/smaps", "r");
	unsigned long low = 0, high = 0, kib;
	size_t sum = 0;
	char line[512];

	if (!f)
		return 0;
	while (fgets(line, sizeof(line), f)) {
		unsigned long a, b;

		if (sscanf(line, "%lx-%lx ", &a, &b) == 2)
			low = a, high = b;
		else if (sscanf(line, "AnonHugePages: %lu kB", &kib) == 1 &&
			 low < (unsigned long)to && high > (unsigned long)from)
			sum += kib << 10;
	}
	fclose(f);
	return sum;
}

/* Put huge pages where the linker has kept addresses free. */
static void map(char *from, size_t size)
{
	if ((uintptr_t)from % HUGE || size % HUGE)
		fail("%p and %zu bytes from there are not whole huge pages", from, size);
	if (mmap(from, size, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) != from)
		fail("mmap: %s", strerror(errno));
	madvise(from, size, MADV_HUGEPAGE);
}

/* The code of a variant is alone on a huge page. */
static char *code_of(int i)
{
	return (char *)((uintptr_t)kbench_variants[i]->lookup_name & ~(HUGE - 1));
}

static void move_code(int i)
{
	static char copy[HUGE];

	memcpy(copy, code_of(i), HUGE);
	map(code_of(i), HUGE);
	memcpy(code_of(i), copy, HUGE);
}

/*
 * The bytes that the host tool wrote. Distances from their own places are in the
 * file as if it began at address 0.
 */
static void read_tables(int i)
{
	const struct tables *t = &kbench_table_files[i];
	char *tables = kbench_variants[i]->tables;
	int fd = open(t->file, O_RDONLY);
	size_t done = 0;

	if (fd < 0 || t->size > (size_t)(kbench_variants[i]->tables_end - tables))
		fail("cannot read %s", t->file);
	while (done < t->size) {
		ssize_t n = read(fd, tables + done, t->size - done);

		if (n <= 0)
			fail("%s is cut short: %zu bytes of %zu", t->file, done, t->size);
		done += n;
	}
	close(fd);
	for (const struct places *p = t->places; p->count; p++) {
		char *at = tables + p->at;

		for (uint32_t k = 0; k < p->count; k++, at += 4) {
			uint32_t distance;

			memcpy(&distance, at, 4);
			distance -= (uint32_t)(uintptr_t)tables;
			memcpy(at, &distance, 4);
		}
	}
}

/*
 * Give the code and the tables of every variant huge pages, as the kernel's have
 * them: without, misses of the TLB are a good part of what is measured.
 */
void huge_pages(void)
{
	size_t want = 0, got;

	for (int i = 0; i < kbench_num_variants; i++) {
		const struct kbench_variant *v = kbench_variants[i];

		move_code(i);
		map(v->tables, v->tables_end - v->tables);
		read_tables(i);
		want += HUGE + (v->tables_end - v->tables);
	}
	got = backed(code_of(0), kbench_variants[kbench_num_variants - 1]->tables_end);
	printf("hugepages %zu %zu\n", got < want ? got : want, want);
}
