// SPDX-License-Identifier: GPL-2.0-only

// Package modharness compiles what looks up symbols of modules in userspace, and
// ftrace's use of it, and compares both with the specification, for a kernel as
// it is or with a series applied. It is to kernel/module/kallsyms.c what
// gen/harness is to kernel/kallsyms.c, and works through its children.
//
//	tree, patched ─ Prepare ─┬─ taken whole: kernel/module/kallsyms.c, internal.h,
//	                         │    linux/module.h, module_symbol.h, lib/sort.c
//	                         ├─ excerpts: what is needed of kernel/module/main.c and
//	                         │    kernel/trace/ftrace.c, and all that this uses
//	                         └─ shim/: the rest, and the questions ─► BuildChild ─► child
//	                                                                           ▲ Ask │ answers
//	model.Object ─ newImage ─► symbols, sections, addresses ─ loadModule ──────┘     ▼
//	                      └──► model.ModuleSpec, model.Kernel ─ expectation ══════ compare
//	                                                                                 │
//	                               Finding ← replay file ← shrink ← first difference ┘
//
// A scene is a life of a few modules: layout_symtab() and load_module()'s own
// steps load them, do_init_module() ends their init, at times in the middle of a
// lookup, free_module() removes them; all of these are the tree's. In between
// every interface is asked about every symbol, boundary, record and name.
// Memory is really given back: the init region is unmapped, so that an index
// that outlives its table ends the child, and a block that is left behind is a
// finding.
//
// A series that adds a function, a structure or a file-wide variable to the
// files under test is followed by name (see csrc.File.Part): only what neither the tree
// nor shim/ defines fails, as harness.ErrCompile. Symbols whose section the file
// lacks are not made: the kernel's elf_type() reads past the section headers for
// them.
//
// ftrace_lookup_symbols() answers a single name with a colon otherwise when it
// looks that up by kallsyms_lookup_name(), as 7.3 does; the specification follows
// what the tree has (see Work.Single).
//
// Measure times the same code at -O2, without sanitizers.
package modharness
