// SPDX-License-Identifier: GPL-2.0-only

package model

import (
	"os"
	"slices"
	"sync"
	"testing"
)

// realTable is the table of the real map, with what the specification says of
// its names, found in one scan.
type realTable struct {
	symbols []Symbol
	tables  *Tables
	matches map[string][]uint64
}

var realOnce struct {
	sync.Once
	table realTable
}

func theRealTable(tb testing.TB) *realTable {
	tb.Helper()
	path := realMap(tb)
	realOnce.Do(func() {
		f, err := os.Open(path)
		if err != nil {
			tb.Fatal(err)
		}
		defer f.Close()
		m, err := Read(f)
		if err != nil {
			tb.Fatal(err)
		}
		r := &realOnce.table
		r.symbols, _ = Prepare(m.Symbols, PrepareOptions{AllSymbols: true})
		if r.tables, err = Encode(r.symbols, EncodeOptions{MarkerShift: StockMarkerShift}); err != nil {
			tb.Fatal(err)
		}
		r.matches = map[string][]uint64{}
		for _, s := range r.symbols {
			r.matches[s.Name] = append(r.matches[s.Name], s.Addr)
		}
	})
	return &realOnce.table
}

// realChoices are designs of every kind, with the parameters that were measured
// in C.
func realChoices() map[string]Choice {
	hash := Choice{Locate: SubMarkers, Shift: 5, Order: HashOrder, BucketShift: 4, StartBits: NarrowStarts, TokenMatch: true}
	return map[string]Choice{
		"stock":                    StockChoice(),
		"token-match":              {Locate: Density, Shift: 8, TokenMatch: true, SeqUnroll: true},
		"density 16:1":             {Locate: Density, Shift: 4, TokenMatch: true},
		"sub-markers 16:1":         {Locate: SubMarkers, Shift: 4, TokenMatch: true},
		"static-index":             {Locate: StaticIndex, TokenMatch: true},
		"name-offsets":             {Locate: Density, Shift: 8, Order: NameOffsets, TokenMatch: true},
		"name-offsets sub-markers": {Locate: SubMarkers, Shift: 5, Order: NameOffsets, TokenMatch: true},
		"hash-order 8-bit":         hash,
		"hash-order 16-bit":        {Locate: Density, Shift: 6, Order: HashOrder, BucketShift: 5, StartBits: WideStarts},
		"batch-index":              {Locate: Density, Shift: 8, Batch: true, TokenMatch: true},
	}
}

// TestRealMap looks up every name of the real map, and a name that is not in
// it for each, through a design of every kind.
func TestRealMap(t *testing.T) {
	real := theRealTable(t)
	for reason, c := range realChoices() {
		t.Run(reason, func(t *testing.T) {
			t.Parallel()
			d, err := NewDesign(real.tables, c)
			if err != nil {
				t.Fatal(err)
			}
			if c.Batch {
				d.Batch().Start(true)
			}
			var hits, misses Cost
			missed := 0
			for name, want := range real.matches {
				addr, ok, cost := d.LookupName(name)
				if addr != want[0] || !ok {
					t.Fatalf("%s: got %#x, %v; want %#x", name, addr, ok, want[0])
				}
				hits.Add(cost)
				if len(want) > 1 {
					if all, _ := d.OnEachMatch(name); !slices.Equal(all, want) {
						t.Fatalf("%s: got %#x, want %#x", name, all, want)
					}
				}
				if _, known := real.matches[name+"~"]; !known {
					_, ok, cost = d.LookupName(name + "~")
					if ok {
						t.Fatalf("%s~ was found", name)
					}
					misses.Add(cost)
					missed++
				}
			}
			n := float64(len(real.matches))
			t.Logf("%+v hit: probes %.2f entries %.1f hops %.1f lines %.1f tokens %.1f; miss: probes %.2f hops %.1f lines %.1f", d.Space(),
				float64(hits.Probes)/n, float64(hits.Entries)/n, float64(hits.Hops)/n, float64(hits.CacheLines.Total())/n, float64(hits.Tokens)/n,
				float64(misses.Probes)/float64(missed), float64(misses.Hops)/float64(missed), float64(misses.CacheLines.Total())/float64(missed))
		})
	}
}
