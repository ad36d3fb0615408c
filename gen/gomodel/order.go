// SPDX-License-Identifier: GPL-2.0-only

package gomodel

// orderSize is the size of every table that names are looked up in.
var orderSize = size{"len(t.Order)", "3*n", func(n int) int { return 3 * n }}

// nameOrder is kallsyms_seqs_of_names: sequence numbers sorted by name.
func nameOrder() part {
	return part{
		fields: []field{{"Order", "[]byte", "kallsyms_seqs_of_names: the sequence numbers in name order, three bytes each"}},
		after: `
for _, pos := range byName(symbols) {
	if t.Order, err = pack(t.Order, pos); err != nil {
		return nil, err
	}
}`,
		sizes: []size{orderSize},
		lookups: append([]function{
			method("seqOfRank", "rank int, _ *Cost", "int",
				"seqOfRank is the sequence number of the symbol at rank in name order.",
				"return unpack(t.Order, rank)"),
			method("compareRank", "name string, rank int, cost *Cost", "int",
				"compareRank compares name with the symbol at rank in name order.",
				"return t.compareName(name, t.symbolOffset(unpack(t.Order, rank), cost), cost)"),
		}, rankSearch("0", "n-1")...),
		checks: rankChecks(property("the name order is sorted by name, then address, then position", "checkNameOrder",
			"checkNameOrder holds the table against a permutation that is sorted elsewhere.", `
for rank, pos := range specNameOrder(symbols) {
	if got := unpack(t.Order, rank); got != pos {
		return fmt.Sprintf("rank %d holds symbol %d, expected %d", rank, got, pos)
	}
}
return ""`)),
	}
}

// rankSearch is the binary search over a table in name order. From the hit it
// looks at the ranks from first to last, two Go expressions.
func rankSearch(first, last string) []function {
	return []function{
		method("lookupNames", "name string, cost *Cost", "(start, end int, ok bool)",
			`lookupNames is kallsyms_lookup_names(): the ranks of all symbols of this
name. A miss is the kernel's -ESRCH.`, `
n := len(t.Addrs)
low, mid, high := 0, 0, n-1
for {
	if low > high {
		return 0, 0, false
	}
	mid = low + (high-low)/2
	cost.Probes++
	order := t.compareRank(name, mid, cost)
	if order == 0 {
		break
	}
	if order > 0 {
		low = mid + 1
	} else {
		high = mid - 1
	}
}
// Names are the same from start to end. The range grows from the hit:
// low and high may still hold other names.
first, last := `+first+", "+last+`
start, end = mid, mid
for start > first {
	cost.Neighbours++
	if t.compareRank(name, start-1, cost) != 0 {
		break
	}
	start--
}
for end < last {
	cost.Neighbours++
	if t.compareRank(name, end+1, cost) != 0 {
		break
	}
	end++
}
return start, end, true`),
	}
}

// rankChecks are what a binary search in name order promises.
func rankChecks(more ...check) []check {
	return append([]check{
		property("the match range is that of a linear scan", "checkRange",
			"checkRange holds the start and the end of every match against the specification.", `
for _, name := range queries(symbols) {
	var cost Cost
	start, end, ok := t.lookupNames(name, &cost)
	wantStart, wantEnd, wantOK := specRange(symbols, name)
	if start != wantStart || end != wantEnd || ok != wantOK {
		return fmt.Sprintf("%q matches %d to %d (%t), expected %d to %d (%t)",
			name, start, end, ok, wantStart, wantEnd, wantOK)
	}
}
return ""`),
		property("a search makes at most floor(log2 n) + 1 probes, and few more around a hit", "checkProbes",
			"checkProbes holds the counted comparisons against their bounds.", `
for _, name := range queries(symbols) {
	var cost Cost
	start, end, ok := t.lookupNames(name, &cost)
	if most := bits.Len(uint(len(symbols))); cost.Probes > most {
		return fmt.Sprintf("%q took %d probes, expected at most %d", name, cost.Probes, most)
	}
	most := 0
	if ok {
		most = end - start + 2 // each other match, and one beyond either end
	}
	if cost.Neighbours > most {
		return fmt.Sprintf("%q took %d steps around the hit, expected at most %d", name, cost.Neighbours, most)
	}
}
return ""`),
	}, more...)
}
