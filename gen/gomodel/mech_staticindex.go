// SPDX-License-Identifier: GPL-2.0-only

package gomodel

import "kgen/model"

func init() {
	register("static-index", mechanism{apply: func(d *design, _ map[string]int) error {
		d.change("static-index", "the stream offset of every symbol, in three bytes of read-only\ndata, takes the place of the markers; nothing is walked.")
		return d.locate(staticIndex)
	}})
}

var staticIndex = locator{
	part: part{
		by:     "static-index",
		fields: []field{{"Index", "[]byte", "where every record starts, three bytes each"}},
		stream: `
if t.Index, err = pack(t.Index, len(t.Names)); err != nil {
	return nil, err
}`,
		sizes: []size{{"len(t.Index)", "3*n", model.StaticIndexBytes}},
		checks: []check{property("the index says where every record starts, and no walk takes a hop", "checkIndex",
			"checkIndex holds the index against the record starts, found without it.", `
starts := recordStarts(t.Names)
for pos := range symbols {
	if got := unpack(t.Index, pos); got != starts[pos] {
		return fmt.Sprintf("entry %d is %d, expected %d", pos, got, starts[pos])
	}
	var cost Cost
	t.symbolOffset(pos, &cost)
	if cost.Hops != 0 {
		return fmt.Sprintf("symbol %d took %d hops, expected none", pos, cost.Hops)
	}
}
return ""`)},
	},
	anchor:  func(k string) string { return "unpack(t.Index, " + k + ")" },
	anchors: "len(t.Addrs)",
	period:  "80",
}
