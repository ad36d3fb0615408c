/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What an #include <linux/...> of the code under test becomes, unless the
 * tree's own header is taken: the words of the kernel that module symbols and
 * ftrace use. types.h, runtime.h, text.h and sync.h are those of gen/harness.
 */
#ifndef KSHIM_KERNEL_H
#define KSHIM_KERNEL_H

#include "types.h"
#include "runtime.h"
#include "text.h"
#include "sync.h"
#include "lists.h"
#include "loader.h"
#include "tracing.h"

#endif
