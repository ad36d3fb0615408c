// SPDX-License-Identifier: GPL-2.0-only

package model

import (
	"fmt"
	"testing"
)

func TestStartsValid(t *testing.T) {
	everywhere(t, func(table Table, r Region, record uint64) error {
		for _, starts := range []*Starts{NewStarts(table, texts()...), nil} {
			for _, most := range []uint64{0, 1, 4, 16} {
				got, scanned := starts.Valid(table, r, record, most)
				if want := table.Valid(r, record, most); got != want {
					return fmt.Errorf("with at most %d bytes the verdict is %v, want %v", most, got, want)
				}
				if found := table.Find(r, record).Number != 0; starts != nil && r.Text && scanned == found {
					return fmt.Errorf("scanned: %v, although a symbol in the region is there: %v", scanned, found)
				}
			}
		}
		return nil
	})
}

// TestFirstOfText: the last byte of one text is not close to the first of the
// next.
func TestFirstOfText(t *testing.T) {
	table := Table{{}, {Name: "f", Value: 0x10ff, Defined: true}}
	starts := NewStarts(table, texts()...)
	for record, want := range map[uint64]bool{0x10fe: false, 0x10ff: true, 0x3000: false, 0x3003: false} {
		r := regions[0]
		if record >= 0x3000 {
			r = regions[2]
		}
		if got, scanned := starts.Valid(table, r, record, 4); got != want || scanned != !want {
			t.Errorf("record %#x is valid: %v, scanned: %v; want %v", record, got, scanned, want)
		}
	}
}
