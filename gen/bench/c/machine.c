// SPDX-License-Identifier: GPL-2.0-only
/* The clock and the caches of the machine that measures. */
#define _GNU_SOURCE
#include <errno.h>
#include <linux/perf_event.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "bench.h"

#define DISPLACE (64ul << 20)

static double ns_per_tick;
static uint64_t overhead;
static volatile char *displaced;
static int counter = -1;
static cpu_set_t allowed;

static uint64_t now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC_RAW, &t);
	return t.tv_sec * 1000000000ull + t.tv_nsec;
}

double processor_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return t.tv_sec * 1e9 + t.tv_nsec;
}

#ifdef __x86_64__
/* Nothing before the reading is still running, nothing after it has begun. */
uint64_t ticks_begin(void)
{
	uint32_t low, high;

	__asm__ __volatile__("lfence; rdtsc; lfence" : "=a"(low), "=d"(high) : : "memory");
	return (uint64_t)high << 32 | low;
}

uint64_t ticks_end(void)
{
	uint32_t low, high;

	__asm__ __volatile__("rdtscp; lfence" : "=a"(low), "=d"(high) : : "memory", "ecx");
	return (uint64_t)high << 32 | low;
}

void flush(const char *from, const char *to)
{
	for (; from < to; from += 64)
		__builtin_ia32_clflush(from);
	__builtin_ia32_mfence();
}
#else
#error "the cache of this machine cannot be flushed by lines; measure on x86-64"
#endif

double ns_of(uint64_t ticks) { return ticks * ns_per_tick; }
uint64_t clock_overhead(void) { return overhead; }

static void calibrate(void)
{
	uint64_t t0 = now_ns(), c0 = ticks_begin(), t1;

	do
		t1 = now_ns();
	while (t1 - t0 < 100000000);
	ns_per_tick = (double)(t1 - t0) / (ticks_end() - c0);
	overhead = UINT64_MAX;
	for (int i = 0; i < 10000; i++) {
		uint64_t begin = ticks_begin(), took = ticks_end() - begin;

		overhead = took < overhead ? took : overhead;
	}
}

/* Instructions of this thread in user mode, where the machine counts them. */
static void counter_init(void)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_HARDWARE, .size = sizeof(attr), .config = PERF_COUNT_HW_INSTRUCTIONS,
		.exclude_kernel = 1, .exclude_hv = 1,
	};

	counter = syscall(SYS_perf_event_open, &attr, 0, -1, -1, 0);
	if (counter < 0)
		printf("note instructions are not counted: perf_event_open: %s\n", strerror(errno));
}

void counter_begin(void)
{
	if (counter >= 0)
		ioctl(counter, PERF_EVENT_IOC_RESET, 0);
}

double counter_end(void)
{
	uint64_t count;

	return counter >= 0 && read(counter, &count, sizeof(count)) == sizeof(count) ? (double)count : -1;
}

int processors(void) { return CPU_COUNT(&allowed); }

void use_all_processors(void)
{
	if (sched_setaffinity(0, sizeof(allowed), &allowed))
		fail("sched_setaffinity: %s", strerror(errno));
}

void machine_init(int cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	if (sched_getaffinity(0, sizeof(allowed), &allowed))
		fail("sched_getaffinity: %s", strerror(errno));
	if (sched_setaffinity(0, sizeof(set), &set))
		fail("CPU %d: %s", cpu, strerror(errno));
	if (setpriority(PRIO_PROCESS, 0, -20))
		printf("note the measuring process had no priority over others: %s\n", strerror(errno));
	displaced = mmap(NULL, DISPLACE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (displaced == MAP_FAILED)
		fail("out of memory");
	/* Small pages: a walk displaces translations as well. */
	madvise((void *)displaced, DISPLACE, MADV_NOHUGEPAGE);
	memset((void *)displaced, 1, DISPLACE);
	calibrate();
	counter_init();
}

void displace_caches(void)
{
	for (size_t i = 0; i < DISPLACE; i += 64)
		(void)displaced[i];
}

void machine_end(void)
{
	struct rusage u;

	getrusage(RUSAGE_SELF, &u);
	printf("note the measuring process was preempted %ld times\n", u.ru_nivcsw);
}
