// SPDX-License-Identifier: GPL-2.0-only

package model

import (
	"cmp"
	"fmt"
	"slices"
	"testing"
)

// TestSort: no symbol is lost or changed, and what is found in text is what a
// scan finds among the functions alone.
func TestSort(t *testing.T) {
	everywhere(t, func(table Table, r Region, addr uint64) error {
		s := Sort(table)
		if a, b := ordered(table), ordered(s.Table); !slices.Equal(a, b) {
			return fmt.Errorf("the symbols are %+v now", b)
		}
		among := s.Table
		if r.Text && s.Functions > 0 {
			among = s.Table[:s.Functions+1]
			for i, sym := range among[1:] {
				if !sym.Function || !sym.Candidate() {
					return fmt.Errorf("symbol %d is no function to be found", i+1)
				}
			}
		}
		return same("the search", s.Find(r, addr), among.Find(r, addr))
	})
}

// TestOrder: functions of one value, and all other symbols, keep their order.
func TestOrder(t *testing.T) {
	table := Table{{}}
	for i := range 60 {
		table = append(table, Symbol{Name: fmt.Sprint("s", i), Value: uint64(0x1000 + i%3), Defined: true, Function: i%2 == 0, Type: byte(i)})
	}
	s := Sort(table)
	for i := 2; i < len(s.Table); i++ {
		a, b := s.Table[i-1], s.Table[i]
		if a.Function == b.Function && (!a.Function || a.Value == b.Value) && a.Type > b.Type {
			t.Errorf("%s comes before %s", a.Name, b.Name)
		}
	}
}

func ordered(t Table) Table {
	t = slices.Clone(t)
	slices.SortFunc(t, func(a, b Symbol) int {
		return cmp.Or(cmp.Compare(a.Value, b.Value), cmp.Compare(a.Name, b.Name), cmp.Compare(a.Type, b.Type),
			cmp.Compare(fmt.Sprint(a.Defined, a.Function), fmt.Sprint(b.Defined, b.Function)))
	})
	return t
}

// TestChanges is the list of changes in the cover letter.
func TestChanges(t *testing.T) {
	function := func(name string, at uint64) Symbol {
		return Symbol{Name: name, Value: 0x1000 + at, Defined: true, Function: true, Type: 't'}
	}
	label := func(name string, at uint64) Symbol {
		return Symbol{Name: name, Value: 0x1000 + at, Defined: true, Type: 't'}
	}
	text := Region{0x1000, 0x500, true}

	twins := Table{{}, function("show", 0x400), function("show", 0x100)}
	labelled := Table{{}, label("entry", 0), function("e", 0x40), function("f", 0x200), label("l", 0x240), function("g", 0x300)}
	aliased := Table{{}, label("l", 0x200), function("f", 0x200)}

	nth := func(t Table, n int) string {
		v, _ := t.Named("show", n)
		return fmt.Sprintf("+%#x", v-0x1000)
	}
	at := func(t Table, p Place) string {
		if p.Number == 0 {
			return "none"
		}
		return fmt.Sprintf("%s+%#x/%#x", t[p.Number].Name, p.Offset, p.Size)
	}
	for _, tt := range []struct{ change, was, is, wantWas, wantIs string }{
		{"sympos 1, and the first of a name", nth(twins, 1), nth(Sort(twins).Table, 1), "+0x400", "+0x100"},
		{"sympos 2", nth(twins, 2), nth(Sort(twins).Table, 2), "+0x100", "+0x400"},
		{"behind a label", at(labelled, labelled.Find(text, 0x1248)), at(Sort(labelled).Table, Sort(labelled).Find(text, 0x1248)), "l+0x8/0xc0", "f+0x48/0x100"},
		{"the size of a function", at(labelled, labelled.Find(text, 0x1200)), at(Sort(labelled).Table, Sort(labelled).Find(text, 0x1200)), "f+0x0/0x40", "f+0x0/0x100"},
		{"below the first function", at(labelled, labelled.Find(text, 0x1010)), at(Sort(labelled).Table, Sort(labelled).Find(text, 0x1010)), "entry+0x10/0x40", "none"},
		{"a label at a function", at(aliased, aliased.Find(text, 0x1200)), at(Sort(aliased).Table, Sort(aliased).Find(text, 0x1200)), "l+0x0/0x300", "f+0x0/0x300"},
	} {
		if tt.was != tt.wantWas || tt.is != tt.wantIs {
			t.Errorf("%s: was %s and is %s, the cover letter says %s and %s", tt.change, tt.was, tt.is, tt.wantWas, tt.wantIs)
		}
	}
}
