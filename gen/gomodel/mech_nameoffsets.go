// SPDX-License-Identifier: GPL-2.0-only

package gomodel

func init() {
	register("name-offsets", mechanism{apply: func(d *design, _ map[string]int) error {
		d.change("name-offsets", "the name-ordered table holds stream offsets, so that no probe\nwalks; the sequence number is recovered once, after a hit.")
		d.finish = append(d.finish, func(d *design) error {
			d.order.lookups = append(d.order.lookups, recovery(&d.locator))
			return d.batchUseless("name-offsets")
		})
		return fill(&d.order, nameOffsets())
	}})
}

func nameOffsets() part {
	return part{
		by:     "name-offsets",
		fields: []field{{"Order", "[]byte", "where the records start, in name order, three bytes each"}},
		costs:  []field{{"Recovery", "int", "known record starts compared to recover a sequence number"}},
		before: "\nstarts := make([]int, len(symbols))",
		stream: "\nstarts[pos] = len(t.Names)",
		after: `
for _, pos := range byName(symbols) {
	if t.Order, err = pack(t.Order, starts[pos]); err != nil {
		return nil, err
	}
}`,
		sizes: []size{orderSize},
		lookups: append([]function{
			method("seqOfRank", "rank int, cost *Cost", "int",
				"seqOfRank is the sequence number of the symbol at rank in name order.",
				"return t.seqOfOffset(unpack(t.Order, rank), cost)"),
			method("compareRank", "name string, rank int, cost *Cost", "int",
				"compareRank compares name with the symbol at rank in name order. It need not\nlook for the record.",
				"return t.compareName(name, unpack(t.Order, rank), cost)"),
		}, rankSearch("low", "high")...),
		checks: rankChecks(
			property("the name order is sorted by name, then address, then position", "checkNameOrder",
				"checkNameOrder holds the table, and what is recovered from it, against a\npermutation that is sorted elsewhere.", `
starts := recordStarts(t.Names)
for rank, pos := range specNameOrder(symbols) {
	if got := unpack(t.Order, rank); got != starts[pos] {
		return fmt.Sprintf("rank %d holds offset %d, expected %d", rank, got, starts[pos])
	}
	var cost Cost
	if got := t.seqOfRank(rank, &cost); got != pos {
		return fmt.Sprintf("rank %d is recovered as symbol %d, expected %d", rank, got, pos)
	}
}
return ""`),
			property("a lookup looks for one record at most, after the hit", "checkRecovery",
				"checkRecovery bounds what a lookup does to recover a sequence number.", `
for _, name := range queries(symbols) {
	var cost Cost
	t.LookupName(name, &cost)
	if most := bits.Len(uint(len(symbols))); cost.Walks > 1 || cost.Recovery > most {
		return fmt.Sprintf("%q took %d walks and %d steps to recover, expected at most 1 and %d",
			name, cost.Walks, cost.Recovery, most)
	}
}
return ""`)),
	}
}

// recovery turns a stream offset back into a sequence number.
func recovery(l *locator) function {
	body := `
cost.Walks++
low, high := 0, ` + l.anchors + `
for high-low > 1 {
	mid := low + (high-low)/2
	cost.Recovery++
	if ` + l.anchor("mid") + ` <= off {
		low = mid
	} else {
		high = mid
	}
}
`
	doc := "seqOfOffset is the sequence number of the record at off: the last known start"
	if !l.walks() {
		return method("seqOfOffset", "off int, cost *Cost", "int",
			doc+"\nat or before it is its own.", body+"return low")
	}
	return method("seqOfOffset", "off int, cost *Cost", "int",
		doc+"\nat or before it, and one walk from there.", body+`hops := 0
for at := `+l.anchor("low")+`; at < off; hops++ {
	_, at = t.record(at)
}
cost.walked(hops)
return low<<`+l.shift+` + hops`)
}
