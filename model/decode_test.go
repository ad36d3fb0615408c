// SPDX-License-Identifier: GPL-2.0-only

package model

import (
	"encoding/binary"
	"errors"
	"slices"
	"testing"
)

func TestDecodeRefuses(t *testing.T) {
	for _, c := range []struct {
		reason string
		spoil  func(t *Tables)
	}{
		{"the stream ends between records", func(t *Tables) { t.Names = t.Names[:2] }},
		{"the stream ends in a record", func(t *Tables) { t.Names[0] = 0x7f }},
		{"the stream ends in a long length", func(t *Tables) { t.Names = []byte{0x80} }},
		{"the stream goes on", func(t *Tables) { t.Names = append(t.Names, 1, 'a') }},
		{"a record without a type", func(t *Tables) { t.Names = append([]byte{0}, t.Names...) }},
		{"a marker that leads elsewhere", func(t *Tables) { t.Markers[0]++ }},
		{"no marker", func(t *Tables) { t.Markers = nil }},
		{"a token without an end", func(t *Tables) { t.TokenTable = t.TokenTable[:len(t.TokenTable)-1] }},
		{"a token behind the table", func(t *Tables) { t.TokenIndex[3] = 0xffff }},
		{"name order of other length", func(t *Tables) { t.SeqsOfNames = t.SeqsOfNames[3:] }},
		{"name order that repeats a symbol", func(t *Tables) { copy(t.SeqsOfNames, t.SeqsOfNames[3:6]) }},
		{"name order that leads nowhere", func(t *Tables) { t.SeqsOfNames[0] = 1 }},
	} {
		tables, err := Encode(names("a", "b", "ab"), EncodeOptions{MarkerShift: 8})
		if err != nil {
			t.Fatal(err)
		}
		c.spoil(tables)
		if _, err := Decode(tables); !errors.Is(err, ErrTables) {
			t.Errorf("%s: got %v, want ErrTables", c.reason, err)
		}
	}
}

// FuzzDecode feeds the decoder tables that nobody encoded. What it accepts, it
// must have read without leaving them, and reading them again gives the same.
func FuzzDecode(f *testing.F) {
	tables, err := Encode(names("a", "ab", "aab"), EncodeOptions{MarkerShift: 1})
	if err != nil {
		f.Fatal(err)
	}
	index := binary.BigEndian.AppendUint16(nil, 0)
	f.Add(tables.Names, tables.TokenTable, index, tables.SeqsOfNames, uint8(3), uint8(1))
	f.Add([]byte{0x80, 0x01, 1}, []byte("a\x00"), index, []byte{0, 0, 0}, uint8(1), uint8(0))
	f.Fuzz(func(t *testing.T, names, tokenTable, index, seqs []byte, n, shift uint8) {
		tables := &Tables{
			Names: names, TokenTable: tokenTable, SeqsOfNames: seqs,
			Addrs: make([]uint64, n), MarkerShift: uint(shift) % (MaxMarkerShift + 1),
		}
		for i := range tables.TokenIndex {
			if 2*i+1 < len(index) {
				tables.TokenIndex[i] = binary.BigEndian.Uint16(index[2*i:])
			}
		}
		for at, i := 0, 0; at+1 < len(names) && i < int(n); i++ { // markers that fit
			if i&(1<<tables.MarkerShift-1) == 0 {
				tables.Markers = append(tables.Markers, uint32(at))
			}
			header, size := recordHeader(names, at)
			at += header + size
		}
		first, err := Decode(tables)
		if err != nil {
			if !errors.Is(err, ErrTables) {
				t.Fatalf("an error of no kind: %v", err)
			}
			return
		}
		if len(first) != int(n) {
			t.Fatalf("%d symbols, want %d", len(first), n)
		}
		again, err := Decode(tables)
		if err != nil || !slices.Equal(first, again) {
			t.Fatalf("the second reading differs: %v", err)
		}
	})
}
