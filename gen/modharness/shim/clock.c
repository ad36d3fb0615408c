/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The processor time of the thread, without a libc header: the code under test
 * never sleeps, and what else runs meanwhile is not its business.
 */

struct timespec { long sec, nsec; };
int clock_gettime(int clock, struct timespec *to);

static u64 kshim_now(void)
{
	struct timespec t;

	clock_gettime(3 /* CLOCK_THREAD_CPUTIME_ID */, &t);
	return t.sec * 1000000000ULL + t.nsec;
}
