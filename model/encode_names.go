// SPDX-License-Identifier: GPL-2.0-only

package model

import (
	"cmp"
	"encoding/binary"
	"slices"
)

// nameKey stands for a symbol while sorting: eight bytes of its name from the
// depth reached, and its sequence number.
type nameKey struct {
	chunk uint64
	seq   uint32
}

const chunkLen = 8

// nameOrder returns the sequence numbers in the order of kallsyms_seqs_of_names:
// by name as unsigned bytes, then by address, then by table position. The table
// is in address order, so the position alone settles the last two. It mirrors
// compare_names().
func nameOrder(symbols []Symbol) []nameKey {
	keys := make([]nameKey, len(symbols))
	for i := range keys {
		keys[i].seq = uint32(i)
	}
	sortByName(symbols, keys, 0)
	return keys
}

// sortByName sorts keys whose names agree before depth.
func sortByName(symbols []Symbol, keys []nameKey, depth int) {
	for i := range keys {
		keys[i].chunk = nameChunk(symbols[keys[i].seq].Name, depth)
	}
	slices.SortFunc(keys, func(a, b nameKey) int {
		if a.chunk != b.chunk {
			return cmp.Compare(a.chunk, b.chunk)
		}
		return cmp.Compare(a.seq, b.seq)
	})
	for start := 0; start < len(keys); {
		end := start + 1
		for end < len(keys) && keys[end].chunk == keys[start].chunk {
			end++
		}
		// A chunk that ends in 0 holds the end of the name: no bytes are left.
		if end-start > 1 && byte(keys[start].chunk) != 0 {
			sortByName(symbols, keys[start:end], depth+chunkLen)
		}
		start = end
	}
}

// nameChunk returns the bytes of name from depth as a big-endian number, which
// compares as the bytes do; bytes past the end are 0.
func nameChunk(name string, depth int) uint64 {
	var chunk [chunkLen]byte
	copy(chunk[:], name[min(depth, len(name)):])
	return binary.BigEndian.Uint64(chunk[:])
}

// packSeqs writes each sequence number as three bytes, most significant first,
// as write_src() does and get_symbol_seq() reads them.
func packSeqs(keys []nameKey) []byte {
	seqs := make([]byte, 0, 3*len(keys))
	for _, k := range keys {
		seqs = append(seqs, byte(k.seq>>16), byte(k.seq>>8), byte(k.seq))
	}
	return seqs
}
