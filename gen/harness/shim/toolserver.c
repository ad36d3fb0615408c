/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Runs the host tool's main() once for each request, in a process of its own that
 * is forked here and ends as the tool would. Starting a program with sanitizers
 * takes longer than a small map does.
 *
 * A request is a length and the arguments, each with its terminator; the answer is
 * what waitpid() says. See toolserver.go for the files. Without "--serve" this is
 * the host tool and nothing else.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

enum { STDOUT_FILE = 4, STDERR_FILE = 5 };
enum { MAX_REQUEST = 4096, MAX_ARGS = 16 };

int __real_main(int argc, char **argv);

/* transfer moves all n bytes, or says that the other side is gone. */
static int transfer(ssize_t (*move)(int, void *, size_t), int fd, void *data, size_t n)
{
	char *p = data;

	while (n > 0) {
		ssize_t got = move(fd, p, n);

		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			return 0;
		p += got;
		n -= got;
	}
	return 1;
}

static ssize_t put(int fd, void *data, size_t n)
{
	return write(fd, data, n);
}

static void run(int argc, char **argv)
{
	int null = open("/dev/null", O_RDONLY);

	/* What hangs must not outlive the server. */
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (null < 0 || dup2(null, 0) < 0 || dup2(STDOUT_FILE, 1) < 0 || dup2(STDERR_FILE, 2) < 0)
		_exit(127);
	exit(__real_main(argc, argv));
}

static int empty(int fd)
{
	return ftruncate(fd, 0) == 0 && lseek(fd, 0, SEEK_SET) == 0;
}

static int serve(char *name)
{
	static char request[MAX_REQUEST];
	char *argv[MAX_ARGS + 1];
	uint32_t size;

	while (transfer(read, 0, &size, sizeof(size))) {
		int argc = 1, status;
		pid_t pid;

		if (size > sizeof(request) || !transfer(read, 0, request, size))
			return 126;
		argv[0] = name;
		for (char *p = request; p < request + size && argc < MAX_ARGS; p += strlen(p) + 1)
			argv[argc++] = p;
		argv[argc] = NULL;
		if (!empty(STDOUT_FILE) || !empty(STDERR_FILE))
			return 126;
		pid = fork();
		if (pid == 0)
			run(argc, argv);
		if (pid < 0 || waitpid(pid, &status, 0) != pid)
			return 126;
		if (!transfer(put, 1, &status, sizeof(status)))
			return 126;
	}
	return 0;
}

int __wrap_main(int argc, char **argv)
{
	if (argc == 2 && strcmp(argv[1], "--serve") == 0)
		return serve(argv[0]);
	return __real_main(argc, argv);
}
