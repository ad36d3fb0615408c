// SPDX-License-Identifier: GPL-2.0-only

package model

import (
	"math/bits"
	"math/rand"
	"slices"
	"testing"
)

func TestSingle(t *testing.T) {
	r := rand.New(rand.NewSource(20260223))
	for n := range 400 {
		k := &Kernel{Traceable: func(addr uint64) bool { return addr%3 == 0 }}
		for range n % 30 {
			k.Symbols = append(k.Symbols, Symbol{Name: names[r.Intn(len(names))], Value: uint64(r.Intn(64)), Defined: true})
		}
		slices.SortStableFunc(k.Symbols, func(a, b Symbol) int { return int(a.Value) - int(b.Value) })
		k.Modules = []Table{someTable(r, n%7), someTable(r, n%11)}
		order := k.ByName()
		for _, name := range append([]string{"mod:show", "nobody", "zz"}, names...) {
			got, ok, steps := k.Single(order, name)
			want, wantOK := k.Walk(name)
			if got != want || ok != wantOK {
				t.Fatalf("%q: the search finds %#x, %v, the walk %#x, %v, in\n%+v", name, got, ok, want, wantOK, k)
			}
			if most := bits.Len(uint(len(order))); steps > most {
				t.Fatalf("%d steps among %d symbols, want at most %d", steps, len(order), most)
			}
		}
	}
}

// TestSingleCases are what an attempt by kallsyms_lookup_name() has to mind.
func TestSingleCases(t *testing.T) {
	only := func(addrs ...uint64) func(uint64) bool {
		return func(addr uint64) bool { return slices.Contains(addrs, addr) }
	}
	twins := []Symbol{{Name: "f", Value: 0x100}, {Name: "f", Value: 0x200}}
	module := Table{{}, {Name: "f", Value: 0x900, Defined: true}}
	for _, tt := range []struct {
		reason string
		k      Kernel
		name   string
		want   uint64
	}{
		{"the symbol's address is stored", Kernel{Symbols: twins, Traceable: only(0x100, 0x200)}, "f", 0x100},
		{"the first cannot be traced, the second can", Kernel{Symbols: twins, Traceable: only(0x200)}, "f", 0x200},
		{"none of the core kernel can, one of a module can", Kernel{Symbols: twins, Modules: []Table{module}, Traceable: only(0x900)}, "f", 0x900},
		{"a module in front of the name", Kernel{Modules: []Table{module}, Traceable: only(0x900)}, "mod:f", 0},
	} {
		if got, ok, _ := tt.k.Single(tt.k.ByName(), tt.name); got != tt.want || ok != (tt.want != 0) {
			t.Errorf("%s: %#x, %v, want %#x", tt.reason, got, ok, tt.want)
		}
	}
}
