// SPDX-License-Identifier: GPL-2.0-only

package model

import (
	"encoding/binary"
	"slices"
)

// nameKey stands for a symbol while sorting: eight bytes of its name, and its
// sequence number.
type nameKey struct {
	chunk uint64
	seq   uint32
}

const chunkLen = 8

// nameSorter sorts by the bytes of names, most significant first. Every step is
// stable, so that equal names stay in table order.
type nameSorter struct {
	symbols []Symbol
	spare   []nameKey // as long as the keys of any first byte
}

// nameOrder returns the sequence numbers in the order of kallsyms_seqs_of_names:
// by name as unsigned bytes, then by address, then by table position. The table
// is in address order, so stability settles the last two. It mirrors
// compare_names().
func nameOrder(symbols []Symbol) []nameKey {
	var end [256]int
	for i := range symbols {
		end[firstByte(symbols[i].Name)]++
	}
	s := nameSorter{symbols: symbols, spare: make([]nameKey, slices.Max(end[:]))}
	starts(&end)
	keys := make([]nameKey, len(symbols))
	for i := range symbols {
		name := symbols[i].Name
		b := firstByte(name)
		keys[end[b]] = nameKey{nameChunk(name, 0), uint32(i)}
		end[b]++
	}
	s.sortDealt(keys, 0, 0, &end)
	return keys
}

// firstByte is 0 for an empty name, which comes before all others.
func firstByte(name string) byte {
	if name == "" {
		return 0
	}
	return name[0]
}

// load caches the bytes from depth of each name.
func (s *nameSorter) load(keys []nameKey, depth int) {
	for i := range keys {
		keys[i].chunk = nameChunk(s.symbols[keys[i].seq].Name, depth)
	}
}

// fewNames is when comparing beats counting.
const fewNames = 32

// sort sorts keys whose chunks begin at depth and whose names agree before the
// chunk's byte at.
func (s *nameSorter) sort(keys []nameKey, depth, at int) {
	var end [256]int
	for {
		if len(keys) < fewNames {
			s.sortFew(keys, depth)
			return
		}
		if at == chunkLen {
			depth, at = depth+chunkLen, 0
			s.load(keys, depth)
		}
		shift := uint(8 * (chunkLen - 1 - at))
		end = [256]int{}
		for i := range keys {
			end[byte(keys[i].chunk>>shift)]++
		}
		first := byte(keys[0].chunk >> shift)
		if end[first] < len(keys) {
			s.deal(keys, shift, &end)
			break
		}
		if first == 0 {
			return // all names ended
		}
		at++
	}
	s.sortDealt(keys, depth, at, &end)
}

// sortDealt sorts keys that are in the order of the chunk's byte at. end tells
// where those of each value end.
func (s *nameSorter) sortDealt(keys []nameKey, depth, at int, end *[256]int) {
	start := end[0] // the names that ended here are in order
	for _, end := range end[1:] {
		if end-start > 1 {
			s.sort(keys[start:end], depth, at+1)
		}
		start = end
	}
}

// starts turns the counts of values into where each starts.
func starts(count *[256]int) {
	sum := 0
	for b, n := range count {
		count[b] = sum
		sum += n
	}
}

// deal orders keys by the byte at shift and turns the counts of its values into
// where their keys end.
func (s *nameSorter) deal(keys []nameKey, shift uint, end *[256]int) {
	starts(end)
	spare := s.spare[:len(keys)]
	for _, k := range keys {
		b := byte(k.chunk >> shift)
		spare[end[b]] = k
		end[b]++
	}
	copy(keys, spare)
}

// sortFew sorts a few keys whose chunks begin at depth: by their chunks, then
// those with one chunk by the next.
func (s *nameSorter) sortFew(keys []nameKey, depth int) {
	for i := 1; i < len(keys); i++ {
		k, j := keys[i], i
		for ; j > 0 && k.chunk < keys[j-1].chunk; j-- {
			keys[j] = keys[j-1]
		}
		keys[j] = k
	}
	for start := 0; start < len(keys); {
		end := start + 1
		for end < len(keys) && keys[end].chunk == keys[start].chunk {
			end++
		}
		// A chunk that ends in 0 holds the end of its name.
		if same := keys[start:end]; len(same) > 1 && byte(same[0].chunk) != 0 {
			s.load(same, depth+chunkLen)
			s.sortFew(same, depth+chunkLen)
		}
		start = end
	}
}

// nameChunk returns the bytes of name from depth as a big-endian number, which
// compares as the bytes do; bytes past the end are 0.
func nameChunk(name string, depth int) uint64 {
	if depth+chunkLen <= len(name) {
		_ = name[depth+chunkLen-1]
		return uint64(name[depth])<<56 | uint64(name[depth+1])<<48 | uint64(name[depth+2])<<40 |
			uint64(name[depth+3])<<32 | uint64(name[depth+4])<<24 | uint64(name[depth+5])<<16 |
			uint64(name[depth+6])<<8 | uint64(name[depth+7])
	}
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
