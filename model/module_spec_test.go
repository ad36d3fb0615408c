// SPDX-License-Identifier: GPL-2.0-only

package model

import (
	"errors"
	"strings"
	"testing"
)

func TestFindSymbol(t *testing.T) {
	all, text := ModuleRules{AllSymbols: true}, ModuleRules{}
	for _, c := range []struct {
		reason       string
		symbols      []ElfSymbol
		rules        ModuleRules
		addr         uint64
		name         string // "" for none
		offset, size uint64
	}{
		{"inside of a function", []ElfSymbol{fn("a", 0x1000), fn("b", 0x1010)}, all, 0x1008, "a", 8, 0x10},
		{"the last one reaches to the region's end", []ElfSymbol{fn("a", 0x1000)}, all, 0x1fff, "a", 0xfff, 0x1000},
		{"one byte behind the region", []ElfSymbol{fn("a", 0x1000)}, all, 0x2000, "", 0, 0},
		{"of aliases the first in the table", []ElfSymbol{fn("b", 0x1000), fn("a", 0x1000)}, all, 0x1000, "b", 0, 0x1000},
		{"order in the table need not be that of addresses", []ElfSymbol{fn("b", 0x1020), fn("a", 0x1000), fn("c", 0x1010)}, all, 0x1015, "c", 5, 0x10},
		{"below every symbol of the region", []ElfSymbol{fn("a", 0x1010)}, all, 0x100f, "", 0, 0},
		{"a symbol below the region does not count", []ElfSymbol{fn("a", 0x1000)}, all, 0x5000, "", 0, 0},
		{"a symbol at the region's end is not the next", []ElfSymbol{fn("a", 0x1800), object("d", 0x3000)}, all, 0x1900, "a", 0x100, 0x800},
		{"a label between functions", []ElfSymbol{fn("a", 0x1000), label("l", 0x1004), fn("b", 0x1010)}, all, 0x1008, "l", 4, 0xc},
		{"sizes play no part", []ElfSymbol{{Name: "a", Value: 0x1000, Size: 4, Info: funcInfo, Shndx: 1}}, all, 0x1100, "a", 0x100, 0x1000},
		{"undefined symbols are passed over", []ElfSymbol{fn("a", 0x1000), undef("printk", 0x1004)}, all, 0x1008, "a", 8, 0x1000},
		{"names without a byte are passed over", []ElfSymbol{fn("a", 0x1000), label("", 0x1004)}, all, 0x1008, "a", 8, 0x1000},
		{"mapping symbols are passed over, above too", []ElfSymbol{fn("a", 0x1000), label("$x", 0x1004), label("$d", 0x1010)}, all, 0x1008, "a", 8, 0x1000},
		{"the null symbol is not looked at", nil, all, 0x1000, "", 0, 0},
		{"data", []ElfSymbol{object("d", 0x3000)}, all, 0x3004, "d", 4, 0x1000},
		{"data without CONFIG_KALLSYMS_ALL", []ElfSymbol{object("d", 0x3000)}, text, 0x3004, "", 0, 0},
		{"text without CONFIG_KALLSYMS_ALL", []ElfSymbol{fn("a", 0x1000)}, text, 0x1004, "a", 4, 0x1000},
		{"a Thumb-2 function's bit 0", []ElfSymbol{fn("a", 0x1001)}, ModuleRules{Thumb2: true}, 0x1000, "a", 0, 0x1000},
		{"bit 0 of a label is address", []ElfSymbol{label("a", 0x1001)}, ModuleRules{Thumb2: true}, 0x1000, "", 0, 0},
		{"bit 0 elsewhere is address", []ElfSymbol{fn("a", 0x1001)}, all, 0x1000, "", 0, 0},
	} {
		t.Run(c.reason, func(t *testing.T) {
			m := moduleOf(c.symbols...)
			got, ok := (&ModuleSpec{[]*Module{m}, c.rules}).FindSymbol(m, c.addr)
			if ok != (c.name != "") || got.Name != c.name || got.Offset != c.offset || got.Size != c.size {
				t.Errorf("%#x is %+v, %v; expected %s+%#x/%#x", c.addr, got, ok, c.name, c.offset, c.size)
			}
		})
	}
}

func TestStateDecidesTheTable(t *testing.T) {
	m := moduleOf(fn("setup", 0x5000), fn("run", 0x1000))
	m.Core = tableOf(fn("run", 0x1000))
	s := specOf(m)
	at := func(addr uint64) string {
		_, place, _ := s.AddressLookup(addr)
		return place.Name
	}
	m.State = Unformed
	if got := at(0x1000); got != "" || s.LookupName("run") != 0 || s.Find("mod") != nil {
		t.Errorf("an unformed module answers %q", got)
	}
	m.State = Coming
	if at(0x5004) != "setup" || at(0x1004) != "run" {
		t.Errorf("coming: %q and %q, expected setup and run", at(0x5004), at(0x1004))
	}
	m.Records = []uint64{0x1000, 0x5000}
	earlier := *m
	m.EndInit()
	if len(m.Records) != 1 || m.Records[0] != 0x1000 || len(earlier.Records) != 2 {
		t.Errorf("records %#x, before %#x; expected those of init functions to go", m.Records, earlier.Records)
	}
	if at(0x5004) != "" || at(0x1004) != "run" || s.At(0x5004) != nil {
		t.Errorf("live: %q and %q, expected nothing and run", at(0x5004), at(0x1004))
	}
}

func TestLookupSymbolName(t *testing.T) {
	long := strings.Repeat("n", KsymNameLen+5)
	s := specOf(moduleOf(fn("a", 0x1010), fn(long, 0x1020)))
	if name, err := s.LookupSymbolName(0x1010); name != "a" || err != nil {
		t.Errorf("a is %q, %v", name, err)
	}
	if name, err := s.LookupSymbolName(0x1020); len(name) != KsymNameLen-1 || err != nil {
		t.Errorf("a long name has %d bytes, %v; expected %d", len(name), err, KsymNameLen-1)
	}
	for _, addr := range []uint64{0x1000, 0x2000} {
		if name, err := s.LookupSymbolName(addr); !errors.Is(err, ErrRange) {
			t.Errorf("%#x is %q, %v; expected ErrRange", addr, name, err)
		}
	}
	if m, _, ok := s.AddressLookup(0x1000); m == nil || ok {
		t.Error("below the first symbol the module is known, but no symbol")
	}
}

func TestIsMappingSymbol(t *testing.T) {
	for name, want := range map[string]bool{
		"$a": true, "$t": true, "$d": true, "$d.1": true, // arm
		"$x":              true,              // arm64
		"$xrv64i2p1_m2p0": true,              // riscv
		"L0\x01":          true, ".L1": true, // loongarch, riscv
		"L0_reset": true, "$": true, "$schedule": true,
		"": false, "L1": false, "Lx0": false, ".text": false, "a$x": false, "l0": false, "L": false,
	} {
		if got := IsMappingSymbol(name); got != want {
			t.Errorf("IsMappingSymbol(%q) is %v", name, got)
		}
	}
}
