// SPDX-License-Identifier: GPL-2.0-only

package model

import "slices"

// shard holds the bytes of a run of symbols, one symbol after the other, as the
// joints between them: joints[q] is the pair of the token that ends before
// place q and the token that starts there. At the ends of a symbol the token
// beyond is 0, and so are both at a place inside a token.
//
// A token covers as many places as it expands to bytes. So the joint at its
// start leads to the one at its end, and each shows the neighbour: no links are
// needed, and one look tells whether a pair is still where it once was.
//
// Shards share nothing that they write, so rounds run on all of them at once.
type shard struct {
	symbols []Symbol
	joints  []uint16
	count   [1 << 16]int32 // how often each pair occurs now
	used    [256]bool      // bytes that symbols are made of
	// listed holds the places where the more frequent pairs of original bytes
	// were at the start, ascending; it shrinks to what replace makes of it.
	listed map[uint16][]uint32
	// made lists, for each token that replaced a pair, the places it was put
	// at, ascending. It comes to no other place later, so the list leads to
	// every pair that it is part of.
	made    [256][]uint32
	scratch []uint32 // of find
}

// pairKey is the host tool's index of a pair into token_profit. Of equally
// frequent pairs the smallest key wins, so its byte order matters.
func pairKey(a, b byte) uint16 { return uint16(a) | uint16(b)<<8 }

// newShard lays out the symbols and counts their pairs. It mirrors
// build_initial_token_table() and insert_real_symbols_in_table().
func newShard(symbols []Symbol) *shard {
	size := 0
	for i := range symbols {
		size += len(symbols[i].Name) + 2
	}
	s := &shard{symbols: symbols, joints: make([]uint16, size)}
	rest := s.joints
	for i := range symbols {
		name, last := symbols[i].Name, symbols[i].Type
		rest[0] = pairKey(0, last)
		s.used[last] = true
		joints := rest[1:][:len(name)+1]
		for j := range len(name) {
			pair := pairKey(last, name[j])
			joints[j] = pair
			s.count[pair]++
			last = name[j]
		}
		joints[len(name)] = pairKey(last, 0)
		rest = rest[len(name)+2:]
	}
	for pair, n := range s.count {
		if n > 0 {
			s.used[pair>>8] = true
		}
	}
	s.listPairs()
	return s
}

// rarePair is the share of all places, as a shift, below which a pair is not
// worth a list. Hardly any pair as rare is ever chosen, and then it is searched
// for. Few lists keep the pages that are written at a time few.
const rarePair = 11

func (s *shard) listPairs() {
	var (
		list  [1 << 16]uint16 // number of each pair's list, 0 for none
		pairs = []uint16{0}   // the pair of each list
		next  = []uint32{0}   // where the next place of each list goes
		size  = uint32(0)
	)
	for pair, n := range s.count {
		if int(n) > len(s.joints)>>rarePair {
			list[pair] = uint16(len(pairs))
			pairs = append(pairs, uint16(pair))
			next = append(next, size)
			size += uint32(n)
		}
	}
	places := make([]uint32, size)
	for q, pair := range s.joints {
		if i := list[pair]; i != 0 {
			places[next[i]] = uint32(q)
			next[i]++
		}
	}
	s.listed = make(map[uint16][]uint32, len(pairs))
	for i := 1; i < len(pairs); i++ {
		end := next[i]
		start := end - uint32(s.count[pairs[i]])
		s.listed[pairs[i]] = places[start:end]
	}
}

// places returns where the pair (a, b) can be: places[i]+ahead is the joint
// between the two. own says that the list is not needed any more afterwards.
func (s *shard) places(token *[256]token, a, b byte) (places []uint32, ahead uint32, own bool) {
	switch {
	case token[a].made && (!token[b].made || len(s.made[a]) <= len(s.made[b])):
		return s.made[a], token[a].len, false
	case token[b].made:
		return s.made[b], 0, false
	}
	pair := pairKey(a, b)
	places, found := s.listed[pair]
	if !found {
		for q, at := range s.joints {
			if at == pair {
				places = append(places, uint32(q))
			}
		}
	}
	return places, 0, true
}

// find returns the joints where the pair (a, b) is. About every second place is
// one, which no processor can foresee, so the loop does not branch on it.
func (s *shard) find(token *[256]token, a, b byte) []uint32 {
	places, ahead, own := s.places(token, a, b)
	found := places
	if !own {
		if len(places) > len(s.scratch) {
			s.scratch = make([]uint32, len(places))
		}
		found = s.scratch
	}
	pair, n := uint32(pairKey(a, b)), 0
	for _, at := range places {
		q := at + ahead
		found[n] = q // overwritten by the next one if this is none
		n += int((uint32(s.joints[q]) ^ pair - 1) >> 31)
	}
	if own {
		return found[:n]
	}
	return slices.Clone(found[:n])
}

// replace puts token x for every pair (a, b), leftmost first within a symbol,
// and keeps the pair counts exact. It mirrors compress_symbols() with its
// forget_symbol() and learn_symbol(), which count overlapping pairs: "aaa"
// holds "aa" twice.
func (s *shard) replace(token *[256]token, a, b, x byte) {
	pair, lenA, lenB := pairKey(a, b), token[a].len, token[b].len
	places := s.find(token, a, b)
	joints, made := s.joints, places[:0]
	// Neighbours are counted here and entered below: two small tables instead
	// of four columns of a large one.
	var before, after [256]int32
	for _, q := range places {
		if joints[q] != pair {
			continue // the one before took its first half: "aaa"
		}
		p, end := q-lenA, q+lenB
		left, right := byte(joints[p]), byte(joints[end]>>8)
		before[left]++
		after[right]++
		joints[p] = pairKey(left, x)
		joints[q] = 0
		joints[end] = pairKey(x, right)
		made = append(made, p) // behind where places is read
	}
	s.made[x] = made
	s.count[pair] -= int32(len(made))
	for c := 1; c < 256; c++ { // 0 is the end of a symbol
		s.count[pairKey(byte(c), a)] -= before[c]
		s.count[pairKey(byte(c), x)] += before[c]
		s.count[pairKey(b, byte(c))] -= after[c]
		s.count[pairKey(x, byte(c))] += after[c]
	}
}

// stream writes the shard's part of kallsyms_names and the offset of every
// 1<<shift-th record in it. It mirrors the first loop of write_src().
func (s *shard) stream(token *[256]token, shift uint) (names []byte, markers []uint32) {
	names = make([]byte, 0, len(s.joints))
	markers = make([]uint32, 0, (len(s.symbols)+1<<shift-1)>>shift)
	var length [256]uint32
	for i := range token {
		length[i] = token[i].len
	}
	var record [KsymNameLen]byte
	q := uint32(0)
	for i := range s.symbols {
		if i&(1<<shift-1) == 0 {
			markers = append(markers, uint32(len(names)))
		}
		size := 0
		for end := q + 1 + uint32(len(s.symbols[i].Name)); q < end; size++ {
			t := byte(s.joints[q] >> 8)
			record[size&(KsymNameLen-1)] = t
			q += length[t]
		}
		q++ // the joint behind the symbol's end
		if size <= 0x7F {
			names = append(names, byte(size))
		} else {
			names = append(names, byte(size)|0x80, byte(size>>7))
		}
		names = append(names, record[:size]...)
	}
	return names, markers
}
