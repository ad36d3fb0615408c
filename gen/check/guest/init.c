// SPDX-License-Identifier: GPL-2.0-only
/*
 * init - the only program of the guest that the rung boot starts
 *
 * Looks at the kernel's symbols from user space, loads the module it was
 * given, waits for kallsyms_selftest, runs test_kallsyms_perf where the kernel
 * has it, and ends the machine. Every line that the host is to read begins
 * with "kgen-boot: ".
 */
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/klog.h>
#include <sys/mount.h>
#include <sys/reboot.h>
#include <sys/syscall.h>
#include <unistd.h>

/* The selftest takes seconds; under lock debugging, in an emulator, a minute. */
#define SELFTEST_SECONDS 240

static void say(const char *format, ...)
{
	va_list ap;

	va_start(ap, format);
	printf("kgen-boot: ");
	vprintf(format, ap);
	printf("\n");
	va_end(ap);
	fflush(stdout);
}

static void mount_at(const char *type, const char *where)
{
	if (mount(type, where, type, 0, NULL))
		say("error mount %s: %s", where, strerror(errno));
}

/* Counts lines of a file, all of them and those with the word in them. */
static void count_lines(const char *path, const char *word, long *all, long *with)
{
	char line[1024];
	FILE *f = fopen(path, "r");

	*all = *with = 0;
	if (!f) {
		say("error open %s: %s", path, strerror(errno));
		return;
	}
	while (fgets(line, sizeof(line), f)) {
		++*all;
		if (strstr(line, word))
			++*with;
	}
	fclose(f);
}

/* Prints the lines that end in the word, as the host compares them. */
static void print_lines(const char *key, const char *path, const char *word)
{
	char line[1024];
	FILE *f = fopen(path, "r");

	if (!f) {
		say("error open %s: %s", path, strerror(errno));
		return;
	}
	while (fgets(line, sizeof(line), f)) {
		line[strcspn(line, "\n")] = '\0';
		if (strstr(line, word))
			say("%s %s", key, line);
	}
	fclose(f);
}

static void load_module(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	if (fd < 0 || syscall(SYS_finit_module, fd, "", 0))
		say("error load %s: %s", path, strerror(errno));
	else
		say("loaded");
	if (fd >= 0)
		close(fd);
}

static int log_has(const char *text)
{
	static char log[1 << 20];
	int n = klogctl(3 /* SYSLOG_ACTION_READ_ALL */, log, sizeof(log) - 1);

	if (n < 0)
		return 0;
	log[n] = '\0';
	return strstr(log, text) != NULL;
}

static void wait_for_selftest(void)
{
	for (int tenth = 0; tenth < SELFTEST_SECONDS * 10; tenth++) {
		if (log_has("kallsyms_selftest: finish") || log_has("kallsyms_selftest: abort"))
			return;
		usleep(100 * 1000);
	}
	say("error kallsyms_selftest did not end in %d seconds", SELFTEST_SECONDS);
}

static void run_perf_test(void)
{
	int fd = open("/sys/module/test_kallsyms_perf/parameters/run", O_WRONLY | O_CLOEXEC);

	if (fd < 0)
		return; /* the kernel has none */
	if (write(fd, "1", 1) != 1)
		say("error test_kallsyms_perf: %s", strerror(errno));
	else
		say("perf");
	close(fd);
}

int main(void)
{
	const char *filter = "/sys/kernel/tracing/available_filter_functions";
	long all, with;

	say("init");
	mount_at("proc", "/proc");
	mount_at("sysfs", "/sys");
	mount_at("tracefs", "/sys/kernel/tracing");
	load_module("/module.ko");

	count_lines("/proc/kallsyms", "\t[" MODULE "]", &all, &with);
	say("symbols %ld", all);
	say("modulesymbols %ld", with);
	print_lines("record", filter, " [" MODULE "]");
	wait_for_selftest();
	run_perf_test();

	if (syscall(SYS_delete_module, MODULE, O_NONBLOCK))
		say("error unload " MODULE ": %s", strerror(errno));
	say("end");
	sync();
	reboot(RB_AUTOBOOT);
	return 1;
}
