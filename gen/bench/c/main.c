// SPDX-License-Identifier: GPL-2.0-only
/*
 * The measuring program: verifies every variant against the answers of the
 * specification, then measures all of them in rounds. It prints one line for
 * each thing found, which the parent reads (program.go).
 */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench.h"

static void verify_variant(int i, const struct input *in)
{
	const struct kbench_variant *v = kbench_variants[i];

	v->boot();
	for (uint32_t k = 0; k < in->num_queries; k++) {
		const struct query *q = &in->queries[k];
		uint32_t len;
		const char *got;

		/* The second half of a batch variant's is asked inside a batch. */
		if (v->batch_start && k == in->num_queries / 2)
			v->batch_start();
		got = answer_of(v, q, &len);
		if (len != q->len || memcmp(got, q->answer, len)) {
			printf("wrong %d %u\n", i, k);
			fflush(stdout);
			_exit(0);
		}
	}
	if (v->batch_end)
		v->batch_end();
	printf("verified %u\n", in->num_queries);
	fflush(stdout);
}

/*
 * Verifying takes longer than measuring where there are many variants, and needs
 * no processor of its own: a process for each shares the work.
 */
static void verify(const struct input *in)
{
	int workers = processors(), status;

	fflush(stdout);
	for (int w = 0; w < workers; w++) {
		pid_t pid = fork();

		if (pid < 0)
			fail("fork: %s", strerror(errno));
		if (pid)
			continue;
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		use_all_processors();
		for (int i = w; i < kbench_num_variants; i += workers)
			verify_variant(i, in);
		_exit(0);
	}
	for (int w = 0; w < workers; w++)
		if (wait(&status) < 0 || status)
			fail("a process that verifies ended with status %d", status);
	for (int i = 0; i < kbench_num_variants; i++)
		kbench_variants[i]->boot();
}

int main(int argc, char **argv)
{
	struct settings s;
	struct input in;

	if (argc != 6)
		fail("usage: bench INPUT CPU ROUNDS LOOKUPS SEED");
	s.rounds = atoi(argv[3]);
	s.lookups = atoi(argv[4]);
	s.seed = strtoull(argv[5], NULL, 0);
	read_input(argv[1], &in);
	arena_init(((size_t)in.names.count * 8 + (1 << 20)) & ~4095ul);
	machine_init(atoi(argv[2]));
	huge_pages();
	verify(&in);
	measure(&in, &s);
	machine_end();
	return 0;
}
