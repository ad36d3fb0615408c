// SPDX-License-Identifier: GPL-2.0-only

package model

// Dialect names the way a kernel stores its tables and lets the host tool
// write them. It is read from a tree's source, never from its version number.
type Dialect int

const (
	// PlaceRelative is Linux 7.3: every kallsyms_offsets entry is relative to
	// its own address, or a plain u32 on non-relocatable 32-bit kernels.
	PlaceRelative Dialect = iota
	// BaseRelative is Linux 6.12: offsets are relative to
	// kallsyms_relative_base, with per-CPU symbols absolute on request.
	BaseRelative
)

// Symbol is one line of a symbol map: what nm, System.map and /proc/kallsyms
// state of a symbol, and what scripts/kallsyms.c calls a sym_entry.
type Symbol struct {
	Addr uint64
	Type byte // nm's letter: T, t, D, w, ...
	Name string
}

// Tables are the arrays that scripts/kallsyms.c emits and kernel/kallsyms.c
// reads, as they stand in memory. The index of Addrs, and the values packed in
// SeqsOfNames, are sequence numbers: positions in address order.
type Tables struct {
	Names       []byte      // kallsyms_names: the stream of length-prefixed records
	Markers     []uint32    // kallsyms_markers: the offset of every 1<<MarkerShift-th record
	MarkerShift uint        // log2 of the marker spacing; 8 in stock kernels
	TokenTable  []byte      // kallsyms_token_table: NUL-terminated tokens, one after the other
	TokenIndex  [256]uint16 // kallsyms_token_index: where each token starts
	SeqsOfNames []byte      // kallsyms_seqs_of_names: 3 big-endian bytes a symbol, in name order
	Addrs       []uint64    // what kallsyms_sym_address() answers for each sequence number
}

// NumSyms is kallsyms_num_syms, the number of symbols in the tables.
func (t *Tables) NumSyms() int { return len(t.Addrs) }

// PlainBytes is what the names and types would take uncompressed, each with one
// more byte for its end.
func (t *Tables) PlainBytes() int {
	var length [256]int
	for i, start := range t.TokenIndex {
		length[i] = len(cString(t.TokenTable[start:]))
	}
	sum := 0
	for at := 0; at < len(t.Names); {
		header, size := recordHeader(t.Names, at)
		for _, token := range t.Names[at+header:][:size] {
			sum += length[token]
		}
		sum++
		at += header + size
	}
	return sum
}
