// SPDX-License-Identifier: GPL-2.0-only

package model

import (
	"errors"
	"slices"
	"testing"
)

// nameAnswer is what the specification says of a name.
type nameAnswer struct {
	name    string
	start   int
	end     int
	found   bool
	addr    uint64
	matches []uint64
}

func specNames(spec *Spec, names []string) []nameAnswer {
	answers := make([]nameAnswer, len(names))
	for i, name := range names {
		start, end, err := spec.NameRange(name)
		answers[i] = nameAnswer{name, start, end, err == nil, spec.LookupName(name), spec.Matches(name)}
	}
	return answers
}

// TestDesignsAnswerAsSpecified holds every legal design to the specification on
// every hard table, with and without an open batch.
func TestDesignsAnswerAsSpecified(t *testing.T) {
	for _, table := range hardTables() {
		t.Run(table.reason, func(t *testing.T) {
			t.Parallel()
			tables := mustEncode(t, table.symbols)
			spec := &Spec{Symbols: table.symbols}
			names := specNames(spec, queries(table.symbols))
			for _, c := range choicesFor(table.symbols) {
				d, err := NewDesign(tables, c)
				if err != nil {
					t.Fatalf("%v: %v", c, err)
				}
				checkNames(t, d, names)
				checkPositions(t, d, spec)
				if d.Batch() != nil {
					d.Batch().Start(true)
					checkNames(t, d, names)
					checkPositions(t, d, spec)
				}
				if t.Failed() {
					t.Fatalf("with %v", c)
				}
			}
		})
	}
}

// choicesFor leaves out, of designs with buckets, those that vary both the
// buckets and the rest, and for larger tables those that differ where size does
// not matter.
func choicesFor(symbols []Symbol) []Choice {
	return slices.DeleteFunc(Choices(), func(c Choice) bool {
		plain := c.Locate == Density && c.Shift == StockMarkerShift && c.TokenMatch && !c.SeqUnroll && !c.Batch
		usual := c.BucketShift == 4 && c.StartBits == NarrowStarts && (c.BlockShift == 4 && c.EntryBytes == 2 || c.Order == HashOrder)
		return c.BucketShift != 0 && !plain && !usual ||
			len(symbols) > 32 && (c.SeqUnroll || c.Shift%4 != 0 && c.Shift != 5)
	})
}

// checkNames holds the answers and the counts of lookups by name.
func checkNames(t *testing.T, d *Design, answers []nameAnswer) {
	t.Helper()
	for _, want := range answers {
		addr, ok, cost := d.LookupName(want.name)
		if addr != want.addr || ok != (want.found && want.name != "") {
			t.Errorf("LookupName(%q): got %#x, %v; want %#x, %v", want.name, addr, ok, want.addr, want.found)
		}
		checkBounds(t, d, want, cost)
		start, end, ok, cost := d.NamesRange(want.name)
		switch {
		case ok != want.found, ok && end-start != want.end-want.start:
			t.Errorf("NamesRange(%q): got %d, %d, %v; want %d, %d, %v",
				want.name, start, end, ok, want.start, want.end, want.found)
		case ok && d.Choice().BucketShift == 0 && start != want.start:
			t.Errorf("NamesRange(%q): starts at %d, want %d", want.name, start, want.start)
		}
		checkBounds(t, d, want, cost)
		if addrs, _ := d.OnEachMatch(want.name); !slices.Equal(addrs, want.matches) {
			t.Errorf("OnEachMatch(%q): got %#x, want %#x", want.name, addrs, want.matches)
		}
	}
}

// checkBounds holds what a lookup may cost at most.
func checkBounds(t *testing.T, d *Design, answer nameAnswer, cost Cost) {
	t.Helper()
	matches := len(answer.matches)
	c := d.Choice()
	if c.BucketShift == 0 && cost.Probes > MaxProbes(d.stream.count())+matches+2 {
		t.Errorf("%q: %d probes among %d symbols, %d of the name", answer.name, cost.Probes, d.stream.count(), matches)
	}
	walks, within := cost.Probes, 0
	switch c.Order {
	case NameOffsets:
		walks = matches
	case HashBlocks: // goes on to the next record after each probe but the last
		within = cost.Probes
	}
	if longest := longestWalk(c); cost.Hops > longest*walks+within {
		t.Errorf("%q: %d hops in %d walks, expected at most %d each", answer.name, cost.Hops, walks, longest)
	}
}

// longestWalk is the most hops to one record.
func longestWalk(c Choice) int {
	if c.Locate == GroupSizes { // all groups may have to be walked
		return WorstHops(StockMarkerShift)
	}
	return WorstHops(c.Shift)
}

// checkPositions holds what a design says of every symbol and every address.
func checkPositions(t *testing.T, d *Design, spec *Spec) {
	t.Helper()
	for seq, s := range spec.Symbols {
		off, cost := d.SymbolOffset(seq)
		if off != int(d.stream.start[seq]) {
			t.Errorf("SymbolOffset(%d): got %d, want %d", seq, off, d.stream.start[seq])
		}
		if longest := longestWalk(d.Choice()); cost.Hops > longest {
			t.Errorf("SymbolOffset(%d): %d hops, expected at most %d", seq, cost.Hops, longest)
		}
		if got, _ := d.SymbolType(seq); got != s.Type {
			t.Errorf("SymbolType(%d): got %q, want %q", seq, got, s.Type)
		}
		if seq%16 != 0 { // the specification takes its time
			continue
		}
		for _, addr := range []uint64{s.Addr - 1, s.Addr, s.Addr + 1} {
			want := spec.SymbolPos(addr)
			got, ok, _ := d.LookupAddr(addr)
			if !ok || got.Seq != want.Pos || addr-got.Start != want.Offset || got.Name != spec.Symbols[want.Pos].Name {
				t.Errorf("LookupAddr(%#x): got %+v, %v; want %+v", addr, got, ok, want)
			}
			if got.HasNext && got.Next-got.Start != want.Size {
				t.Errorf("LookupAddr(%#x): next at %#x, want a size of %d", addr, got.Next, want.Size)
			}
		}
	}
}

// TestEmptyTableHasNoPlaces covers the one case that get_symbol_pos() cannot.
func TestEmptyTableHasNoPlaces(t *testing.T) {
	d, err := NewDesign(mustEncode(t, nil), StockChoice())
	if err != nil {
		t.Fatal(err)
	}
	if at, ok, _ := d.LookupAddr(0x1000); ok {
		t.Errorf("got %+v in a table without symbols", at)
	}
}

// TestSpace holds the bytes of designs to the figures.
func TestSpace(t *testing.T) {
	const n = 1000
	tables := mustEncode(t, numbered(n))
	for _, tc := range []struct {
		reason string
		choice Choice
		want   Space
	}{
		{"stock adds nothing", StockChoice(), Space{}},
		{"denser markers", Choice{Locate: Density, Shift: 4}, Space{TableBytes: AddedMarkerBytes(n, 4)}},
		{"sub-markers", Choice{Locate: SubMarkers, Shift: 4}, Space{TableBytes: SubMarkerBytes(n, 4)}},
		{"group sizes", Choice{Locate: GroupSizes, Shift: 4}, Space{TableBytes: 4 * 16}},
		{"a static index saves the markers", Choice{Locate: StaticIndex}, Space{TableBytes: 3*n - 4*4}},
		{"a batch takes memory only", Choice{Locate: Density, Shift: 8, Batch: true}, Space{RAMBytes: 4 * n}},
		{"name-offsets replace sequence numbers", Choice{Locate: Density, Shift: 8, Order: NameOffsets}, Space{}},
		{"64 starts of two bytes", Choice{Locate: Density, Shift: 8, Order: HashOrder, BucketShift: 4, StartBits: 16},
			Space{TableBytes: 2 * 64}},
		{"64 starts of one byte, a base", Choice{Locate: Density, Shift: 8, Order: HashOrder, BucketShift: 4, StartBits: 8},
			Space{TableBytes: 64 + 4}},
		{"an entry of two bytes for each symbol is one byte less",
			Choice{Locate: Density, Shift: 8, Order: HashBlocks, BucketShift: 4, StartBits: 8, BlockShift: 1, EntryBytes: 2},
			Space{TableBytes: 64 + 4 - n}},
	} {
		d, err := NewDesign(tables, tc.choice)
		if err != nil {
			t.Fatal(err)
		}
		if got := d.Space(); got != tc.want {
			t.Errorf("%s: got %+v, want %+v", tc.reason, got, tc.want)
		}
	}
}

// TestMarkersAreTheEncoders: a design makes the markers that the host tool
// would have written at its density, from tables of any density.
func TestMarkersAreTheEncoders(t *testing.T) {
	symbols := numbered(1000)
	for shift := range uint(MaxMarkerShift + 1) {
		encoded, err := Encode(symbols, EncodeOptions{MarkerShift: shift})
		if err != nil {
			t.Fatal(err)
		}
		s, err := newStream(mustEncode(t, symbols))
		if err != nil {
			t.Fatal(err)
		}
		if got := newMarkers(s, shift).marker; !slices.Equal(got, encoded.Markers) {
			t.Errorf("shift %d: the design's markers are not the encoder's", shift)
		}
	}
}

func TestUnfitTables(t *testing.T) {
	for _, tc := range []struct {
		reason string
		spoil  func(t *Tables)
	}{
		{"a byte after the last record", func(t *Tables) { t.Names = append(t.Names, 0) }},
		{"the last record is cut", func(t *Tables) { t.Names = t.Names[:len(t.Names)-1] }},
		{"no record at all", func(t *Tables) { t.Names = nil }},
		{"an address too many", func(t *Tables) { t.Addrs = append(t.Addrs, 1) }},
		{"half an entry of the name order", func(t *Tables) { t.SeqsOfNames = t.SeqsOfNames[1:] }},
	} {
		tables := mustEncode(t, numbered(20))
		tc.spoil(tables)
		if _, err := NewDesign(tables, StockChoice()); !errors.Is(err, ErrTables) {
			t.Errorf("%s: got %v, want %v", tc.reason, err, ErrTables)
		}
	}
}
