// SPDX-License-Identifier: GPL-2.0-only

package model

import (
	"fmt"
	"testing"
)

func TestValid(t *testing.T) {
	everywhere(t, func(table Table, r Region, record uint64) error {
		for _, addresses := range []Addresses{NewAddresses(table), NewAddresses(table, texts()...), nil} {
			for _, most := range []uint64{0, 1, 4, 16} {
				got, scanned := addresses.Valid(table, r, record, most)
				if want := table.Valid(r, record, most); got != want {
					return fmt.Errorf("with at most %d bytes the verdict is %v, want %v", most, got, want)
				}
				if found := table.Find(r, record).Number != 0; addresses != nil && r.Text && scanned == found {
					return fmt.Errorf("scanned: %v, although a symbol in the region is there: %v", scanned, found)
				}
			}
		}
		return nil
	})
}

// TestMaxOffset: the furthest valid record, and the one behind it.
func TestMaxOffset(t *testing.T) {
	table := Table{{}, {Name: "f", Value: 0x1010, Defined: true}}
	a := NewAddresses(table)
	for record, want := range map[uint64]bool{0x100f: false, 0x1010: true, 0x1014: true, 0x1015: false} {
		if got, _ := a.Valid(table, regions[0], record, 4); got != want {
			t.Errorf("record %#x is valid: %v, want %v", record, got, want)
		}
	}
}
