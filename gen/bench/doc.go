// SPDX-License-Identifier: GPL-2.0-only

// Package bench measures what designs of the kernel's symbol lookups cost, with
// the C that would be merged.
//
// The data flows like this:
//
//	Design (patched tree, model's choice)          symbol map, perhaps grown
//	  │ harness.Prepare                              │
//	  ├─ scripts/kallsyms.c ── host tool ◄───────────┤
//	  │                          │ assembler text    │ model.Prepare
//	  │                          ▼                   ▼
//	  │         bytes ◄── harness.ImageParser     input: names, misses, addresses,
//	  │           │              │ labels              specified answers
//	  ├─ kernel/kallsyms.c ──▶ unit.o                │
//	  └─ part of kernel/trace/ftrace.c ──▶ ftrace.o  │
//	              │              │ ld -r, one global │
//	              │              ▼                   │
//	              │   variant.o ... variant.o        │
//	              │       └── link, c/*.c ──▶ program ◄── input
//	              └───────────────────────────▶ │ verified, then samples
//	    model.Design ── counts ──▶ result.Run ──▶ Table, GoFormat, JSON
//
// All variants are linked into one program that does not move, so that a table is
// at an address known to the linker, as it is in a kernel: with the tables behind
// pointers each access would cost a load more. objcopy hides all names of a
// variant but one. The linker only keeps addresses for the tables; the program
// reads their bytes into huge pages there, and moves its code to others, before it
// looks anything up.
//
// Of kernel/trace/ftrace.c there is ftrace_lookup_symbols() with what it uses in that
// file. It is a unit of its own, as in the kernel: together with kernel/kallsyms.c the
// compiler could inline a walk into it, and its visitor into the walk.
//
// The stock code is in every run twice. What differs between the two is noise
// (see Noise); a column in which they differ too much ranks nothing.
//
// Objects and tables are kept in the cache folder under a hash of everything they are made
// of, the map and the compiler's version included.
package bench
