// SPDX-License-Identifier: GPL-2.0-only
/* Reads the file that the parent writes (input.go has its layout). */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include "bench.h"

static const char *at, *end;

static const void *take(size_t len)
{
	const void *p = at;

	if ((size_t)(end - at) < len)
		fail("the input is cut short");
	at += len;
	return p;
}

#define TAKE(type) ({ type _v; memcpy(&_v, take(sizeof(_v)), sizeof(_v)); _v; })

static void *array(size_t n, size_t size)
{
	void *p = calloc(n + 1, size);

	if (!p)
		fail("out of memory");
	return p;
}

static const char *take_string(void)
{
	uint32_t len = TAKE(uint32_t);

	return take(len + 1); /* and its NUL */
}

static struct strings take_strings(void)
{
	struct strings s = { .count = TAKE(uint32_t) };

	s.at = array(s.count, sizeof(*s.at));
	for (uint32_t i = 0; i < s.count; i++)
		s.at[i] = take_string();
	return s;
}

void read_input(const char *file, struct input *in)
{
	int fd = open(file, O_RDONLY);
	uint64_t *addrs;
	struct stat st;

	if (fd < 0 || fstat(fd, &st))
		fail("cannot read %s", file);
	at = mmap(NULL, st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	if (at == MAP_FAILED)
		fail("cannot map %s", file);
	end = at + st.st_size;

	in->names = take_strings();
	in->unique = take_strings();
	in->misses = take_strings();
	in->crowd = take_strings();
	in->traced = take_strings();
	in->num_addrs = TAKE(uint32_t);
	addrs = array(in->num_addrs, sizeof(*addrs));
	for (uint32_t i = 0; i < in->num_addrs; i++)
		addrs[i] = TAKE(uint64_t);
	in->addrs = addrs;
	in->num_queries = TAKE(uint32_t);
	in->queries = array(in->num_queries, sizeof(*in->queries));
	for (uint32_t i = 0; i < in->num_queries; i++) {
		struct query *q = &in->queries[i];

		q->op = TAKE(uint8_t);
		q->a = TAKE(uint64_t);
		q->b = TAKE(uint64_t);
		q->name = take_string();
		q->len = TAKE(uint32_t);
		q->answer = take(q->len);
	}
}
