// SPDX-License-Identifier: GPL-2.0-only

package model

import (
	"errors"
	"os"
	"slices"
	"testing"
)

// realTable is the table of the real map, with what the specification says of
// its names, found in one scan.
type realTable struct {
	symbols []Symbol
	tables  *Tables
	matches map[string][]uint64
}

func readRealTable(tb testing.TB) *realTable {
	tb.Helper()
	f, err := os.Open(realMap(tb))
	if err != nil {
		tb.Fatal(err)
	}
	defer f.Close()
	m, err := Read(f)
	if err != nil {
		tb.Fatal(err)
	}
	r := &realTable{matches: map[string][]uint64{}}
	r.symbols, _ = Prepare(m.Symbols, PrepareOptions{AllSymbols: true})
	for _, s := range r.symbols {
		r.matches[s.Name] = append(r.matches[s.Name], s.Addr)
	}
	r.tables = mustEncode(tb, r.symbols)
	return r
}

// counts is the mean cost of lookups.
type counts struct {
	total   Cost
	lookups int
}

func (c *counts) add(cost Cost) {
	c.total.Add(cost)
	c.lookups++
}

func (c *counts) mean(count int) float64 { return float64(count) / float64(c.lookups) }

// lookUpAll looks up every name of the real map, and with a byte appended, which
// misses. It returns the costs of hits and misses, and of hits where a name
// counts as often as there are symbols of it.
func lookUpAll(t *testing.T, d *Design, real *realTable) (hits, misses, bySymbol counts) {
	t.Helper()
	for name, want := range real.matches {
		addr, ok, cost := d.LookupName(name)
		if addr != want[0] || !ok {
			t.Fatalf("%s: got %#x, %v; want %#x", name, addr, ok, want[0])
		}
		hits.add(cost)
		for range want {
			bySymbol.add(cost)
		}
		if len(want) > 1 {
			if all, _ := d.OnEachMatch(name); !slices.Equal(all, want) {
				t.Fatalf("%s: got %#x, want %#x", name, all, want)
			}
		}
		if _, known := real.matches[name+"~"]; known {
			continue
		}
		if _, ok, cost = d.LookupName(name + "~"); ok {
			t.Fatalf("%s~ was found", name)
		}
		misses.add(cost)
	}
	return hits, misses, bySymbol
}

// TestRealMap looks up every name of the real map through designs of every
// kind, and holds the mean costs to what docs/designs.md says of them: hops and
// probes of a hit, within a tenth.
func TestRealMap(t *testing.T) {
	real := readRealTable(t)
	n := len(real.symbols)
	hash := Choice{Locate: SubMarkers, Shift: 5, Order: HashOrder, BucketShift: 4, StartBits: NarrowStarts, TokenMatch: true}
	fast := Choice{Locate: GroupSizes, Shift: 4, Order: HashBlocks, BucketShift: 4, StartBits: NarrowStarts, BlockShift: 3, EntryBytes: 3, TokenMatch: true}
	small := Choice{Locate: SubMarkers, Shift: 5, Order: HashBlocks, BucketShift: 3, StartBits: NarrowStarts, BlockShift: 5, EntryBytes: 2, TokenMatch: true}
	for _, tc := range []struct {
		choice       Choice
		hops, probes float64
		bytes        int // at most
	}{
		{StockChoice(), 2233, 17.4, 0},
		{Choice{Locate: Density, Shift: 8, TokenMatch: true}, 2233, 17.4, 0},
		{Choice{Locate: Density, Shift: 4, TokenMatch: true}, 124.7, 17.4, AddedMarkerBytes(n, 4)},
		{Choice{Locate: SubMarkers, Shift: 4, TokenMatch: true}, 124.7, 17.4, SubMarkerBytes(n, 4)},
		{Choice{Locate: GroupSizes, Shift: 4, TokenMatch: true}, 131.2, 17.4, GroupSizeBytes(n, 4)},
		{Choice{Locate: StaticIndex, TokenMatch: true, SeqUnroll: true}, 0, 17.4, StaticIndexBytes(n)},
		{Choice{Locate: Density, Shift: 8, Batch: true, TokenMatch: true}, 0, 17.4, 0},
		{Choice{Locate: Density, Shift: 8, Order: NameOffsets, TokenMatch: true}, 127.4, 16.8, 0},
		{Choice{Locate: SubMarkers, Shift: 5, Order: NameOffsets, TokenMatch: true}, 15.5, 16.8, SubMarkerBytes(n, 5)},
		{hash, 17.4, 1.12, SubMarkerBytes(n, 5) + n/14},
		{Choice{Locate: Density, Shift: 6, Order: HashOrder, BucketShift: 5, StartBits: WideStarts}, 39.4, 1.25, AddedMarkerBytes(n, 6) + n/15},
		{fast, 8.0, 4.62, GroupSizeBytes(n, 4) + n/14},
		{small, 30.6, 32.0, SubMarkerBytes(n, 5) + n/7 - n},
	} {
		t.Run(tc.choice.String(), func(t *testing.T) {
			t.Parallel()
			d, err := NewDesign(real.tables, tc.choice)
			if err != nil {
				t.Fatal(err)
			}
			if tc.choice.Batch {
				setup := d.Batch().Start(true)
				t.Logf("setting up a batch walks %d records", setup.Hops)
			}
			hits, misses, bySymbol := lookUpAll(t, d, real)
			hops, probes := hits.mean(hits.total.Hops), hits.mean(hits.total.Probes)
			if !near(hops, tc.hops) || !near(probes, tc.probes) {
				t.Errorf("a hit takes %.2f hops and %.2f probes, want %.2f and %.2f", hops, probes, tc.hops, tc.probes)
			}
			if entries := misses.mean(misses.total.Entries); tc.choice.Order == HashBlocks && entries > 0.7*float64(int(1)<<tc.choice.BucketShift) {
				t.Errorf("a miss reads %.1f entries, expected it to stop at a greater fingerprint", entries)
			}
			if got := d.Space().TableBytes; got > tc.bytes {
				t.Errorf("adds %d bytes, want at most %d", got, tc.bytes)
			}
			t.Logf("%+v", d.Space())
			t.Logf("hit:  probes %.2f hops %.1f sums %.1f entries %.1f tokens %.1f lines %.1f; hops by symbol %.1f, lines %.1f",
				probes, hops, hits.mean(hits.total.Sums), hits.mean(hits.total.Entries), hits.mean(hits.total.Tokens),
				hits.mean(hits.total.CacheLines.Total()), bySymbol.mean(bySymbol.total.Hops), bySymbol.mean(bySymbol.total.CacheLines.Total()))
			t.Logf("miss: probes %.2f hops %.1f sums %.1f entries %.1f tokens %.1f lines %.1f",
				misses.mean(misses.total.Probes), misses.mean(misses.total.Hops), misses.mean(misses.total.Sums),
				misses.mean(misses.total.Entries), misses.mean(misses.total.Tokens), misses.mean(misses.total.CacheLines.Total()))
		})
	}
	t.Run("too many blocks for entries of two bytes", func(t *testing.T) {
		c := small
		c.BlockShift = 1
		if _, err := NewDesign(real.tables, c); !errors.Is(err, ErrBlockNumber) {
			t.Errorf("got %v, want %v", err, ErrBlockNumber)
		}
	})
}

func near(got, want float64) bool { return got >= 0.9*want && got <= 1.1*want }
