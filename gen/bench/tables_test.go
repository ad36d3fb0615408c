// SPDX-License-Identifier: GPL-2.0-only

package bench

import (
	"bytes"
	"encoding/binary"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"kgen/gen/harness"
)

func TestLayOut(t *testing.T) {
	im := &harness.Image{Blocks: []harness.Block{
		{Label: "bytes", Data: []byte{1, 2, 3}},
		{Label: "distances", Data: make([]byte, 12), Relocs: []harness.Reloc{
			{Offset: 0, Kind: harness.PlaceRelative, Addend: 5},
			{Offset: 4, Kind: harness.PlaceRelative, Addend: -16},
			{Offset: 8, Kind: harness.TextRelative32, Addend: 7},
		}},
		{Label: "address", Data: make([]byte, 8), Relocs: []harness.Reloc{{Offset: 0, Kind: harness.TextRelative64, Addend: 1 << 40}}},
		{Label: "again", Data: make([]byte, 4), Relocs: []harness.Reloc{{Offset: 0, Kind: harness.PlaceRelative}}},
	}}
	got, data, err := layOut(im)
	if err != nil {
		t.Fatal(err)
	}
	want := &tables{
		Labels: []label{{"bytes", 0, 3}, {"distances", 8, 12}, {"address", 24, 8}, {"again", 32, 4}},
		Places: []places{{8, 2}, {32, 1}}, // side by side are one
	}
	if diff := cmp.Diff(want, got, cmp.AllowUnexported(tables{})); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
	// What the program makes of it at an address, as read_tables() in c/pages.c does.
	const at = 0x7f000000
	for _, p := range got.Places {
		for place := p.At; place < p.At+4*p.Count; place += 4 {
			binary.LittleEndian.PutUint32(data[place:], binary.LittleEndian.Uint32(data[place:])-at)
		}
	}
	var memory []byte
	le := binary.LittleEndian
	memory = append(memory, 1, 2, 3, 0, 0, 0, 0, 0)
	for _, v := range []int64{textAt + 5 - (at + 8), textAt - 16 - (at + 12), textAt + 7, 0} {
		memory = le.AppendUint32(memory, uint32(v))
	}
	memory = le.AppendUint64(memory, textAt+1<<40)
	memory = le.AppendUint32(memory, uint32(int64(textAt-(at+32))&0xffffffff))
	if !bytes.Equal(data, memory) {
		t.Errorf("got  % x\nwant % x", data, memory)
	}
}

func TestLayOutRefuses(t *testing.T) {
	for _, tc := range []struct {
		reason string
		kind   harness.RelocKind
		addend int64
	}{
		{"farther than 32 bits reach from the last table", harness.PlaceRelative, 1<<31 - textAt},
		{"below address 0", harness.PlaceRelative, -textAt - 1},
		{"no 32-bit address", harness.TextRelative32, 1 << 31},
	} {
		t.Run(tc.reason, func(t *testing.T) {
			im := &harness.Image{Blocks: []harness.Block{{Label: "far", Data: make([]byte, 4), Relocs: []harness.Reloc{{Kind: tc.kind, Addend: tc.addend}}}}}
			if _, _, err := layOut(im); !errors.Is(err, ErrTool) || !strings.Contains(err.Error(), "far+0x0") {
				t.Errorf("got %v, expected %v with the place", err, ErrTool)
			}
		})
	}
}

func TestCheckRoom(t *testing.T) {
	of := func(size int64) *built {
		return &built{tables: &tables{Labels: []label{{"kallsyms_names", 0, size}}}}
	}
	for _, tc := range []struct {
		reason   string
		variants []*built
		fits     bool
	}{
		{"two of 500 MiB", []*built{of(500 << 20), of(500 << 20)}, true},
		{"two of 1 GiB", []*built{of(1 << 30), of(1 << 30)}, false},
		{"exactly full", []*built{of(lowMemory - hugePage)}, true},
		{"one byte more is one page more", []*built{of(lowMemory - hugePage + 1)}, false},
	} {
		t.Run(tc.reason, func(t *testing.T) {
			if err := checkRoom(tc.variants); (err == nil) != tc.fits || err != nil && !errors.Is(err, ErrTool) {
				t.Errorf("got %v", err)
			}
		})
	}
}
