// SPDX-License-Identifier: GPL-2.0-only

package model

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// show is a trace in short: each probe's step, symbol and verdict.
func show(t *Trace) string {
	var rows []string
	for _, p := range t.Probes {
		rows = append(rows, fmt.Sprintf("%s %s%s", p.Step, p.Verdict, p.Symbol))
	}
	return strings.Join(rows, ", ")
}

func TestTrace(t *testing.T) {
	tables := mustEncode(t, table("c", "b", "d", "b", "a"))
	for _, tc := range []struct {
		reason string
		choice Choice
		name   string
		want   string
		start  int
		end    int
	}{
		{"a hit, then both ways over its like", StockChoice(), "b",
			"search =b, first =b, first >a, last <c", 1, 2},
		{"a hit in the middle", StockChoice(), "c",
			"search >b, search =c, first >b, last <d", 3, 3},
		{"a miss", StockChoice(), "bb", "search >b, search <c", 0, 0},
		{"name-offsets search alike", Choice{Locate: Density, Shift: 8, Order: NameOffsets}, "bb",
			"search >b, search <c", 0, 0},
		{"name-offsets go nowhere that the search has been", Choice{Locate: Density, Shift: 8, Order: NameOffsets}, "c",
			"search >b, search =c, last <d", 3, 3},
	} {
		d, err := NewDesign(tables, tc.choice)
		if err != nil {
			t.Fatal(err)
		}
		got := d.TraceName(tc.name)
		if show(got) != tc.want || got.Start != tc.start || got.End != tc.end {
			t.Errorf("%s: got %s at %d to %d; want %s at %d to %d",
				tc.reason, show(got), got.Start, got.End, tc.want, tc.start, tc.end)
		}
	}
}

// TestTraceAddsUp: the probes of a trace are all the probes that are counted,
// with all their hops and bytes, and tell true positions.
func TestTraceAddsUp(t *testing.T) {
	symbols := numbered(600)
	tables := mustEncode(t, symbols)
	for _, c := range choicesFor(symbols) {
		d, err := NewDesign(tables, c)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range []string{symbols[0].Name, symbols[599].Name, "sym_", "none"} {
			trace := d.TraceName(name)
			start, end, ok, cost := d.NamesRange(name)
			if trace.Start != start || trace.End != end || trace.Found != ok || trace.Cost != cost {
				t.Fatalf("%v, %s: the trace is not of the same lookup", c, name)
			}
			probes, hops, bytes := 0, 0, 0
			for _, p := range trace.Probes {
				hops += p.Hops
				bytes += p.Bytes
				if p.Symbol != symbols[p.Seq].Name {
					t.Errorf("%v: symbol %d is %s, want %s", c, p.Seq, p.Symbol, symbols[p.Seq].Name)
				}
				if (p.Offset == nil) != (p.Verdict == Differs) {
					t.Errorf("%v: offset and verdict of %+v do not fit", c, p)
				}
				if p.Offset != nil {
					probes++
				}
			}
			if probes != cost.Probes || hops != cost.Hops || bytes != cost.NameBytes {
				t.Errorf("%v, %s: %d probes, %d hops, %d bytes; counted %+v", c, name, probes, hops, bytes, cost)
			}
			if i := slices.IndexFunc(trace.Probes, func(p Probe) bool { return p.Verdict == Equal }); (i >= 0) != ok {
				t.Errorf("%v, %s: found %v, but the probes disagree", c, name, ok)
			}
		}
	}
}
