// SPDX-License-Identifier: GPL-2.0-only

package model

import (
	"fmt"
	"testing"
)

func TestScan(t *testing.T) {
	everywhere(t, func(table Table, r Region, addr uint64) error {
		place, names := table.Scan(r, addr)
		defined := 0
		for _, s := range table[1:] {
			if s.Defined {
				defined++
			}
		}
		if names > defined {
			return fmt.Errorf("it reads %d names of %d symbols", names, defined)
		}
		return same("the value first", place, table.Find(r, addr))
	})
}

// TestScanNames: with values that descend towards the address one name is read,
// with values that ascend all are.
func TestScanNames(t *testing.T) {
	var up, down Table
	for i := range uint64(20) {
		up = append(up, Symbol{Name: "f", Value: 0x1000 + i, Defined: true})
		down = append(down, Symbol{Name: "f", Value: 0x1014 - i, Defined: true})
	}
	if _, names := up.Scan(regions[0], 0x10f0); names != 19 {
		t.Errorf("%d names read of ascending values, want 19", names)
	}
	if _, names := down.Scan(regions[0], 0x10f0); names != 1 {
		t.Errorf("%d names read of descending values, want 1", names)
	}
}
