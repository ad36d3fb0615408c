/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The two regions that hold a module's symbol tables are real memory, at the
 * addresses that the parent chose: mapped apart, so that a page before and
 * after faults, and poisoned behind what they hold. A region given back is unmapped,
 * so that whoever still reads it dies.
 *
 * The constants of mmap() are written out, because no libc header may come in
 * here: they are the same on every Linux that runs this.
 */
enum { KSHIM_LIVEPATCH = 1, KSHIM_UNFORMED = 2, KSHIM_STARVED = 4 };

void *mmap(void *addr, size_t len, int prot, int flags, int fd, long off);
int munmap(void *addr, size_t len);

#if defined(__SANITIZE_ADDRESS__)
#define KSHIM_POISON 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define KSHIM_POISON 1
#endif
#endif
#ifdef KSHIM_POISON
void __asan_poison_memory_region(void const volatile *addr, size_t size);
void __asan_unpoison_memory_region(void const volatile *addr, size_t size);
#else
#define __asan_poison_memory_region(addr, size) do { } while (0)
#define __asan_unpoison_memory_region(addr, size) do { } while (0)
#endif

#define KSHIM_MAX_REGIONS 64
static struct { void *base; size_t len; } kshim_mapped[KSHIM_MAX_REGIONS];

static void kshim_map(struct module_memory *mem)
{
	enum { READ_WRITE = 3, PRIVATE_ANONYMOUS_NOREPLACE = 0x100022 };
	size_t len = ALIGN((size_t)mem->size + 1, PAGE_SIZE);
	void *got = mmap(mem->base, len, READ_WRITE, PRIVATE_ANONYMOUS_NOREPLACE, -1, 0);

	if (got != mem->base)
		kshim_die("the place of a region is taken");
	__asan_poison_memory_region(got + mem->size, len - mem->size);
	for (int i = 0; i < KSHIM_MAX_REGIONS; i++) {
		if (!kshim_mapped[i].base) {
			kshim_mapped[i].base = got;
			kshim_mapped[i].len = len;
			return;
		}
	}
	kshim_die("more modules than the stand-ins have room for");
}

void execmem_free(void *base)
{
	for (int i = 0; i < KSHIM_MAX_REGIONS; i++) {
		if (base && kshim_mapped[i].base == base) {
			__asan_unpoison_memory_region(base, kshim_mapped[i].len);
			munmap(base, kshim_mapped[i].len);
			kshim_mapped[i].base = NULL;
		}
	}
}
