// SPDX-License-Identifier: GPL-2.0-only

package model

import (
	"fmt"
	"math/bits"
	"slices"
	"testing"

	"kgen/gen/realmap"
)

// exact are the mechanisms that must answer as the kernel does.
var exact = []ModuleMechanism{LinearScan, ValueScan, SideIndex}

// edges are the addresses at, just below and just above every symbol and region.
func edges(m *Module, rules ModuleRules) []uint64 {
	var addrs []uint64
	around := func(addr uint64) { addrs = append(addrs, addr-1, addr, addr+1) }
	for _, region := range m.Mem {
		around(region.Base)
		around(region.Base + region.Size)
	}
	for _, s := range m.Kallsyms().Symbols {
		around(rules.Value(s))
	}
	slices.Sort(addrs)
	return slices.Compact(addrs)
}

func answer(p ModulePlace, ok bool) string {
	if !ok {
		return "nothing"
	}
	return fmt.Sprintf("symbol %d, %s+%#x/%#x", p.Index, p.Name, p.Offset, p.Size)
}

func TestModuleDesignsAnswerAsSpecified(t *testing.T) {
	many := make([]ElfSymbol, 0, 300)
	for i := range uint64(300) {
		many = append(many, fn(fmt.Sprint("f", i%37), 0x1000+i*i%0xfff))
	}
	for _, c := range []struct {
		reason  string
		symbols []ElfSymbol
	}{
		{"no symbol", nil},
		{"one", []ElfSymbol{fn("a", 0x1800)}},
		{"aliases", []ElfSymbol{fn("c", 0x1800), label("b", 0x1800), object("a", 0x1800)}},
		{"what is passed over", []ElfSymbol{undef("u", 0x1001), label("$x", 0x1002), label("", 0x1003), label("L0\x01", 0x1004)}},
		{"outside of every region", []ElfSymbol{fn("zero", 0), fn("low", 0xfff), fn("gap", 0x2000), fn("high", ^uint64(0))}},
		{"all kinds", []ElfSymbol{fn("b", 0x1010), label("l", 0x1004), object("d", 0x3000), fn("i", 0x5000), fn("a", 0x1000)}},
		{"in disorder, with duplicates", many},
	} {
		for _, all := range []bool{false, true} {
			for _, mech := range exact {
				t.Run(fmt.Sprint(c.reason, all, mech), func(t *testing.T) {
					rules := ModuleRules{AllSymbols: all}
					m := moduleOf(c.symbols...)
					spec := &ModuleSpec{[]*Module{m}, rules}
					d := NewModuleDesign(mech, m, rules, ModuleMemory{})
					for _, addr := range edges(m, rules) {
						got, ok, _ := d.Find(addr)
						want, wantOK := spec.FindSymbol(m, addr)
						if answer(got, ok) != answer(want, wantOK) {
							t.Fatalf("%#x is %s, expected %s", addr, answer(got, ok), answer(want, wantOK))
						}
					}
				})
			}
		}
	}
}

func TestModuleCosts(t *testing.T) {
	var symbols []ElfSymbol
	for i := range uint64(100) {
		symbols = append(symbols, fn(fmt.Sprint("f", i), 0x1000+0x10*i))
	}
	m := moduleOf(append(symbols, undef("u", 0))...)
	for _, c := range []struct {
		mech ModuleMechanism
		want ModuleCost
	}{
		// 102 entries of 24 bytes in 39 lines but the first one's first 24 bytes,
		// 100 names in the 7 lines of 396 bytes, the name of "u" not looked at.
		{LinearScan, ModuleCost{Symbols: 101, Names: 100, Lines: 39 + 7}},
		// Ascending functions are each the best until 50, and the one behind is next.
		{ValueScan, ModuleCost{Symbols: 101, Names: 52, Lines: 39 + 4}},
	} {
		d := NewModuleDesign(c.mech, m, ModuleRules{}, ModuleMemory{})
		if _, _, cost := d.Find(0x1000 + 0x10*50); cost != c.want {
			t.Errorf("%s: %+v, expected %+v", c.mech, cost, c.want)
		}
	}
	d := NewModuleDesign(SideIndex, m, ModuleRules{}, ModuleMemory{})
	for i := range uint64(100) {
		_, _, cost := d.Find(0x1000 + 0x10*i)
		if most := bits.Len(100); cost.Probes > most || cost.Symbols > most+2 || cost.Names != 0 {
			t.Errorf("symbol %d: %+v, expected at most %d probes", i, cost, most)
		}
	}
	if space := d.Space(); space.IndexBytes != 400 || space.Compares == 0 {
		t.Errorf("%+v, expected 4 bytes for each of 100 candidates", space)
	}
}

// TestIndexThroughInit: each table has its own index, and an index that could not
// be made costs time, not answers.
func TestIndexThroughInit(t *testing.T) {
	m := moduleOf(fn("setup", 0x5000), fn("b", 0x1010), fn("a", 0x1000))
	m.Core = tableOf(fn("b", 0x1010), fn("a", 0x1000))
	for _, c := range []struct {
		reason     string
		livepatch  bool
		memory     ModuleMemory
		init, core int // bytes of index while init runs, and after
	}{
		{"memory for both", false, ModuleMemory{}, 12, 8},
		{"none for the init table", false, ModuleMemory{NoInit: true}, 0, 8},
		{"none for the core table", false, ModuleMemory{NoCore: true}, 12, 0},
		{"values of a livepatch change", true, ModuleMemory{}, 0, 0},
	} {
		t.Run(c.reason, func(t *testing.T) {
			m := *m
			m.Livepatch = c.livepatch
			d := NewModuleDesign(SideIndex, &m, ModuleRules{}, c.memory)
			check := func(bytes int, addr uint64, want string) {
				t.Helper()
				got, _, cost := d.Find(addr)
				if d.Space().IndexBytes != bytes || got.Name != want || (cost.Probes > 0) != (bytes > 0) {
					t.Errorf("%#x is %q with %d bytes and %+v; expected %q with %d", addr, got.Name, d.Space().IndexBytes, cost, want, bytes)
				}
			}
			check(c.init, 0x5008, "setup")
			check(c.init, 0x1008, "a")
			d.EndInit()
			check(c.core, 0x1018, "b")
			if _, ok, _ := d.Find(0x5008); ok {
				t.Error("init text answers after init")
			}
		})
	}
	if m.State != Coming {
		t.Error("the design changed the module it was made of")
	}
}

func TestModuleTrace(t *testing.T) {
	m := moduleOf(fn("c", 0x1020), fn("a", 0x1000), fn("b", 0x1010))
	for mech, want := range map[ModuleMechanism]string{
		LinearScan: "[c:next a:best b:next]",
		ValueScan:  "[c:next a:best b:next]",
		SideIndex:  "[b:above a:below b:next a:best]",
		DraftSort:  "[b:above a:below b:next a:best]",
	} {
		trace := NewModuleDesign(mech, m, ModuleRules{}, ModuleMemory{}).Trace(0x1004)
		var steps []string
		for _, s := range trace.Steps {
			steps = append(steps, s.Name+":"+string(s.Effect))
		}
		if got := fmt.Sprint(steps); got != want || !trace.Found || trace.Place.Name != "a" || trace.Cost.Symbols == 0 {
			t.Errorf("%s: %s %+v, expected %s", mech, got, trace, want)
		}
	}
}

// TestModuleDesignsOnRealModules asks at a sample of the edges of every real
// module: each question takes the specification a scan of all names.
func TestModuleDesignsOnRealModules(t *testing.T) {
	const sample = 300
	for _, f := range realmap.Modules {
		rules := ModuleRules{AllSymbols: true}
		m := readObject(t, f).Load(rules)
		index := NewModuleDesign(SideIndex, m, rules, ModuleMemory{})
		scan := NewModuleDesign(ValueScan, m, rules, ModuleMemory{})
		for range 2 { // while init runs, and after
			m := index.Module()
			spec := &ModuleSpec{[]*Module{m}, rules}
			addrs := edges(m, rules)
			step := max(1, len(addrs)/sample)
			for i := 0; i < len(addrs); i += step {
				want, wantOK := spec.FindSymbol(m, addrs[i])
				for _, d := range []*ModuleDesign{scan, index} {
					if got, ok, _ := d.Find(addrs[i]); answer(got, ok) != answer(want, wantOK) {
						t.Fatalf("%s: %#x is %s, expected %s", f.Name(), addrs[i], answer(got, ok), answer(want, wantOK))
					}
				}
			}
			index.EndInit()
			scan.EndInit()
		}
	}
}
