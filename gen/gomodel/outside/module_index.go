// SPDX-License-Identifier: GPL-2.0-only

package model

import (
	"cmp"
	"slices"
	"sort"
)

// Index holds the numbers of a table's candidates by ascending value. Of those
// with one value the first in the table comes last. An entry takes 4 bytes.
type Index []uint32

// NewIndex is make_index() of the patch.
func NewIndex(t Table) Index {
	x := Index{}
	for i, s := range t {
		if i > 0 && s.Candidate() {
			x = append(x, uint32(i))
		}
	}
	slices.SortFunc(x, func(a, b uint32) int {
		return cmp.Or(cmp.Compare(t[a].Value, t[b].Value), cmp.Compare(b, a))
	})
	return x
}

// Bytes is what the entries take.
func (x Index) Bytes() int { return 4 * len(x) }

// Find is search_index() of the patch, with the number of its steps.
func (x Index) Find(t Table, r Region, addr uint64) (place Place, steps int) {
	b := r.bounds()
	above := sort.Search(len(x), func(i int) bool {
		steps++
		return t[x[i]].Value > addr
	})
	if above < len(x) {
		b.nextVal = min(b.nextVal, t[x[above]].Value)
	}
	if above > 0 && t[x[above-1]].Value > b.bestVal {
		b.best = int(x[above-1])
		b.bestVal = t[b.best].Value
	}
	return b.place(addr), steps
}

// Module is a module with an index for each of its tables: the one of all
// symbols, for as long as it initializes, and the core one.
type Module struct {
	Init, Core           Table
	initIndex, coreIndex Index // nil where there was no memory
	live                 bool
}

// Load is index_kallsyms() of the patch, with memory for the indexes or none.
func Load(init, core Table, initMemory, coreMemory bool) *Module {
	m := &Module{Init: init, Core: core}
	if initMemory {
		m.initIndex = NewIndex(init)
	}
	if coreMemory {
		m.coreIndex = NewIndex(core)
	}
	return m
}

// EndInit is use_core_kallsyms() of the patch: table and index change together.
func (m *Module) EndInit() { m.live, m.initIndex = true, nil }

// Table is the one that lookups use now.
func (m *Module) Table() Table {
	if m.live {
		return m.Core
	}
	return m.Init
}

// Find resolves an address in the table in use, by its index if it has one.
func (m *Module) Find(r Region, addr uint64) Place {
	x := m.initIndex
	if m.live {
		x = m.coreIndex
	}
	if x == nil {
		return m.Table().Find(r, addr)
	}
	place, _ := x.Find(m.Table(), r, addr)
	return place
}
