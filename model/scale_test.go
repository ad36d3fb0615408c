// SPDX-License-Identifier: GPL-2.0-only

package model

import (
	"io"
	"runtime"
	"strconv"
	"testing"
)

// BenchmarkMillion reads nothing but encodes and writes a million symbols that
// are derived from the real ones, and fails if the process ever took 1 GiB.
func BenchmarkMillion(b *testing.B) {
	symbols, bounds := derived(b, 1_000_000)
	for b.Loop() {
		t, err := Encode(symbols, EncodeOptions{MarkerShift: StockMarkerShift})
		if err != nil {
			b.Fatal(err)
		}
		err = WriteAsm(io.Discard, symbols, t, AsmOptions{PCRelative: true, Bounds: bounds})
		if err != nil {
			b.Fatal(err)
		}
		b.ReportMetric(float64(len(t.Names))/float64(len(symbols)), "stream-B/symbol")
	}
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	b.ReportMetric(float64(m.Sys)/(1<<20), "MiB")
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
