// SPDX-License-Identifier: GPL-2.0-only

package model

import (
	"cmp"
	"slices"
)

// sideIndex lists the numbers of a table's candidates by value. Of symbols at
// one value the first of the table comes last, so that it stands just below the
// place where a search for the value ends. It is made of one table and means
// nothing for another: the core table has other numbers.
type sideIndex struct {
	numbers  []uint32
	compares int
}

func newSideIndex(table *SymTable, rules ModuleRules) *sideIndex {
	x := &sideIndex{}
	for i, s := range table.Symbols {
		if i > 0 && s.Candidate() {
			x.numbers = append(x.numbers, uint32(i))
		}
	}
	slices.SortFunc(x.numbers, func(a, b uint32) int {
		x.compares++
		return cmp.Or(cmp.Compare(rules.Value(table.Symbols[a]), rules.Value(table.Symbols[b])), cmp.Compare(b, a))
	})
	return x
}

func (x *sideIndex) covers(bool) bool { return true }

func (x *sideIndex) space() ModuleSpace {
	return ModuleSpace{IndexBytes: 4 * len(x.numbers), Compares: x.compares}
}

// value reads the value of an entry's symbol.
func (x *sideIndex) value(t *moduleTable, m *moduleMeter, entry int) uint64 {
	m.read(&m.index, 4*entry, 4)
	return t.value(m, int(x.numbers[entry]))
}

func (x *sideIndex) find(t *moduleTable, m *moduleMeter, addr uint64, b *bounds) {
	low, high := 0, len(x.numbers)
	for low < high {
		mid := low + (high-low)/2
		m.cost.Probes++
		if x.value(t, m, mid) <= addr {
			t.note(m, mid, int(x.numbers[mid]), Below)
			low = mid + 1
		} else {
			t.note(m, mid, int(x.numbers[mid]), Above)
			high = mid
		}
	}
	if low < len(x.numbers) {
		if value := x.value(t, m, low); value < b.nextVal {
			b.nextVal = value
			t.note(m, low, int(x.numbers[low]), Next)
		}
	}
	if low == 0 {
		return
	}
	if value := x.value(t, m, low-1); value > b.bestVal {
		b.best, b.bestVal = int(x.numbers[low-1]), value
		t.note(m, low-1, b.best, Best)
	}
}
