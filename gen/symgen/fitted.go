// SPDX-License-Identifier: GPL-2.0-only

package symgen

import (
	"math/rand"
	"strings"

	"kgen/model"
)

// Table makes a table of n symbols that is like the one counted, in lengths,
// duplicates, aliases, gaps, types and words. No name is copied but by chance.
func (s *Stats) Table(rng *rand.Rand, n int) []model.Symbol {
	names := s.names(rng, n)
	symbols := make([]model.Symbol, n)
	addr := uint64(0xffffffff81000000)
	for i := 0; i < n; {
		for range s.aliases[rng.Intn(len(s.aliases))] {
			if i == n {
				break
			}
			symbols[i] = model.Symbol{Addr: addr, Type: s.types[rng.Intn(len(s.types))], Name: names[i]}
			i++
		}
		addr += min(s.gaps[rng.Intn(len(s.gaps))], 1<<16) // no leap from per-CPU addresses to text
	}
	return symbols
}

// names draws n names, each for as many symbols as names of the real table
// have, in no order.
func (s *Stats) names(rng *rand.Rand, n int) []string {
	names := make([]string, 0, n)
	for len(names) < n {
		name := s.name(rng)
		for range min(s.groups[rng.Intn(len(s.groups))], n-len(names)) {
			names = append(names, name)
		}
	}
	rng.Shuffle(n, func(i, j int) { names[i], names[j] = names[j], names[i] })
	return names
}

// name joins words up to a length.
func (s *Stats) name(rng *rand.Rand) string {
	n := s.lengths[rng.Intn(len(s.lengths))]
	var b strings.Builder
	for b.Len() < n {
		b.WriteString(s.words[rng.Intn(len(s.words))])
	}
	return b.String()[:n]
}
