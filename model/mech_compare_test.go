// SPDX-License-Identifier: GPL-2.0-only

package model

import (
	"errors"
	"math"
	"testing"
)

// comparedTable is a table whose tokens are known: "Tf" is one, "oo" another.
func comparedTable() *Tables {
	t := &Tables{
		Names: []byte{
			2, 1, 2, // T foo: type and first character in one token
			3, 'T', 'f', 2, // T foo: the type is a token of its own
			1, 'T', // the empty name
			1, 3, // T with the whole name in one token
			1, 'd', // the empty name, type d
		},
		Markers:     []uint32{0},
		MarkerShift: StockMarkerShift,
		Addrs:       make([]uint64, 5),
		SeqsOfNames: []byte{0, 0, 2, 0, 0, 4, 0, 0, 0, 0, 0, 1, 0, 0, 3},
	}
	for i := range t.TokenIndex {
		t.TokenIndex[i] = uint16(len(t.TokenTable))
		switch i {
		case 1:
			t.TokenTable = append(t.TokenTable, "Tf\x00"...)
		case 2:
			t.TokenTable = append(t.TokenTable, "oo\x00"...)
		case 3:
			t.TokenTable = append(t.TokenTable, "T\xe9tat\x00"...)
		case 0:
			t.TokenTable = append(t.TokenTable, 0)
		default:
			t.TokenTable = append(t.TokenTable, byte(i), 0)
		}
	}
	return t
}

func TestComparers(t *testing.T) {
	s, err := newStream(comparedTable())
	if err != nil {
		t.Fatal(err)
	}
	for _, tc := range []struct {
		reason          string
		seq             int
		name            string
		want            int
		matched, tokens int // of token-match
	}{
		{"the type shares a token with the name", 0, "foo", 0, 4, 2},
		{"the type is a token", 1, "foo", 0, 4, 3},
		{"leaves in the first token", 0, "zoo", 1, 1, 1},
		{"leaves in the second", 0, "fzo", 1, 2, 2},
		{"the name is a prefix of the symbol", 0, "fo", -1, 3, 2},
		{"the symbol is a prefix of the name", 0, "foo2", 1, 4, 2},
		{"the empty name against a symbol", 0, "", -1, 1, 1},
		{"the empty name has no character but the type", 2, "", 0, 1, 1},
		{"a name against the empty symbol", 2, "T", 1, 1, 1},
		{"bytes are unsigned: z is before e acute", 3, "z", -1, 1, 1},
		{"bytes are unsigned: the name's too", 0, "\xe9", 1, 1, 1},
	} {
		off := int(s.start[tc.seq])
		var stock, match meter
		stock.start()
		match.start()
		if got := compareExpanded(s, &stock, tc.name, off); got != tc.want {
			t.Errorf("%s: expanded: got %d, want %d", tc.reason, got, tc.want)
		}
		if got := compareTokens(s, &match, tc.name, off); got != tc.want {
			t.Errorf("%s: matched: got %d, want %d", tc.reason, got, tc.want)
		}
		if got := match.cost; got.NameBytes != tc.matched || got.Tokens != tc.tokens {
			t.Errorf("%s: %d bytes of %d tokens matched, want %d of %d",
				tc.reason, got.NameBytes, got.Tokens, tc.matched, tc.tokens)
		}
		if stock.cost.NameBytes != match.cost.NameBytes || stock.cost.Tokens < match.cost.Tokens {
			t.Errorf("%s: expanding compares %d bytes of %d tokens, matching %d of %d", tc.reason,
				stock.cost.NameBytes, stock.cost.Tokens, match.cost.NameBytes, match.cost.Tokens)
		}
	}
}

func TestSymbolTypes(t *testing.T) {
	d, err := NewDesign(comparedTable(), StockChoice())
	if err != nil {
		t.Fatal(err)
	}
	for seq, want := range []byte{'T', 'T', 'T', 'T', 'd'} {
		if got, _ := d.SymbolType(seq); got != want {
			t.Errorf("symbol %d: got %q, want %q", seq, got, want)
		}
	}
}

func TestSeqDecoders(t *testing.T) {
	for _, tc := range []struct {
		bytes packed
		want  int
	}{
		{packed{0, 0, 0}, 0},
		{packed{1, 2, 3}, 66051},
		{packed{0xff, 0xff, 0xff}, maxPacked - 1},
		{packed{0x80, 0, 0}, 1 << 23},
	} {
		p := append(packed{9, 9, 9}, tc.bytes...) // an entry before it
		if loop, unrolled := decodeLoop(p, 1), decodeUnrolled(p, 1); loop != tc.want || unrolled != tc.want {
			t.Errorf("% x: got %d and %d, want %d", tc.bytes, loop, unrolled, tc.want)
		}
		if got := appendPacked(packed{9, 9, 9}, tc.want); string(got) != string(p) {
			t.Errorf("%d: packed as % x, want % x", tc.want, got, p)
		}
	}
}

// TestRefusedSizes: where symbols do not fit the arrays of a design, it is
// refused, one symbol more than fits.
func TestRefusedSizes(t *testing.T) {
	long := &stream{Tables: &Tables{}, symbols: make([]Symbol, 129), start: make([]uint32, 129)}
	long.start[128] = math.MaxUint16
	if _, err := newSubMarkers(long, 7); err != nil {
		t.Errorf("a sub-marker of 65535: %v", err)
	}
	long.start[128]++
	wantError(t, "a sub-marker of 65536", ErrSubMarker, func() error { _, err := newSubMarkers(long, 7); return err })

	s := &stream{
		Tables:  &Tables{SeqsOfNames: make([]byte, 6)},
		symbols: make([]Symbol, 2),
		start:   make([]uint32, 2),
	}
	s.start[1] = maxPacked - 1
	if _, err := newStaticIndex(s, decodeLoop); err != nil {
		t.Errorf("a stream offset of 2^24-1: %v", err)
	}
	s.start[1] = maxPacked
	wantError(t, "a static index to 2^24", ErrStreamOffset, func() error { _, err := newStaticIndex(s, decodeLoop); return err })
	wantError(t, "a name order of offsets to 2^24", ErrStreamOffset,
		func() error { _, err := newOffsetsOfNames(&parts{stream: s}); return err })

	b := buckets{count: 1, shift: 4}
	if _, err := newWideStarts(b, []int{0, math.MaxInt16 + 16}); err != nil {
		t.Errorf("a start 32767 late: %v", err)
	}
	wantError(t, "a start 32768 late", ErrBucketStart,
		func() error { _, err := newWideStarts(b, []int{0, math.MaxInt16 + 17}); return err })
}

func wantError(t *testing.T, reason string, want error, call func() error) {
	t.Helper()
	if err := call(); !errors.Is(err, want) {
		t.Errorf("%s: got %v, want %v", reason, err, want)
	}
}
