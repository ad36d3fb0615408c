// SPDX-License-Identifier: GPL-2.0-only

package gomodel

// specFile is spec.go: what the answers are. No mechanism changes it.
func specFile(*design) (File, error) {
	f := file("")
	add(f, specification...)
	return render("spec.go", f)
}

var specification = []function{
	{name: "specMatches", params: "symbols []Symbol, name string", results: "[]uint64",
		doc: "specMatches: a name's addresses are those of its symbols, ascending, which is\nthe order of the table.", body: `
var addrs []uint64
for _, s := range symbols {
	if s.Name == name {
		addrs = append(addrs, s.Addr)
	}
}
return addrs`},
	{name: "specLookupName", params: "symbols []Symbol, name string", results: "uint64",
		doc: "specLookupName: the lowest of the addresses, 0 without any, and 0 for \"\".", body: `
addrs := specMatches(symbols, name)
if name == "" || len(addrs) == 0 {
	return 0
}
return addrs[0]`},
	{name: "specRange", params: "symbols []Symbol, name string", results: "(start, end int, ok bool)",
		doc: "specRange: in name order a name's range starts after all smaller names and is as\nlong as there are symbols of it.", body: `
equal := 0
for _, s := range symbols {
	switch {
	case s.Name < name:
		start++
	case s.Name == name:
		equal++
	}
}
if equal == 0 {
	return 0, 0, false
}
return start, start + equal - 1, true`},
	{name: "specNameOrder", params: "symbols []Symbol", results: "[]int",
		doc: "specNameOrder: the rank of a symbol is the number of symbols with a smaller name,\nor with the same name and a lower sequence number.", body: `
order := make([]int, len(symbols))
for pos, s := range symbols {
	rank := 0
	for other, o := range symbols {
		if o.Name < s.Name || o.Name == s.Name && other < pos {
			rank++
		}
	}
	order[rank] = pos
}
return order`},
	{name: "specLookupAddr", params: "symbols []Symbol, l Layout, addr uint64", results: "(pos int, size, offset uint64)",
		doc: `specLookupAddr: an address belongs to the first of the symbols with the greatest
address not above it, or to symbol 0 if all are above. A symbol ends where the
next greater address is; the last ends with its section.`, body: `
for i, s := range symbols {
	if s.Addr <= addr && s.Addr > symbols[pos].Addr {
		pos = i
	}
}
start := symbols[pos].Addr
end := l.End
if l.Sinittext <= addr && addr < l.Einittext {
	end = l.Einittext
}
for _, s := range symbols {
	if s.Addr > start {
		end = s.Addr
		break
	}
}
return pos, end - start, addr - start`},
	{name: "recordStarts", params: "stream []byte", results: "[]int",
		doc: `recordStarts: the records follow one another without gaps, each a ULEB128 length
and as many codes. So a symbol's offset is the sum of the sizes before it. The
last number is the length of the stream.`, body: `
starts := []int{0}
for off := 0; off < len(stream); {
	n, size := binary.Uvarint(stream[off:])
	off += size + int(n)
	starts = append(starts, off)
}
return starts`},
}
