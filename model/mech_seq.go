// SPDX-License-Identifier: GPL-2.0-only

package model

// packed is a table of three big-endian bytes an entry, on every host: bytes
// 01 02 03 are 66051.
type packed []byte

// maxPacked is what an entry can hold, plus one.
const maxPacked = 1 << (8 * seqEntryBytes)

// decoder reads an entry of a packed table.
type decoder func(p packed, i int) int

// decodeLoop is get_symbol_seq() of the stock kernel.
func decodeLoop(p packed, i int) int {
	v := 0
	for j := range seqEntryBytes {
		v = v<<8 | int(p[seqEntryBytes*i+j])
	}
	return v
}

// decodeUnrolled is the mechanism "seq-unroll": three shifts and no loop. The
// same bytes are read; no count tells the two apart.
func decodeUnrolled(p packed, i int) int {
	b := p[seqEntryBytes*i:]
	return int(b[0])<<16 | int(b[1])<<8 | int(b[2])
}

// appendPacked adds an entry, which must be less than maxPacked.
func appendPacked(p packed, v int) packed {
	return append(p, byte(v>>16), byte(v>>8), byte(v))
}
