// SPDX-License-Identifier: GPL-2.0-only

package model

import (
	"fmt"
	"slices"
	"testing"

	"kgen/gen/realmap"
)

// TestSortChanges shows each kind of answer that sorting the table changes, and
// which of them only the draft does.
func TestSortChanges(t *testing.T) {
	both := []ModuleMechanism{DraftSort, SortedTable}
	draft := both[:1]
	for _, c := range []struct {
		reason  string
		symbols []ElfSymbol
		addr    uint64
		change  Change
		by      []ModuleMechanism // the others do not change it
	}{
		{"a function", []ElfSymbol{fn("b", 0x1010), fn("a", 0x1000)}, 0x1008, "", nil},
		{"the last of aliases instead of the first", []ElfSymbol{fn("a", 0x1000), fn("alias", 0x1000)}, 0x1000, ChangeAlias, draft},
		{"a label is taken for the function before it", []ElfSymbol{fn("a", 0x1000), label("l", 0x1010)}, 0x1014, ChangeNonFunction, both},
		{"an alias that is no function", []ElfSymbol{label("l", 0x1000), fn("a", 0x1000)}, 0x1000, ChangeNonFunction, both},
		{"a label no longer ends a function", []ElfSymbol{fn("a", 0x1000), label("l", 0x1010)}, 0x1004, ChangeSize, both},
		{"below the first function of a region", []ElfSymbol{fn("a", 0x1000), fn("i", 0x5010)}, 0x5004, ChangeRegion, draft},
		{"the size of the last function of a region", []ElfSymbol{fn("a", 0x1000), fn("i", 0x5000)}, 0x1004, ChangeRegion, draft},
		{"only labels", []ElfSymbol{label("l", 0x1000)}, 0x1004, ChangeNonFunction, draft},
		{"data is scanned for as ever", []ElfSymbol{object("d", 0x3000), label("e", 0x3010)}, 0x3004, "", nil},
	} {
		t.Run(c.reason, func(t *testing.T) {
			m := moduleOf(c.symbols...)
			spec := specOf(m)
			for _, mech := range both {
				want := Change("")
				if slices.Contains(c.by, mech) {
					want = c.change
				}
				d := NewModuleDesign(mech, m, spec.Rules, ModuleMemory{})
				if got := spec.AddressChange(m, d, c.addr); got != want {
					t.Errorf("%s: %#x changes by %q, expected %q", mech, c.addr, got, want)
				}
				m.Livepatch = true // for which the table is left alone
				d = NewModuleDesign(mech, m, spec.Rules, ModuleMemory{})
				if got := spec.AddressChange(m, d, c.addr); got != "" || d.Module().Init.Symbols[1] != m.Init.Symbols[1] {
					t.Errorf("%s: in a livepatch module %#x changes by %q", mech, c.addr, got)
				}
				m.Livepatch = false
			}
		})
	}
}

func TestSortChangesNamesAndLines(t *testing.T) {
	m := moduleOf(fn("dup", 0x1020), object("dup", 0x3000), fn("dup", 0x1000), fn("once", 0x1010), label("pair", 0x1030), fn("pair", 0x1040))
	spec := specOf(m)
	unsorted := NewModuleDesign(DraftSort, m, spec.Rules, ModuleMemory{NoInit: true}).Module()
	if got := spec.LineChanges(m, unsorted); len(got) != 0 {
		t.Errorf("without memory to sort: %v", got)
	}
	for _, c := range []struct {
		mech  ModuleMechanism
		lines string // changed, of 7
	}{
		// null, dup 1000, once, dup 1020, pair 1040, dup 3000, pair 1030
		{DraftSort, "map[order:6 typetab:6]"},
		{SortedTable, "map[order:6]"},
		{SideIndex, "map[]"},
		{ValueScan, "map[]"},
	} {
		after := NewModuleDesign(c.mech, m, spec.Rules, ModuleMemory{}).Module()
		if got := fmt.Sprint(spec.LineChanges(m, after)); got != c.lines {
			t.Errorf("%s: %s, expected %s", c.mech, got, c.lines)
		}
		sorts := c.mech == DraftSort || c.mech == SortedTable
		for name, changes := range map[string][]Change{
			"dup":  {ChangeFirstMatch, ChangeSympos}, // 1020 3000 1000 has become 1000 1020 3000
			"pair": {ChangeFirstMatch, ChangeSympos},
			"once": nil,
			"none": nil,
		} {
			if !sorts {
				changes = nil
			}
			if got := spec.NameChanges(m, after, name); !slices.Equal(got, changes) {
				t.Errorf("%s: %s changes by %v, expected %v", c.mech, name, got, changes)
			}
		}
	}
}

// TestSortOnAmdgpu counts what sorting would change in a real module.
func TestSortOnAmdgpu(t *testing.T) {
	rules := ModuleRules{AllSymbols: true}
	m := readObject(t, realmap.Amdgpu).Load(rules)
	m.EndInit()
	spec := specOf(m)
	index := NewModuleDesign(SideIndex, m, rules, ModuleMemory{}) // answers as specified, and fast
	sorted := NewModuleDesign(SortedTable, m, rules, ModuleMemory{})
	draft := NewModuleDesign(DraftSort, m, rules, ModuleMemory{})

	lines, draftLines := spec.LineChanges(m, sorted.Module()), spec.LineChanges(m, draft.Module())
	if lines[ChangeOrder] == 0 || lines[ChangeType] != 0 || draftLines[ChangeType] == 0 {
		t.Errorf("lines of /proc/kallsyms: %v, draft %v; expected changes of order, in the draft of types too", lines, draftLines)
	}
	moved := 0
	for _, ip := range m.Records {
		want, _, _ := index.Find(ip)
		got, _, _ := sorted.Find(ip)
		if got.Name != want.Name {
			moved++
		}
	}
	// Functions of one name that do not ascend: their order changes. There are
	// few; each takes scans of the whole table.
	last, disorder := map[string]uint64{}, map[string]bool{}
	for _, s := range m.Core.Symbols {
		if s.Function() {
			disorder[s.Name] = disorder[s.Name] || s.Value < last[s.Name]
			last[s.Name] = s.Value
		}
	}
	changed := map[Change]int{}
	for name, is := range disorder {
		if is {
			for _, change := range spec.NameChanges(m, sorted.Module(), name) {
				changed[change]++
			}
		}
	}
	t.Logf("amdgpu: %v of %d lines, draft %v, %d of %d records in another symbol, names: %v",
		lines, len(m.Core.Symbols), draftLines, moved, len(m.Records), changed)
	if changed[ChangeSympos] == 0 || changed[ChangeFirstMatch] == 0 {
		t.Errorf("names: %v; expected changes of first matches and of positions", changed)
	}
}
