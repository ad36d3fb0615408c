// SPDX-License-Identifier: GPL-2.0-only

package proptest

import (
	"slices"

	"github.com/leanovate/gopter"

	"kgen/model"
)

// ShrinkTable offers tables that are simpler than the one given: with runs of
// symbols left out, the longest first; with names shortened, all symbols of a
// name at once, so that duplicates stay duplicates; with the types and the
// addresses of a plain text section. It is a gopter.Shrinker. Each table offered is
// smaller in that order, so that shrinking ends, and there are at most a few for each
// symbol.
func ShrinkTable(v any) gopter.Shrink {
	t := v.(Table)
	return gopter.ConcatShrinks(t.withoutRuns(), t.withShorterNames(), t.withPlainTypes(), t.withPlainAddresses())
}

// withoutRuns leaves out each half, each quarter, ... each symbol.
func (t Table) withoutRuns() gopter.Shrink {
	n := len(t.Symbols)
	size, at := (n+1)/2, 0
	return func() (any, bool) {
		if at >= n {
			size, at = size/2, 0
		}
		if size == 0 || n == 0 {
			return nil, false
		}
		end := min(at+size, n)
		rest := slices.Concat(t.Symbols[:at], t.Symbols[end:])
		at = end
		return Table{Symbols: rest}, true
	}
}

// withShorterNames tries for every name a letter, its first half, its second
// half and all but its last byte.
func (t Table) withShorterNames() gopter.Shrink {
	var names []string
	for _, s := range t.Symbols {
		names = append(names, s.Name)
	}
	slices.Sort(names)
	names = slices.Compact(names)
	type renaming struct{ from, to string }
	var tries []renaming
	for i, name := range names {
		for _, to := range []string{
			string(rune('a' + i%26)), name[:len(name)/2], name[len(name)/2:], name[:max(len(name)-1, 0)],
		} {
			if len(to) < len(name) || len(to) == len(name) && len(to) == 1 && !letter(name[0]) {
				tries = append(tries, renaming{name, to})
			}
		}
	}
	return func() (any, bool) {
		if len(tries) == 0 {
			return nil, false
		}
		r := tries[0]
		tries = tries[1:]
		shrunk := t.clone()
		for i := range shrunk.Symbols {
			if shrunk.Symbols[i].Name == r.from {
				shrunk.Symbols[i].Name = r.to
			}
		}
		return shrunk, true
	}
}

func letter(c byte) bool { return c >= 'a' && c <= 'z' }

// withPlainTypes makes one symbol after the other a T.
func (t Table) withPlainTypes() gopter.Shrink {
	i := 0
	return func() (any, bool) {
		for i < len(t.Symbols) && t.Symbols[i].Type == 'T' {
			i++
		}
		if i == len(t.Symbols) {
			return nil, false
		}
		shrunk := t.clone()
		shrunk.Symbols[i].Type = 'T'
		i++
		return shrunk, true
	}
}

// withPlainAddresses spaces the addresses evenly. Aliases stay aliases.
func (t Table) withPlainAddresses() gopter.Shrink {
	shrunk := t.clone()
	addr := uint64(0x1000)
	for i := range shrunk.Symbols {
		if i > 0 && t.Symbols[i].Addr != t.Symbols[i-1].Addr {
			addr += 16
		}
		shrunk.Symbols[i].Addr = addr
	}
	done := slices.EqualFunc(shrunk.Symbols, t.Symbols, func(a, b model.Symbol) bool { return a == b })
	return func() (any, bool) {
		if done {
			return nil, false
		}
		done = true
		return shrunk, true
	}
}
