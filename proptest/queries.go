// SPDX-License-Identifier: GPL-2.0-only

package proptest

import (
	"slices"

	"kgen/model"
)

// Names lists the names to ask a table for, sorted, each once: the empty one,
// each of its own, and for each a few that are near: a byte more, a byte less,
// its first half, its last byte changed up and down, what stands before and
// behind all. None holds a NUL, which ends the names of C.
func Names(symbols []model.Symbol) []string {
	list := []string{"", "\x01", "\xff\xff\xff"}
	for _, s := range symbols {
		list = append(list, s.Name, s.Name+"\x01", s.Name+"a", s.Name+"\xff")
		if n := len(s.Name); n > 0 {
			last := s.Name[n-1]
			list = append(list, s.Name[:n-1], s.Name[:n/2],
				s.Name[:n-1]+string([]byte{max(last+1, 1)}), s.Name[:n-1]+string([]byte{max(last-1, 1)}))
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// Addresses lists the addresses to ask a table for, ascending, each once: 0 and
// the highest, and for every symbol its own, those beside it, and one between
// it and the next.
func Addresses(symbols []model.Symbol) []uint64 {
	list := []uint64{0, ^uint64(0)}
	for i, s := range symbols {
		list = append(list, s.Addr-1, s.Addr, s.Addr+1)
		if i+1 < len(symbols) {
			list = append(list, s.Addr+(symbols[i+1].Addr-s.Addr)/2)
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}
