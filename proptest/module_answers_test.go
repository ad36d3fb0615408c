// SPDX-License-Identifier: GPL-2.0-only

package proptest

import (
	"fmt"
	"math/bits"
	"slices"
	"testing"

	"kgen/model"
)

var moduleStates = []model.ModuleState{model.Coming, model.Live}

// moduleRules picks the choices of a build.
func moduleRules(pick int64) model.ModuleRules {
	most := uint64(pick >> 2 & 0xf)
	return model.ModuleRules{AllSymbols: pick&1 == 0, Thumb2: pick&2 == 0, MaxOffset: &most}
}

// moduleEdges are the addresses at and beside every symbol and region.
func moduleEdges(m *model.Module, rules model.ModuleRules) []uint64 {
	var addrs []uint64
	around := func(addr uint64) { addrs = append(addrs, addr-1, addr, addr+1) }
	for _, region := range m.Mem {
		around(region.Base)
		around(region.Base + region.Size)
	}
	for _, s := range m.Init.Symbols {
		around(rules.Value(s))
	}
	slices.Sort(addrs)
	return slices.Compact(addrs)
}

// eachModuleDesign loads the module by mechanisms and asks check at all edges,
// while init runs and after it.
func eachModuleDesign(c moduleCase, pick int64, mechanisms []model.ModuleMechanism,
	check func(spec *model.ModuleSpec, m *model.Module, d *model.ModuleDesign, addr uint64) string) string {
	rules := moduleRules(pick)
	memory := model.ModuleMemory{NoInit: pick>>6&7 == 0, NoCore: pick>>9&7 == 0}
	for _, mech := range mechanisms {
		m := c.module(model.Coming)
		d := model.NewModuleDesign(mech, m, rules, memory)
		spec := &model.ModuleSpec{Modules: []*model.Module{m}, Rules: rules}
		addrs := moduleEdges(m, rules)
		for _, state := range moduleStates {
			if state == model.Live {
				m.EndInit()
				d.EndInit()
			}
			for _, addr := range addrs {
				if complaint := check(spec, m, d, addr); complaint != "" {
					return fmt.Sprintf("%s, %v, %#x: %s", mech, state, addr, complaint)
				}
			}
		}
	}
	return ""
}

// TestModuleAddressesAnswerAsSpecified: every mechanism that leaves the table
// alone finds around every address what the specification finds.
func TestModuleAddressesAnswerAsSpecified(t *testing.T) {
	mechanisms := []model.ModuleMechanism{model.LinearScan, model.ValueScan, model.SideIndex}
	holdModules(t, func(c moduleCase, pick int64) string {
		return eachModuleDesign(c, pick, mechanisms, func(spec *model.ModuleSpec, m *model.Module, d *model.ModuleDesign, addr uint64) string {
			want, wantOK := spec.FindSymbol(m, addr)
			got, ok, _ := d.Find(addr)
			trace := d.Trace(addr)
			if got != want || ok != wantOK {
				return fmt.Sprintf("expected %+v %v, got %+v %v", want, wantOK, got, ok)
			}
			if trace.Place != got || trace.Found != ok {
				return fmt.Sprintf("traced as %+v %v, expected %+v %v", trace.Place, trace.Found, got, ok)
			}
			return ""
		})
	})
}

// TestFoundSymbolHoldsTheAddress: whatever the specification finds is a candidate
// of the table at the greatest value up to the address, with none between the
// address and the symbol's end. It is stated once more, by sets, so that it does
// not fail as the scan would.
func TestFoundSymbolHoldsTheAddress(t *testing.T) {
	holdModules(t, func(c moduleCase, pick int64) string {
		return eachModuleDesign(c, pick, []model.ModuleMechanism{model.LinearScan},
			func(spec *model.ModuleSpec, m *model.Module, _ *model.ModuleDesign, addr uint64) string {
				var region model.Region
				for mem, r := range m.Mem {
					if text := mem == int(model.ModText) || mem == int(model.ModInitText); (text || spec.Rules.AllSymbols) && addr >= r.Base && addr-r.Base < r.Size {
						region = r
					}
				}
				at := map[uint64][]int{} // the region's symbols by value
				var values []uint64
				for i, s := range m.Kallsyms().Symbols {
					v := spec.Rules.Value(s)
					if i > 0 && s.Shndx != 0 && s.Name != "" && s.Name[0] != '$' && !mapping(s.Name) && v >= region.Base && v-region.Base < region.Size {
						at[v] = append(at[v], i)
						values = append(values, v)
					}
				}
				slices.Sort(values)
				above, _ := slices.BinarySearch(values, addr+1)
				got, ok := spec.FindSymbol(m, addr)
				if above == 0 || region.Size == 0 {
					if ok {
						return fmt.Sprintf("found %+v, expected nothing", got)
					}
					return ""
				}
				value, end := values[above-1], region.Base+region.Size
				if above < len(values) {
					end = values[above]
				}
				want := model.ModulePlace{Index: at[value][0], Size: end - value, Offset: addr - value}
				want.Name = m.Kallsyms().Symbols[want.Index].Name
				if got != want || !ok {
					return fmt.Sprintf("expected %+v, got %+v %v", want, got, ok)
				}
				return ""
			})
	})
}

func mapping(name string) bool {
	return len(name) > 1 && (name[:2] == ".L" || name[:2] == "L0")
}

// TestModuleCostBounds: an index is searched in as many probes as it takes to
// halve it, and without a name; the scan of values looks at no more names than
// the scan of names.
func TestModuleCostBounds(t *testing.T) {
	holdModules(t, func(c moduleCase, pick int64) string {
		linear := map[string]int{}
		return eachModuleDesign(c, pick, []model.ModuleMechanism{model.LinearScan, model.ValueScan, model.SideIndex},
			func(_ *model.ModuleSpec, m *model.Module, d *model.ModuleDesign, addr uint64) string {
				_, _, cost := d.Find(addr)
				key := fmt.Sprint(m.State, addr)
				names, known := linear[key]
				n := len(m.Kallsyms().Symbols)
				switch {
				case !known:
					linear[key] = cost.Names
				case cost.Names > names:
					return fmt.Sprintf("%d names, in the scan of names %d", cost.Names, names)
				}
				if cost.Probes > 0 && (cost.Names > 0 || cost.Symbols > cost.Probes+2) {
					return fmt.Sprintf("%+v, expected no name, and two symbols beside those probed", cost)
				}
				if cost.Probes > bits.Len(uint(n)) || cost.Symbols > n-1 && cost.Probes == 0 || cost.Lines > 2*cost.Symbols+2*cost.Names+cost.Probes+2 {
					return fmt.Sprintf("%+v of %d symbols", cost, n)
				}
				if bytes := d.Space().IndexBytes; bytes > 4*(n-1) {
					return fmt.Sprintf("an index of %d bytes for %d symbols", bytes, n)
				}
				return ""
			})
	})
}

// TestSortChangesAsListed: module-sort changes the answers for addresses in two
// ways only, and where all symbols are functions not at all; its draft in four.
func TestSortChangesAsListed(t *testing.T) {
	draft := []model.Change{model.ChangeAlias, model.ChangeNonFunction, model.ChangeRegion, model.ChangeSize}
	sorted := []model.Change{model.ChangeNonFunction, model.ChangeSize}
	holdModules(t, func(c moduleCase, pick int64) string {
		functions := !slices.ContainsFunc(c.symbols, func(s model.ElfSymbol) bool { return s.Candidate() && !s.Function() })
		for mech, allowed := range map[model.ModuleMechanism][]model.Change{model.DraftSort: draft, model.SortedTable: sorted} {
			complaint := eachModuleDesign(c, pick, []model.ModuleMechanism{mech},
				func(spec *model.ModuleSpec, m *model.Module, d *model.ModuleDesign, addr uint64) string {
					change := spec.AddressChange(m, d, addr)
					if change == "" {
						return ""
					}
					if !slices.Contains(allowed, change) || c.livepatch || functions && mech == model.SortedTable {
						return fmt.Sprintf("changes by %q", change)
					}
					return ""
				})
			if complaint != "" {
				return complaint
			}
		}
		return ""
	})
}
