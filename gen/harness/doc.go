// SPDX-License-Identifier: GPL-2.0-only

// Package harness compiles a kernel's symbol lookups in userspace and compares
// them with the specification, for the kernel as it is or with any series
// applied.
//
// The data flows like this:
//
//	Source (patched tree, tree without the series)
//	  │ Prepare: copies the files under test, unchanged
//	  ├─ scripts/kallsyms.c ── BuildHostTool ─┐
//	  │                                       │ RunHostTool ← symbol map
//	  │                                       ▼
//	  │                            assembler text ── ParseImage ── Image
//	  └─ kernel/kallsyms.c + shim/ ── BuildChild ── Child ◄── Load ─┘
//	                                                  │ Ask(queries)
//	   model.Prepare(map) ── Expect ── expected ══════╧══ answers
//	                                       │
//	                  Finding ← shrink ← first difference, crash or hang
//
// The kernel file is compiled whole. Its #include lines find one-line stubs
// that lead to our stand-ins in shim/, so that a series may include what it
// likes; a header that only the series has is taken as it is. Each table that
// the file declares extern becomes a pointer by a macro (see Work.unit), so
// that a child can be given one set of tables after the other, each in a block
// of exactly its size, with AddressSanitizer's redzones around it.
//
// Small maps are many, and a sanitized program takes long to start: workers keep the
// host tool running as a server that forks for each (see toolserver.go).
//
// No assembler or linker runs for a table: ParseImage reads what the host tool
// wrote, and CompareAssembled holds it against a real assembler. Where
// addresses are stored relative to their own place, the child chooses an
// address for _text within reach of the block; Child.Delta is what its
// addresses have more than the map's, and Expect answers with the same shift.
// So the kernel's own arithmetic runs, but a 64-bit map must not wrap around
// the end of the address space.
//
// The parent and the child talk in length-prefixed messages over pipes. The
// number of the query in work is kept in a shared file, so that a crash or a
// hang is the finding of one query.
//
// A series with kallsyms_lookup_batch_start() and _end() is asked the same inside
// batches, nested ones and ones that find no memory, and by several threads at
// once under ThreadSanitizer (see batch.go). Mutexes, RCU and allocations of
// shim/sync.h work between real threads, and end the child where the kernel
// would warn: an unbalanced lock, rcu_dereference() outside a read section,
// memory left behind.
//
// Measurements can reuse all of it: BuildChild with the profile Optimized
// compiles the same program at -O2 without sanitizers.
package harness
