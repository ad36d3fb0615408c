/* SPDX-License-Identifier: GPL-2.0-only */
/* The time, without a libc header. */

struct timespec { long sec, nsec; };
int clock_gettime(int clock, struct timespec *to);

static u64 kshim_now(void)
{
	struct timespec t;

	clock_gettime(1 /* CLOCK_MONOTONIC */, &t);
	return t.sec * 1000000000ULL + t.nsec;
}
