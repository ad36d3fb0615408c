// SPDX-License-Identifier: GPL-2.0-only

package model

import (
	"fmt"
	"io"
	"runtime"
	"strconv"
	"testing"
)

// BenchmarkGrowth encodes and writes tables of up to a million symbols, and looks
// up names in them through each way to order and to find records. What the whole
// takes of the system stays below 1 GiB.
func BenchmarkGrowth(b *testing.B) {
	hash := Choice{Locate: SubMarkers, Shift: 5, Order: HashOrder, BucketShift: 4, StartBits: NarrowStarts, TokenMatch: true}
	for _, n := range []int{125_000, 250_000, 500_000, 1_000_000} {
		symbols, bounds := derived(b, n)
		b.Run(fmt.Sprintf("%d/encode", n), func(b *testing.B) {
			for b.Loop() {
				t, err := Encode(symbols, EncodeOptions{MarkerShift: StockMarkerShift})
				if err != nil {
					b.Fatal(err)
				}
				err = WriteAsm(io.Discard, symbols, t, AsmOptions{PCRelative: true, Bounds: bounds})
				if err != nil {
					b.Fatal(err)
				}
				b.ReportMetric(float64(len(t.Names))/float64(n), "stream-B/symbol")
			}
		})
		t := mustEncode(b, symbols)
		for _, c := range []Choice{StockChoice(), {Locate: Density, Shift: 4, TokenMatch: true}, {Locate: SubMarkers, Shift: 4, TokenMatch: true},
			{Locate: StaticIndex, TokenMatch: true}, {Locate: Density, Shift: 8, Order: NameOffsets, TokenMatch: true}, hash} {
			b.Run(fmt.Sprintf("%d/%v", n, c), func(b *testing.B) {
				d, err := NewDesign(t, c)
				if err != nil {
					b.Fatal(err)
				}
				var all counts
				for i := 0; b.Loop(); i += 7919 { // a prime, so that the names are all over the table
					_, ok, cost := d.LookupName(symbols[i%n].Name)
					if !ok {
						b.Fatalf("%q is not found", symbols[i%n].Name)
					}
					all.add(cost)
				}
				b.ReportMetric(all.mean(all.total.Probes), "probes")
				b.ReportMetric(all.mean(all.total.Hops), "hops")
			})
		}
	}
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	b.Logf("%d MiB taken from the system", m.Sys>>20)
	if m.Sys > 1<<30 {
		b.Errorf("took %d MiB from the system, expected less than 1024", m.Sys>>20)
	}
}

// derived makes n symbols in table order: the real ones, and again the real ones
// with a number as compilers append it, in the gaps between their addresses.
func derived(tb testing.TB, n int) ([]Symbol, Bounds) {
	tb.Helper()
	real, bounds := realSymbols(tb)
	symbols := make([]Symbol, 0, n)
	for i := range real {
		copies := n/len(real) + 1
		if i >= n%len(real) {
			copies--
		}
		for k := range copies {
			s := real[i]
			if k > 0 {
				s.Name = s.Name[:min(len(s.Name), maxEncodedName-16)] + "." + strconv.Itoa(k)
			}
			symbols = append(symbols, s)
		}
	}
	return symbols, bounds
}
