/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The kernel compares strings byte by byte, in a function of its own. The one of
 * the stand-ins bounds the length as well and is inlined, and the one of libc
 * uses vectors: either would measure something else.
 */
static noinline int kbench_strcmp(const char *a, const char *b)
{
	for (;; a++, b++) {
		unsigned char x = *a, y = *b;

		if (x != y)
			return x < y ? -1 : 1;
		if (!x)
			return 0;
	}
}
