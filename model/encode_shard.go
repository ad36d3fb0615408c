// SPDX-License-Identifier: GPL-2.0-only

package model

import (
	"bytes"
	"encoding/binary"
)

// shard holds the bytes of a run of symbols, one symbol after the other, with a
// 0 before, between and behind them.
//
// A token covers as many places as it expands to bytes. It stands in the first
// and in the last of them, and those between hold 0. So both neighbours are at
// hand without links: the next one starts behind the last place, the previous
// one ends before the first. And because a token comes to a place only in the
// round that makes it, one look tells whether a pair is still where it once was.
//
// Shards share nothing, so each can be laid out and written on its own.
type shard struct {
	symbols []Symbol
	arena   []byte
	count   [1 << 16]int32 // how often each pair occurs now
	used    [256]bool      // bytes that symbols are made of
	tokens  int            // in all symbols now
	// listed holds the places where the more frequent pairs of original bytes
	// were at the start, ascending; it shrinks to what replace makes of it.
	listed map[uint16]placeList
	// made lists, for each token that replaced a pair, the places it was put
	// at, ascending. It comes to no other place later, so the list leads to
	// every pair that it is part of.
	made    [256]placeList
	scratch []uint32 // of find
}

// pairKey is the host tool's index of a pair into token_profit. Of equally
// frequent pairs the smallest key wins, so its byte order matters.
func pairKey(a, b byte) uint16 { return uint16(a) | uint16(b)<<8 }

// newShard lays out the symbols and counts their pairs. It mirrors
// build_initial_token_table() and insert_real_symbols_in_table().
func newShard(symbols []Symbol) *shard {
	size := 1
	for i := range symbols {
		size += len(symbols[i].Name) + 2
	}
	s := &shard{symbols: symbols, arena: make([]byte, 1, size), tokens: size - 1 - len(symbols)}
	for i := range symbols {
		s.arena = append(s.arena, symbols[i].Type)
		s.arena = append(s.arena, symbols[i].Name...)
		s.arena = append(s.arena, 0)
	}
	last := byte(0)
	for _, b := range s.arena {
		s.count[pairKey(last, b)]++
		last = b
	}
	for b := range 256 { // the ends of symbols were counted too
		s.used[b] = s.count[pairKey(0, byte(b))] > 0
		s.count[pairKey(0, byte(b))] = 0
		s.count[pairKey(byte(b), 0)] = 0
	}
	for pair, n := range s.count {
		s.used[pair>>8] = s.used[pair>>8] || n > 0
	}
	s.used[0] = bytes.Count(s.arena, []byte{0}) != len(symbols)+1
	s.listPairs()
	return s
}

// rarePair is the share of all places, as a shift, below which a pair is not
// worth a list. Hardly any pair as rare is ever chosen, and then it is searched
// for. Few lists keep the pages that are written at a time few.
const rarePair = 11

func (s *shard) listPairs() {
	var (
		number [1 << 16]uint16  // of each pair's list, 0 for none
		pairs  = []uint16{0}    // the pair of each list
		ends   = []placeEnd{{}} // where each list ends so far
		size   = 0
	)
	for pair, n := range s.count {
		if int(n) > len(s.arena)>>rarePair {
			number[pair] = uint16(len(pairs))
			pairs = append(pairs, uint16(pair))
			ends = append(ends, placeEnd{next: size})
			size += int(n) + len(s.arena)/farAway + 1
		}
	}
	deltas := make(placeList, size)
	last := byte(0)
	for q, b := range s.arena {
		if i := number[pairKey(last, b)]; i != 0 {
			ends[i].put(deltas, uint32(q))
		}
		last = b
	}
	s.listed = make(map[uint16]placeList, len(pairs))
	start := 0
	for i := 1; i < len(pairs); i++ {
		end := ends[i].next
		s.listed[pairs[i]] = deltas[start:end:end]
		start += int(s.count[pairs[i]]) + len(s.arena)/farAway + 1
	}
}

// places returns where the pair (a, b) can be: so many places ahead is where its
// second token starts. own says that the list is not needed any more afterwards.
func (s *shard) places(token *[256]token, a, b byte) (places placeList, ahead uint32, own bool) {
	switch {
	case token[a].made && (!token[b].made || len(s.made[a]) <= len(s.made[b])):
		return s.made[a], token[a].len, false
	case token[b].made:
		return s.made[b], 0, false
	}
	places, found := s.listed[pairKey(a, b)]
	if !found {
		var end placeEnd
		for q := 1; q < len(s.arena); q++ {
			if s.arena[q-1] == a && s.arena[q] == b {
				places = end.append(places, uint32(q))
			}
		}
	}
	return places, 0, true
}

// find returns where the second token of the pair (a, b) starts, in a slice that
// the next call uses again. The pair is at about every second place it can be
// at, which no processor can foresee, so the loop does not branch on it.
func (s *shard) find(places placeList, ahead uint32, a, b byte) []uint32 {
	if len(places) > len(s.scratch) {
		s.scratch = make([]uint32, len(places))
	}
	found, pair, n, q := s.scratch, uint32(pairKey(a, b)), 0, ahead
	for _, delta := range places {
		q += uint32(delta)
		found[n] = q // overwritten by the next one if this is none
		here := uint32(binary.LittleEndian.Uint16(s.arena[q-1:]))
		n += int((here ^ pair - 1) >> 31) // 1 if here is the pair
	}
	return found[:n]
}

// replace puts token x for every pair (a, b), leftmost first within a symbol,
// and keeps the pair counts exact. It mirrors compress_symbols() with its
// forget_symbol() and learn_symbol(), which count overlapping pairs: "aaa"
// holds "aa" twice.
func (s *shard) replace(token *[256]token, a, b, x byte) {
	lenA, lenB := token[a].len, token[b].len
	places, ahead, own := s.places(token, a, b)
	found := s.find(places, ahead, a, b)
	arena, end := s.arena, placeEnd{}
	made := places[:0] // has been read
	if !own {
		made = make(placeList, 0, len(found)+len(arena)/farAway+1)
	}
	// Neighbours are counted here and entered below: two small tables instead
	// of four columns of a large one.
	var before, after [256]int32
	n := 0
	for _, q := range found {
		if arena[q-1] != a {
			continue // the one before took its first half: "aaa"
		}
		p, next := q-lenA, q+lenB
		before[arena[p-1]]++
		after[arena[next]]++
		arena[q-1], arena[q] = 0, 0
		arena[p], arena[next-1] = x, x
		made = end.append(made, p)
		n++
	}
	s.tokens -= n
	s.count[pairKey(a, b)] -= int32(n)
	s.made[x] = made
	for c := 1; c < 256; c++ { // 0 is the end of a symbol
		s.count[pairKey(byte(c), a)] -= before[c]
		s.count[pairKey(byte(c), x)] += before[c]
		s.count[pairKey(b, byte(c))] -= after[c]
		s.count[pairKey(x, byte(c))] += after[c]
	}
}

// stream writes the shard's part of kallsyms_names into names, which has room
// for streamSize bytes, and appends the offset of every 1<<shift-th record. It
// mirrors the first loop of write_src().
func (s *shard) stream(token *[256]token, shift uint, names []byte) (size int, markers []uint32) {
	var length [256]int
	for i := range token {
		length[i] = int(token[i].len)
	}
	markers = make([]uint32, 0, (len(s.symbols)+1<<shift-1)>>shift)
	start, at := 1, 0
	for i := range s.symbols {
		if i&(1<<shift-1) == 0 {
			markers = append(markers, uint32(at))
		}
		header := at // one byte for the length
		at++
		// The next symbol's place does not hang on this one's tokens, so that a
		// processor can be ahead of them.
		end := start + 1 + len(s.symbols[i].Name)
		for q := start; q < end; {
			t := s.arena[q]
			names[at] = t
			at++
			q += length[t]
		}
		start = end + 1 // behind the 0
		size := at - header - 1
		names[header] = byte(size)
		if size > 0x7F {
			copy(names[header+2:at+1], names[header+1:at])
			names[header] |= 0x80
			names[header+1] = byte(size >> 7)
			at++
		}
	}
	return at, markers
}

// streamSize is how many bytes stream writes at most.
func (s *shard) streamSize() int { return s.tokens + 2*len(s.symbols) }
