// SPDX-License-Identifier: GPL-2.0-only

package model

import (
	"cmp"
	"slices"
)

// sortedFunctions is module-sort's search of the functions at the front of a
// table.
type sortedFunctions struct {
	count    int // of functions; they are the symbols 1 to count
	draft    bool
	compares int
}

// sortFunctions returns the table as module-sort rearranges it: the null symbol,
// the defined functions by value, then everything else in the order it had.
// Functions at one value keep their order. The type letters move along, but for
// the draft.
func sortFunctions(table *SymTable, rules ModuleRules, draft bool) (SymTable, *sortedFunctions) {
	s := &sortedFunctions{draft: draft}
	var functions, others []int
	for i, sym := range table.Symbols {
		switch {
		case i == 0:
		case sym.Function() && sym.Candidate():
			functions = append(functions, i)
		default:
			others = append(others, i)
		}
	}
	slices.SortStableFunc(functions, func(a, b int) int {
		s.compares++
		return cmp.Compare(rules.Value(table.Symbols[a]), rules.Value(table.Symbols[b]))
	})
	s.count = len(functions)
	sorted := SymTable{Types: slices.Clone(table.Types)}
	for n, i := range slices.Concat([]int{0}, functions, others) {
		sorted.Symbols = append(sorted.Symbols, table.Symbols[i])
		if !draft {
			sorted.Types[n] = table.Types[i]
		}
	}
	return sorted, s
}

// covers: only addresses of text are searched among functions, if there are any.
func (s *sortedFunctions) covers(text bool) bool { return text && (s.count > 0 || s.draft) }

func (s *sortedFunctions) space() ModuleSpace { return ModuleSpace{Compares: s.compares} }

// find halves the functions, takes the first of several at one value, and stays
// in the region. The draft takes the last, and heeds no bounds: below the first
// function of a region it answers with the last one of whatever lies below.
func (s *sortedFunctions) find(t *moduleTable, m *moduleMeter, addr uint64, b *bounds) {
	low, high := 1, s.count+1
	for low < high {
		mid := low + (high-low)/2
		m.cost.Probes++
		value := t.value(m, mid)
		if value <= addr {
			t.note(m, mid, mid, Below)
			low = mid + 1
		} else {
			t.note(m, mid, mid, Above)
			high = mid
		}
	}
	if low <= s.count {
		if value := t.value(m, low); value < b.nextVal || s.draft {
			b.nextVal = value
			t.note(m, low, low, Next)
		}
	}
	if low == 1 {
		return
	}
	best := low - 1
	value := t.value(m, best)
	if !s.draft && value <= b.bestVal {
		return
	}
	for !s.draft && best > 1 && t.value(m, best-1) == value {
		best--
	}
	b.best, b.bestVal = best, value
	t.note(m, best, best, Best)
}
