// SPDX-License-Identifier: GPL-2.0-only

package model

import (
	"fmt"
	"math/rand"
	"slices"
	"testing"
)

// regions are the memory of the generated modules: text, data and init text,
// with gaps between them.
var regions = []Region{{0x1000, 0x100, true}, {0x2000, 0x80, false}, {0x3000, 0x40, true}}

// names are few, so that many symbols share one; to some nothing resolves.
var names = []string{"f", "g", "show", "init", "data", "", "$x", ".Ltmp0", "L0", "x.1", "show"}

// someTable makes a table in no order: symbols at the ends of the regions,
// close to each other, at one value, outside of all regions, undefined and
// nameless.
func someTable(r *rand.Rand, n int) Table {
	t := Table{{}}
	for len(t) <= n {
		region := regions[r.Intn(len(regions))]
		value := region.Base + uint64(r.Intn(int(region.Size)+16)) - 8
		switch r.Intn(12) {
		case 0:
			value = 0
		case 1:
			value = ^uint64(0) - uint64(r.Intn(3))
		case 2, 3:
			value = region.Base
		case 4, 5:
			value = t[r.Intn(len(t))].Value
		}
		t = append(t, Symbol{
			Name: names[r.Intn(len(names))], Value: value,
			Defined: r.Intn(8) > 0, Function: r.Intn(3) > 0, Type: "tTdbr"[r.Intn(5)],
		})
	}
	return t
}

// texts are the regions that records can be in.
func texts() []Region {
	return slices.DeleteFunc(slices.Clone(regions), func(r Region) bool { return !r.Text })
}

// everywhere tries f for every address of every region in tables of many sizes,
// always the same ones.
func everywhere(t *testing.T, f func(table Table, r Region, addr uint64) error) {
	t.Helper()
	r := rand.New(rand.NewSource(20260327))
	for n := range 120 {
		table := someTable(r, n%40)
		for _, region := range regions {
			for addr := region.Base; region.Contains(addr); addr++ {
				if err := f(table, region, addr); err != nil {
					t.Fatalf("%v, in a table of %d symbols, address %#x:\n%+v", err, len(table), addr, table)
				}
			}
		}
	}
}

func same(what string, got, want Place) error {
	if got != want {
		return fmt.Errorf("%s finds %+v, the scan %+v", what, got, want)
	}
	return nil
}
