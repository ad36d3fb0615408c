/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The libc half of the child: reads requests from stdin, places tables in
 * memory, and sends answers to stdout. See wire.go for the messages. The
 * number of the query being answered is kept in a shared file, so that the
 * parent knows which one it was when the child dies or hangs.
 */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "runtime.h"

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define KSHIM_ASAN
#endif
#elif defined(__SANITIZE_ADDRESS__)
#define KSHIM_ASAN
#endif
#ifdef KSHIM_ASAN
void __asan_poison_memory_region(void const volatile *addr, size_t size);
void __asan_unpoison_memory_region(void const volatile *addr, size_t size);
#endif

enum { LOAD = 'L', QUERY = 'Q' };
enum { PLACE_RELATIVE = 1, TEXT_RELATIVE32 = 2, TEXT_RELATIVE64 = 3 };

__thread int kshim_alloc_fails;
int kshim_warning_expected;

static long live_blocks;

static struct { char *data; size_t len, room; } out;
static const char *in; /* what is left of the request */
static size_t in_left;

void kshim_die(const char *why)
{
	fprintf(stderr, "stand-in: %s\n", why);
	abort();
}

void *kshim_alloc(unsigned long size, int zero)
{
	void *p = zero ? calloc(1, size) : malloc(size);

	if (!p)
		kshim_die("out of memory");
	__atomic_add_fetch(&live_blocks, 1, __ATOMIC_RELAXED);
	return p;
}

void kshim_free(const void *p)
{
	if (p)
		__atomic_sub_fetch(&live_blocks, 1, __ATOMIC_RELAXED);
	free((void *)p);
}

long kshim_live_blocks(void)
{
	return __atomic_load_n(&live_blocks, __ATOMIC_RELAXED);
}

struct thread { pthread_t handle; int id; void (*run)(int id); };

static void *thread_main(void *arg)
{
	struct thread *t = arg;

	t->run(t->id);
	return NULL;
}

void kshim_threads(int n, void (*run)(int id))
{
	struct thread *all = calloc(n, sizeof(*all));

	for (int i = 0; i < n; i++) {
		all[i].id = i;
		all[i].run = run;
		if (pthread_create(&all[i].handle, NULL, thread_main, &all[i]))
			kshim_die("no more threads");
	}
	for (int i = 0; i < n; i++)
		pthread_join(all[i].handle, NULL);
	free(all);
}

void kshim_yield(void)
{
	sched_yield();
}

void kshim_put(const void *data, unsigned long len)
{
	if (out.room - out.len < len) {
		out.room = 2 * out.room + len;
		out.data = realloc(out.data, out.room);
		if (!out.data)
			kshim_die("out of memory");
	}
	memcpy(out.data + out.len, data, len);
	out.len += len;
}

void kshim_put32(unsigned int v)
{
	kshim_put(&v, 4);
}

void kshim_put64(unsigned long long v)
{
	kshim_put(&v, 8);
}

unsigned long kshim_mark(void)
{
	kshim_put32(0);
	return out.len - 4;
}

void kshim_set32(unsigned long at, unsigned int v)
{
	memcpy(out.data + at, &v, 4);
}

static int read_all(void *to, size_t len)
{
	for (size_t done = 0; done < len;) {
		ssize_t n = read(0, (char *)to + done, len - done);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return done ? -1 : 0;
		done += n;
	}
	return 1;
}

static void send_answer(void)
{
	uint32_t len = out.len - 4;

	memcpy(out.data, &len, 4);
	for (size_t done = 0; done < out.len;) {
		ssize_t n = write(1, out.data + done, out.len - done);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			exit(1);
		done += n;
	}
}

static const void *take(size_t len)
{
	const void *p = in;

	if (len > in_left)
		kshim_die("a request is cut short");
	in += len;
	in_left -= len;
	return p;
}

#define TAKE(type) ({ type _v; memcpy(&_v, take(sizeof(_v)), sizeof(_v)); _v; })

/* One table in a block of exactly its size, so that one byte too far is seen. */
struct block {
	char *data;
	uint32_t len, nrelocs;
	const char *relocs;
	const void **at;
};

static struct block *blocks;
static uint32_t num_blocks;

static void drop_blocks(void)
{
	for (struct kshim_table *t = kshim_tables; t->name; t++)
		*t->at = NULL;
	for (uint32_t i = 0; i < num_blocks; i++) {
#ifdef KSHIM_ASAN
		if (!blocks[i].len)
			__asan_unpoison_memory_region(blocks[i].data, 1);
#endif
		free(blocks[i].data);
	}
	free(blocks);
	blocks = NULL;
	num_blocks = 0;
}

static const void **declared(const char *name, size_t len)
{
	for (struct kshim_table *t = kshim_tables; t->name; t++)
		if (strlen(t->name) == len && !memcmp(t->name, name, len))
			return t->at;
	return NULL;
}

struct reloc { uint32_t offset; uint32_t kind; int64_t addend; };

static struct reloc reloc(const struct block *b, uint32_t i)
{
	struct reloc r;

	memcpy(&r, b->relocs + i * sizeof(r), sizeof(r));
	return r;
}

/*
 * Where _text must lie so that every distance from a place fits 32 bits. On
 * 32 bits distances wrap, as they do for the linker, and _text stays.
 */
static uint64_t choose_text(uint64_t text)
{
	int64_t low = INT64_MAX, high = INT64_MIN;

	for (uint32_t i = 0; i < num_blocks; i++) {
		for (uint32_t k = 0; k < blocks[i].nrelocs; k++) {
			struct reloc r = reloc(&blocks[i], k);
			int64_t away;

			if (r.kind != PLACE_RELATIVE)
				continue;
			away = r.addend - (int64_t)(uintptr_t)(blocks[i].data + r.offset);
			low = away < low ? away : low;
			high = away > high ? away : high;
		}
	}
	if (sizeof(void *) == 4 || low > high)
		return text;
	return -(low + (high - low) / 2) & ~0xfffLL;
}

static const char *relocate(uint64_t text)
{
	for (uint32_t i = 0; i < num_blocks; i++) {
		for (uint32_t k = 0; k < blocks[i].nrelocs; k++) {
			struct reloc r = reloc(&blocks[i], k);
			char *place = blocks[i].data + r.offset;
			uint64_t value = text + r.addend;

			if (r.kind == PLACE_RELATIVE) {
				value -= (uintptr_t)place;
				if (sizeof(void *) == 8 && (int64_t)value != (int32_t)value)
					return "a place-relative entry does not fit 32 bits: the map spans too much";
			}
			memcpy(place, &value, r.kind == TEXT_RELATIVE64 ? 8 : 4);
		}
	}
	return NULL;
}

static const char *load(void)
{
	static char why[256];
	uint64_t text = TAKE(uint64_t), moved;
	unsigned long *bound = (unsigned long *)&kshim_bounds;
	const char *error;
	uint64_t bounds[8];

	drop_blocks();
	memcpy(bounds, take(sizeof(bounds)), sizeof(bounds));
	num_blocks = TAKE(uint32_t);
	blocks = calloc(num_blocks + 1, sizeof(*blocks));
	for (uint32_t i = 0; i < num_blocks; i++) {
		struct block *b = &blocks[i];
		uint32_t len = TAKE(uint32_t);

		b->at = declared(take(len), len);
		b->len = TAKE(uint32_t);
		b->data = malloc(b->len ? b->len : 1);
		memcpy(b->data, take(b->len), b->len);
#ifdef KSHIM_ASAN
		if (!b->len)
			__asan_poison_memory_region(b->data, 1);
#endif
		b->nrelocs = TAKE(uint32_t);
		b->relocs = take(b->nrelocs * sizeof(struct reloc));
		if (b->at)
			*b->at = b->data;
	}
	for (struct kshim_table *t = kshim_tables; t->name; t++) {
		if (!*t->at) {
			snprintf(why, sizeof(why), "the kernel file declares %s, the host tool does not write it", t->name);
			return why;
		}
	}
	moved = choose_text(text);
	error = relocate(moved);
	for (size_t i = 0; i < 8; i++)
		bound[i] = bounds[i] + (moved - text);
	kshim_put64(moved - text);
	return error;
}

static const char *answer(volatile uint32_t *progress)
{
	uint32_t count = TAKE(uint32_t);

	for (uint32_t i = 0; i < count; i++) {
		struct kshim_query q = { 0 };
		uint32_t len;
		char *name;

		*progress = i;
		q.op = TAKE(uint8_t);
		q.a = TAKE(uint64_t);
		q.b = TAKE(uint64_t);
		len = TAKE(uint32_t);
		name = malloc(len + 1);
		memcpy(name, take(len), len);
		name[len] = '\0';
		q.name = name;
		if (kshim_answer(&q))
			return "an operation that this child does not know";
		free(name);
	}
	*progress = count;
	return NULL;
}

int main(int argc, char **argv)
{
	uint32_t len;
	int fd = argc == 2 ? open(argv[1], O_RDWR) : -1;
	volatile uint32_t *progress = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);

	if (progress == MAP_FAILED) {
		fprintf(stderr, "usage: child PROGRESS-FILE (of at least 4096 bytes)\n");
		return 2;
	}
	kshim_boot();
	while (read_all(&len, 4) == 1) {
		char *request = malloc(len + 1);
		const char *error;
		uint32_t status;

		if (read_all(request, len) != 1)
			return 1;
		in = request;
		in_left = len;
		out.len = 0;
		kshim_put32(0); /* the length */
		kshim_put32(0); /* the status */
		error = TAKE(uint8_t) == LOAD ? load() : answer(progress);
		if (error) {
			out.len = 8;
			kshim_put(error, strlen(error));
			status = 1;
			memcpy(out.data + 4, &status, 4);
		}
		send_answer();
		free(request);
	}
	return 0;
}
