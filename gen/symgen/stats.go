// SPDX-License-Identifier: GPL-2.0-only

package symgen

import (
	"strings"

	"kgen/model"
)

// Stats is what is counted in a real table. Each list has one entry for each
// thing counted, so that an entry drawn at random is as likely as in the real
// table.
type Stats struct {
	lengths []int    // bytes of each name
	groups  []int    // symbols of each distinct name
	aliases []int    // symbols at each distinct address
	gaps    []uint64 // bytes from each distinct address to the next
	types   string   // type of each symbol
	words   []string // of names, each with the separator that ends it
}

// NewStats counts symbols in table order.
func NewStats(symbols []model.Symbol) *Stats {
	s := &Stats{}
	var types strings.Builder
	named := map[string]int{}
	for i, sym := range symbols {
		s.lengths = append(s.lengths, len(sym.Name))
		types.WriteByte(sym.Type)
		named[sym.Name]++
		if named[sym.Name] == 1 {
			s.addWords(sym.Name)
		}
		if i == 0 || sym.Addr != symbols[i-1].Addr {
			if i > 0 {
				s.gaps = append(s.gaps, sym.Addr-symbols[i-1].Addr)
			}
			s.aliases = append(s.aliases, 0)
		}
		s.aliases[len(s.aliases)-1]++
	}
	for _, sym := range symbols { // in table order: a map's own order is random
		if n := named[sym.Name]; n > 0 {
			s.groups = append(s.groups, n)
			named[sym.Name] = 0
		}
	}
	s.types = types.String()
	return s
}

// addWords cuts a name behind its separators.
func (s *Stats) addWords(name string) {
	for name != "" {
		end := strings.IndexAny(name, "_.") + 1
		if end == 0 {
			end = len(name)
		}
		s.words = append(s.words, name[:end])
		name = name[end:]
	}
}
