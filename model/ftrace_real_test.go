// SPDX-License-Identifier: GPL-2.0-only

package model

import (
	"math/bits"
	"slices"
	"testing"

	"kgen/gen/realmap"
)

// realKernel has a real module coming, on a kernel with IBT.
func realKernel(tb testing.TB, f realmap.File) (*Kernel, *Module) {
	tb.Helper()
	endbr := uint64(4)
	rules := ModuleRules{AllSymbols: true, MaxOffset: &endbr}
	m := readObject(tb, f).Load(rules)
	return &Kernel{Core: &Spec{}, Modules: &ModuleSpec{[]*Module{m}, rules}, CallSize: 5}, m
}

// TestRealVerdicts: the records of real modules get the verdict that the scan
// gives them, at the cost of a search. Every sixteenth record is scanned for; the
// benchmark scans for all of amdgpu's.
func TestRealVerdicts(t *testing.T) {
	for _, f := range realmap.Modules {
		k, m := realKernel(t, f)
		pages := [][]uint64{m.Records, nil}
		for i := 0; i < len(m.Records); i += 16 {
			// Beside each, an address that is too far from any start.
			pages[1] = append(pages[1], m.Records[i], m.Records[i]+1)
		}
		want := k.ModuleEnable(m, pages[1:])[0]
		for _, design := range []EnableDesign{EnableV1, EnableV2, EnableBitmap} {
			run := design.Run(k, m, pages, Conditions{})
			if !slices.Equal(run.Verdicts[1], want) {
				t.Errorf("%s: design %d: verdicts differ from the scan's", f.Name(), design)
			}
			// Only kvm has weak functions, of which those of x86 took the place.
			if off := count(run.Verdicts[0], Disabled); (off > 0) != (f.Name() == "kvm") || off > len(m.Records)/20 {
				t.Errorf("%s: design %d: %d of %d records are disabled", f.Name(), design, off, len(m.Records))
			}
			n := len(m.Init.Symbols)
			if most := (len(m.Records) + len(want)) * bits.Len(uint(n)); run.Probes > most || run.Resolved != 0 {
				t.Errorf("%s: design %d: %d probes and %d records resolved by the scan, expected at most %d and none", f.Name(), design, run.Probes, run.Resolved, most)
			}
			bytes := 8 + 8*n
			if design == EnableBitmap {
				bytes = 8 * int((m.Mem[ModText].Size+m.Mem[ModInitText].Size+63)/64)
			}
			if design != EnableV1 && len(m.Records) == 0 {
				bytes = 0
			}
			if run.ArrayBytes != bytes {
				t.Errorf("%s: design %d: an array of %d bytes for %d symbols and %d records", f.Name(), design, run.ArrayBytes, n, len(m.Records))
			}
		}
	}
}

func count(verdicts []RecordVerdict, v RecordVerdict) int {
	n := 0
	for _, is := range verdicts {
		if is == v {
			n++
		}
	}
	return n
}

// BenchmarkModuleEnable times the whole pass over amdgpu's records, what is made
// for it included, and reports what was counted.
func BenchmarkModuleEnable(b *testing.B) {
	k, m := realKernel(b, realmap.Amdgpu)
	pages := [][]uint64{m.Records}
	for _, c := range []struct {
		name   string
		design EnableDesign
	}{{"linear", StockEnable}, {"sorted", EnableV2}, {"bitmap", EnableBitmap}} {
		b.Run(c.name, func(b *testing.B) {
			var run EnableRun
			for b.Loop() {
				run = c.design.Run(k, m, pages, Conditions{})
			}
			b.ReportMetric(float64(run.Compares), "compares")
			b.ReportMetric(float64(run.Probes), "probes")
			b.ReportMetric(float64(run.Resolved*(len(m.Init.Symbols)-1)), "symbols")
		})
	}
}

// BenchmarkFindSymbol times single lookups of amdgpu's records by each design,
// and reports what they cost on average.
func BenchmarkFindSymbol(b *testing.B) {
	_, m := realKernel(b, realmap.Amdgpu)
	rules := ModuleRules{AllSymbols: true}
	for _, mech := range exact {
		b.Run(string(mech), func(b *testing.B) {
			d := NewModuleDesign(mech, m, rules, ModuleMemory{})
			d.EndInit()
			var total ModuleCost
			n := 0
			for b.Loop() {
				ip := m.Records[n*7919%len(m.Records)] // all over the module
				_, _, cost := d.Find(ip)
				total.Add(cost)
				n++
			}
			per := func(count int) float64 { return float64(count) / float64(n) }
			b.ReportMetric(per(total.Symbols), "symbols/op")
			b.ReportMetric(per(total.Names), "names/op")
			b.ReportMetric(per(total.Probes), "probes/op")
			b.ReportMetric(per(total.Lines), "lines/op")
		})
	}
}

// BenchmarkModuleIndex times making the index of amdgpu's init table.
func BenchmarkModuleIndex(b *testing.B) {
	_, m := realKernel(b, realmap.Amdgpu)
	for b.Loop() {
		newSideIndex(&m.Init, ModuleRules{AllSymbols: true})
	}
}
