// SPDX-License-Identifier: GPL-2.0-only

package model

import (
	"cmp"
	"slices"
	"sort"
)

// Sorted is a table as module-sort leaves it: the functions are symbols 1 to
// Functions, by value, and the others follow. Answers differ from those of the
// table as it was; module_sort_test.go shows how.
type Sorted struct {
	Table
	Functions int
}

// Sort is sort_symtab() of the patch. Functions of one value keep their order,
// and types go along with their symbols.
func Sort(t Table) Sorted {
	s := Sorted{Table: Table{{}}}
	var others Table
	for i, sym := range t {
		switch {
		case i == 0:
		case sym.Function && sym.Candidate():
			s.Table = append(s.Table, sym)
		default:
			others = append(others, sym)
		}
	}
	s.Functions = len(s.Table) - 1
	slices.SortStableFunc(s.Table[1:], func(a, b Symbol) int { return cmp.Compare(a.Value, b.Value) })
	s.Table = append(s.Table, others...)
	return s
}

// Find is find_kallsyms_symbol() of the patch: in text the functions are
// searched, if there are any, and otherwise the table is scanned.
func (s Sorted) Find(r Region, addr uint64) Place {
	if !r.Text || s.Functions == 0 {
		return s.Table.Find(r, addr)
	}
	b := r.bounds()
	functions := s.Table[1 : s.Functions+1]
	above := 1 + sort.Search(s.Functions, func(i int) bool { return functions[i].Value > addr })
	if above <= s.Functions {
		b.nextVal = min(b.nextVal, s.Table[above].Value)
	}
	if best := above - 1; best > 0 && s.Table[best].Value > b.bestVal {
		b.bestVal = s.Table[best].Value
		for best > 1 && s.Table[best-1].Value == b.bestVal {
			best--
		}
		b.best = best
	}
	return b.place(addr)
}
