// SPDX-License-Identifier: GPL-2.0-only

package gomodel

import (
	"fmt"
	"strconv"

	"kgen/model"
)

func init() {
	register("sub-markers", mechanism{
		params: map[string]limits{"shift": {2, 7}},
		apply: func(d *design, params map[string]int) error {
			shift := params["shift"]
			d.change(fmt.Sprintf("sub-markers, shift %d", shift), fmt.Sprintf(
				"the markers stay, and every 1<<%d symbols between them a\n16-bit distance from the marker shortens the walk to %d hops.", shift, 1<<shift-1))
			return d.locate(subMarkers(shift))
		},
	})
}

// subMarkers is a second table between the stock markers.
func subMarkers(shift int) locator {
	return locator{
		part: part{
			by: "sub-markers",
			constants: []constant{
				{"MarkerShift", "8", "MarkerShift is log2 of the marker spacing, as in the stock kernel."},
				{"MarkerMask", "1<<MarkerShift - 1", "MarkerMask takes from a position its distance to the marker before it."},
				{"SubShift", strconv.Itoa(shift), fmt.Sprintf("SubShift is log2 of the sub-marker spacing: one every %d symbols.", 1<<shift)},
				{"SubMask", "1<<SubShift - 1", "SubMask takes from a position its distance to the sub-marker before it."},
				{"SubsPerBlock", "1<<(MarkerShift-SubShift) - 1", "SubsPerBlock is how many sub-markers stand between two markers. None stands\nwhere a marker does: it would always be 0."},
				{"MaxHops", "SubMask", "MaxHops is the longest walk from a sub-marker to a symbol."},
			},
			fields: []field{
				{"Markers", "[]uint32", "kallsyms_markers: where every 256th record starts"},
				{"SubMarkers", "[]uint16", "how far every 1<<SubShift-th record in between is from its marker"},
			},
			stream: `
if pos&MarkerMask == 0 {
	t.Markers = append(t.Markers, uint32(len(t.Names)))
} else if pos&SubMask == 0 {
	away := len(t.Names) - int(t.Markers[pos>>MarkerShift])
	if away > 0xffff {
		return nil, fmt.Errorf("symbol %d is %d bytes after its marker, which does not fit a sub-marker", pos, away)
	}
	t.SubMarkers = append(t.SubMarkers, uint16(away))
}`,
			sizes: []size{
				{"4*len(t.Markers)", "4*((n+MarkerMask)>>MarkerShift)",
					func(n int) int { return model.MarkerBytes(n, model.StockMarkerShift) }},
				{"2*len(t.SubMarkers)", "2*((n+SubMask)>>SubShift-(n+MarkerMask)>>MarkerShift)",
					func(n int) int { return model.SubMarkerBytes(n, uint(shift)) }},
			},
			lookups: []function{method("subOffset", "k int", "int",
				"subOffset is where record k<<SubShift starts.", `
block, step := k>>(MarkerShift-SubShift), k&SubsPerBlock
off := int(t.Markers[block])
if step > 0 {
	off += int(t.SubMarkers[block*SubsPerBlock+step-1])
}
return off`)},
			checks: []check{property("a marker or a sub-marker stands at every 1<<SubShift-th record", "checkSubMarkers",
				"checkSubMarkers holds both tables against the record starts, found without them.", `
starts := recordStarts(t.Names)
n := len(symbols)
markers := (n + 255) / 256
subs := (n+1<<SubShift-1)>>SubShift - markers
if len(t.Markers) != markers || len(t.SubMarkers) != subs {
	return fmt.Sprintf("%d symbols have %d markers and %d sub-markers, expected %d and %d",
		n, len(t.Markers), len(t.SubMarkers), markers, subs)
}
for k := range markers + subs {
	if got, want := t.subOffset(k), starts[k<<SubShift]; got != want {
		return fmt.Sprintf("sub-marker %d says %d, expected %d", k, got, want)
	}
}
return ""`)},
			tests: []function{{name: "TestSubMarkerRange", params: "tt *testing.T",
				doc: "TestSubMarkerRange: a block longer than 16 bits can say is refused.", body: `
r, letters := rand.New(rand.NewSource(1)), []byte(writable())
var names []string
for range 256 {
	r.Shuffle(len(letters), func(i, j int) { letters[i], letters[j] = letters[j], letters[i] })
	names = append(names, strings.Repeat(string(letters), 3))
}
if _, err := Encode(named(names...)); err == nil {
	tt.Error("a block of more than 64 KiB is encoded, expected an error")
}`}},
		},
		anchor:  func(k string) string { return "t.subOffset(" + k + ")" },
		anchors: "len(t.Markers) + len(t.SubMarkers)",
		shift:   "SubShift",
		mask:    "SubMask",
		period:  "1<<MarkerShift + 80",
	}
}
