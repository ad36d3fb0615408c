// SPDX-License-Identifier: GPL-2.0-only

package model

import (
	"fmt"
	"math/bits"
	"slices"
	"testing"
)

func TestIndex(t *testing.T) {
	everywhere(t, func(table Table, r Region, addr uint64) error {
		before := slices.Clone(table)
		x := NewIndex(table)
		place, steps := x.Find(table, r, addr)
		if !slices.Equal(before, table) {
			return fmt.Errorf("the table has changed")
		}
		if most := bits.Len(uint(len(x))); steps > most {
			return fmt.Errorf("%d steps among %d symbols, want at most floor(log2 n) + 1 = %d", steps, len(x), most)
		}
		return same("the index", place, table.Find(r, addr))
	})
}

// TestSwitch: lookups use the table and the index that go together, before and
// after the end of init, with memory for both indexes, one or none.
func TestSwitch(t *testing.T) {
	everywhere(t, func(table Table, r Region, addr uint64) error {
		core := Table{{}}
		for i, s := range table {
			if i%3 == 1 { // numbers differ from those of the whole table
				core = append(core, s)
			}
		}
		for memory := range 4 {
			m := Load(table, core, memory&1 == 1, memory&2 == 2)
			if err := same("the module in init", m.Find(r, addr), table.Find(r, addr)); err != nil {
				return err
			}
			m.EndInit()
			if err := same("the module after init", m.Find(r, addr), core.Find(r, addr)); err != nil {
				return err
			}
		}
		return nil
	})
}

// TestIndexBytes: only candidates take space.
func TestIndexBytes(t *testing.T) {
	table := Table{{}, {Name: "f", Defined: true}, {Name: "", Defined: true}, {Name: "$d", Defined: true}, {Name: "g"}}
	if got := NewIndex(table).Bytes(); got != 4 {
		t.Errorf("%d bytes for one candidate, want 4", got)
	}
}
