// SPDX-License-Identifier: GPL-2.0-only

package gomodel

import (
	"fmt"
	"strconv"

	"kgen/model"
)

// The stock kernel, slot by slot. Mechanisms replace these or reuse them with
// other parameters.

// markers is kallsyms_markers with one entry every 1<<shift symbols.
func markers(shift int) locator {
	every := "every symbol"
	if shift > 0 {
		every = fmt.Sprintf("every %d symbols", 1<<shift)
	}
	return locator{
		part: part{
			constants: []constant{
				{"MarkerShift", strconv.Itoa(shift), "MarkerShift is log2 of the marker spacing: one marker " + every + "."},
				{"MarkerMask", "1<<MarkerShift - 1", "MarkerMask takes from a position its distance to the marker before it."},
				{"MaxHops", "MarkerMask", "MaxHops is the longest walk from a marker to a symbol."},
			},
			fields: []field{{"Markers", "[]uint32", "kallsyms_markers: where every 1<<MarkerShift-th record starts"}},
			stream: `
if pos&MarkerMask == 0 {
	t.Markers = append(t.Markers, uint32(len(t.Names)))
}`,
			sizes: []size{{"4*len(t.Markers)", "4*((n+MarkerMask)>>MarkerShift)",
				func(n int) int { return model.MarkerBytes(n, uint(shift)) }}},
			checks: []check{property("a marker stands at every 1<<MarkerShift-th record and nowhere else", "checkMarkers",
				"checkMarkers holds the markers against the record starts, found without them.", `
starts := recordStarts(t.Names)
if want := (len(symbols) + 1<<MarkerShift - 1) >> MarkerShift; len(t.Markers) != want {
	return fmt.Sprintf("%d symbols have %d markers, expected %d", len(symbols), len(t.Markers), want)
}
for k, off := range t.Markers {
	if want := starts[k<<MarkerShift]; int(off) != want {
		return fmt.Sprintf("marker %d is %d, expected %d", k, off, want)
	}
}
return ""`)},
		},
		anchor:  func(k string) string { return "int(t.Markers[" + k + "])" },
		anchors: "len(t.Markers)",
		shift:   "MarkerShift",
		mask:    "MarkerMask",
		period:  "1<<MarkerShift + 80",
	}
}

// expandAndCompare writes the symbol out before it compares.
func expandAndCompare() part {
	return part{lookups: []function{method("compareName", "name string, off int, cost *Cost", "int",
		`compareName compares name with the symbol at off, as strcmp() does after
kallsyms_expand_symbol(): every token of the record is expanded first.`, `
data, _ := t.record(off)
cost.Tokens += len(data)
symbol, _ := t.expand(off)
return strings.Compare(name, symbol)`)}}
}

// seqLoop is get_symbol_seq() as it is.
func seqLoop() part {
	return seqPart("", `
for j := range 3 {
	v = v<<8 | int(table[3*i+j])
}
return v`)
}

// seqPart is the reader of tables of three bytes an entry. The writer and the
// test of the byte order belong to it.
func seqPart(by, body string) part {
	return part{
		by: by,
		lookups: []function{{name: "unpack", params: "table []byte, i int", results: "(v int)",
			doc: `unpack is get_symbol_seq(): the number in the three bytes at entry i, most
significant byte first on every host.`, body: body}},
		encoders: []function{{name: "pack", params: "table []byte, v int", results: "([]byte, error)",
			doc: `pack appends an entry of three bytes. It refuses what they cannot hold, where a
host tool that does not look would write the low 24 bits.`, body: `
if v >= 1<<24 {
	return nil, fmt.Errorf("%d does not fit three bytes", v)
}
return append(table, byte(v>>16), byte(v>>8), byte(v)), nil`}},
		tests: []function{{name: "TestEntries", params: "tt *testing.T",
			doc: "TestEntries: 01 02 03 is 66051, and the greatest entry is 1<<24 - 1.", body: `
table := []byte{0, 0, 0, 1, 2, 3, 0xff, 0xff, 0xff}
var packed []byte
for i, want := range []int{0, 66051, 1<<24 - 1} {
	if got := unpack(table, i); got != want {
		tt.Errorf("entry %d is %d, expected %d", i, got, want)
	}
	var err error
	if packed, err = pack(packed, want); err != nil {
		tt.Errorf("%d is refused: %v", want, err)
	}
}
if !bytes.Equal(packed, table) {
	tt.Errorf("packed are % x, expected % x", packed, table)
}
if _, err := pack(nil, 1<<24); err == nil {
	tt.Error("1<<24 is packed, expected an error")
}`}},
	}
}
