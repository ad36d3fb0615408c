// SPDX-License-Identifier: GPL-2.0-only

package proptest

import (
	"errors"
	"fmt"
	"math/rand"
	"slices"
	"strings"
	"testing"

	"kgen/model"
)

// moduleKernel is a kernel with the module and another one, in which some
// functions have records.
func moduleKernel(c moduleCase, pick int64, state model.ModuleState) (*model.Kernel, *model.Module) {
	rng := rand.New(rand.NewSource(pick))
	m := c.module(state)
	other := &model.Module{Name: "other", State: model.Coming}
	other.Mem[model.ModText] = model.Region{Base: 0x7f000000, Size: 0x1000}
	for i, name := range []string{"", "both", "twice", "a", "twice"} {
		other.Init.Symbols = append(other.Init.Symbols, model.ElfSymbol{Name: name, Value: 0x7f000000 + uint64(i)*16, Shndx: uint16(min(i, 1)), Info: 2})
		other.Init.Types = append(other.Init.Types, 't')
	}
	core := []model.Symbol{{Addr: 0x1000, Type: 't', Name: "vm"}, {Addr: 0x1010, Type: 't', Name: "both"}, {Addr: 0x1020, Type: 't', Name: "vm"}}
	k := &model.Kernel{
		Core:         &model.Spec{Symbols: core, Bounds: model.Bounds{Stext: 0x1000, Etext: 0x1030, End: 0x1030}, Rules: model.Rules{AllSymbols: true}},
		Modules:      &model.ModuleSpec{Modules: []*model.Module{m, other}, Rules: moduleRules(pick)},
		CallSize:     5,
		VmlinuxFirst: pick&8 == 0,
	}
	record := func(records []uint64, addr uint64) []uint64 {
		if addr != 0 && rng.Intn(2) == 0 {
			records = append(records, addr+uint64(rng.Intn(2)*4))
		}
		return records
	}
	for _, s := range core {
		k.Records = record(k.Records, s.Addr)
	}
	for _, of := range []*model.Module{m, other} {
		for _, s := range of.Init.Symbols {
			if s.Candidate() && of.Contains(s.Value) {
				of.Records = record(of.Records, s.Value)
			}
		}
		slices.Sort(of.Records)
		of.Records = slices.Compact(of.Records)
	}
	return k, m
}

// symbolNames are the names of all symbols, and some that no symbol has.
func symbolNames(k *model.Kernel) []string {
	names := []string{"", "nobody", "mod:a", "other:both", "mod:nobody", "gone:a", "vm", "both"}
	for _, m := range k.Modules.Modules {
		for _, s := range m.Init.Symbols {
			names = append(names, s.Name, m.Name+":"+s.Name)
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// TestFtraceLookupsFindTheFirstTraced: whatever names are asked for together,
// each gets its own first symbol that can be traced.
func TestFtraceLookupsFindTheFirstTraced(t *testing.T) {
	holdModules(t, func(c moduleCase, pick int64) string {
		for _, state := range moduleStates {
			k, _ := moduleKernel(c, pick, state)
			all := some(symbolNames(k), 30)
			for n := 1; n <= len(all); n += 1 + n/2 {
				names := all[:n]
				addrs := make([]uint64, n)
				err := k.FtraceLookupSymbols(names, addrs)
				missing := false
				for i, name := range names {
					want := uint64(0)
					k.OnEachSymbol(func(s string, addr uint64) int {
						if s == name && want == 0 && k.FtraceLocation(addr) != 0 {
							want = addr
						}
						return 0
					})
					if addrs[i] != want {
						return fmt.Sprintf("%v, %q of %q: %#x, expected %#x", state, name, names, addrs[i], want)
					}
					missing = missing || want == 0
				}
				if errors.Is(err, model.ErrNotAllFound) != missing {
					return fmt.Sprintf("%v, %q: %v, though something is missing: %v", state, names, err, missing)
				}
			}
		}
		return ""
	})
}

// TestFtraceSingleAnswersAsTheScan, but for names with a module before a colon,
// and for those that a module has at 0 first.
func TestFtraceSingleAnswersAsTheScan(t *testing.T) {
	holdModules(t, func(c moduleCase, pick int64) string {
		for _, state := range moduleStates {
			k, m := moduleKernel(c, pick, state)
			for _, name := range some(symbolNames(k), 60) {
				want, got := make([]uint64, 1), make([]uint64, 1)
				wantErr := k.FtraceLookupSymbols([]string{name}, want)
				visited, err := model.FtraceSingle{}.Lookup(k, []string{name}, got)
				atZero := k.Modules.FindValue(m, name) == 0 && slices.ContainsFunc(m.Kallsyms().Symbols, func(s model.ElfSymbol) bool {
					return s.Name == name && !s.Undefined()
				})
				if (got[0] != want[0] || err != wantErr) && !strings.Contains(name, ":") && !atZero {
					return fmt.Sprintf("%v, %q: %#x %v, expected %#x %v", state, name, got, err, want, wantErr)
				}
				if visited == 0 && err != nil || got[0] != 0 && k.FtraceLocation(got[0]) == 0 {
					return fmt.Sprintf("%v, %q: %#x %v after %d symbols", state, name, got, err, visited)
				}
			}
		}
		return ""
	})
}

// TestEnablingGivesTheSameVerdicts: whatever the design and the conditions, a
// module's records get the verdicts that the kernel gives them, or none.
func TestEnablingGivesTheSameVerdicts(t *testing.T) {
	holdModules(t, func(c moduleCase, pick int64) string {
		k, m := moduleKernel(c, pick, model.Coming)
		if pick&16 == 0 {
			k.Modules.Rules.MaxOffset = nil
		}
		edges := moduleEdges(m, k.Modules.Rules)
		if most := k.Modules.Rules.MaxOffset; most != nil { // also where a symbol is just close enough
			for _, addr := range slices.Clone(edges) {
				edges = append(edges, addr+*most)
			}
			slices.Sort(edges)
			edges = slices.Compact(edges)
		}
		pages := [][]uint64{m.Records, edges, {0x1000}, nil}
		for _, addr := range some(edges, 40) { // each on a page of its own, so that none hides another
			pages = append(pages, []uint64{addr})
		}
		want := k.ModuleEnable(m, pages)
		for design := model.StockEnable; design <= model.EnableBitmap; design++ {
			for bits := range 8 {
				at := model.Conditions{Disabled: bits&1 != 0, Killed: bits&2 != 0, NoMemory: bits&4 != 0}
				run := design.Run(k, m, pages, at)
				off := at.Disabled || at.Killed
				if off != (run.Verdicts == nil) || !off && fmt.Sprint(run.Verdicts) != fmt.Sprint(want) {
					return fmt.Sprintf("design %d, %+v: %v, expected %v", design, at, run.Verdicts, want)
				}
				if run.CachedMods != 1 || run.ArrayBytes > 0 && (at.NoMemory || design == model.StockEnable) {
					return fmt.Sprintf("design %d, %+v: %+v", design, at, run)
				}
				if design >= model.EnableV2 && run.ArrayBytes > 0 && len(m.Records) == 0 {
					return "memory for a module without records"
				}
			}
		}
		return ""
	})
}
