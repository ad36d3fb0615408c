/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What every #include <linux/...> of a patched kernel file becomes: the part
 * of the kernel's vocabulary that symbol lookups use, written anew so that
 * the file compiles as a userspace program. No libc header may come in here;
 * what needs libc is declared in runtime.h and lives in runtime.c.
 */
#ifndef KSHIM_KERNEL_H
#define KSHIM_KERNEL_H

#include "types.h"
#include "runtime.h"
#include "text.h"
#include "sync.h"
#include "sections.h"
#include "files.h"

#endif
