// SPDX-License-Identifier: GPL-2.0-only

package model

import (
	"io"
	"os"
	"os/exec"
	"runtime"
	"runtime/debug"
	"slices"
	"testing"
	"time"
)

// encodeFile is all that the host tool does: read the map, encode it, write the
// assembler text.
func encodeFile(tb testing.TB, path string, w io.Writer) {
	tb.Helper()
	f, err := os.Open(path)
	if err != nil {
		tb.Fatal(err)
	}
	defer f.Close()
	m, err := ReadText(f)
	if err != nil {
		tb.Fatal(err)
	}
	symbols, bounds := Prepare(m.Symbols, PrepareOptions{AllSymbols: true})
	t, err := Encode(symbols, EncodeOptions{MarkerShift: StockMarkerShift})
	if err != nil {
		tb.Fatal(err)
	}
	err = WriteAsm(w, symbols, t, AsmOptions{Dialect: PlaceRelative, PCRelative: true, Bounds: bounds})
	if err != nil {
		tb.Fatal(err)
	}
}

// BenchmarkEncodeBesideHostTool runs the tool of 7.3 and the encoder in turn on
// the real map, both from the file to text that is thrown away, and reports the
// median of each and their ratio.
func BenchmarkEncodeBesideHostTool(b *testing.B) {
	tool, path := buildHostTool(b, "7.3"), realMap(b)
	defer debug.SetGCPercent(debug.SetGCPercent(-1)) // garbage is collected between the runs
	var host, ours []time.Duration
	for b.Loop() {
		start := time.Now()
		if err := exec.Command(tool.path, "--all-symbols", "--pc-relative", path).Run(); err != nil {
			b.Fatal(err)
		}
		host = append(host, time.Since(start))
		start = time.Now()
		encodeFile(b, path, io.Discard)
		ours = append(ours, time.Since(start))
		runtime.GC()
	}
	h, o := median(host), median(ours)
	b.ReportMetric(h.Seconds()*1e3, "ms/hosttool")
	b.ReportMetric(o.Seconds()*1e3, "ms/model")
	b.ReportMetric(h.Seconds()/o.Seconds(), "x-faster")
	b.ReportMetric(0, "ns/op") // the two runs together say nothing
}

func median(d []time.Duration) time.Duration {
	slices.Sort(d)
	return d[len(d)/2]
}

func BenchmarkRead(b *testing.B) {
	path := realMap(b)
	for b.Loop() {
		f, err := os.Open(path)
		if err != nil {
			b.Fatal(err)
		}
		if _, err := ReadText(f); err != nil {
			b.Fatal(err)
		}
		f.Close()
	}
}

func BenchmarkEncode(b *testing.B) {
	symbols, _ := realSymbols(b)
	for b.Loop() {
		if _, err := Encode(symbols, EncodeOptions{MarkerShift: StockMarkerShift}); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkWriteAsm(b *testing.B) {
	symbols, bounds := realSymbols(b)
	t, err := Encode(symbols, EncodeOptions{MarkerShift: StockMarkerShift})
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		err := WriteAsm(io.Discard, symbols, t, AsmOptions{Dialect: PlaceRelative, PCRelative: true, Bounds: bounds})
		if err != nil {
			b.Fatal(err)
		}
	}
}

// realSymbols is the real map in table order.
func realSymbols(tb testing.TB) ([]Symbol, Bounds) {
	tb.Helper()
	f, err := os.Open(realMap(tb))
	if err != nil {
		tb.Fatal(err)
	}
	defer f.Close()
	m, err := ReadText(f)
	if err != nil {
		tb.Fatal(err)
	}
	return Prepare(m.Symbols, PrepareOptions{AllSymbols: true})
}
