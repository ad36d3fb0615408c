// SPDX-License-Identifier: GPL-2.0-only

package gomodel

import (
	"fmt"
	"slices"
	"strings"
)

// modelFile is model.go: what the patched kernel does.
func modelFile(d *design) (File, error) {
	f := file(d.packageDoc())
	var consts []constant
	var more []structure
	tables, cost := tablesType, costType
	for _, p := range d.parts() {
		consts = append(consts, p.constants...)
		more = append(more, p.types...)
		tables.fields = slices.Concat(tables.fields, p.fields)
		cost.fields = slices.Concat(cost.fields, p.costs)
	}
	if len(consts) > 0 {
		f.Add(constants(consts))
	}
	for _, t := range append([]structure{symbolType, layoutType, tables, cost}, more...) {
		f.Line().Add(t.code())
	}
	add(f, nameLookups...)
	for _, p := range []part{d.order, d.seq, d.comparer} {
		add(f, p.lookups...)
	}
	add(f, d.symbolOffset())
	for _, p := range []part{d.batch.part, d.locator.part} {
		add(f, p.lookups...)
	}
	if d.locator.walks() {
		add(f, costOfWalk)
	}
	add(f, recordAccess...)
	add(f, addressLookup...)
	add(f, d.sizeFunctions()...)
	return render("model.go", f)
}

// symbolOffset is get_symbol_offset() with the shortcut and the locator in place.
func (d *design) symbolOffset() function {
	l := &d.locator
	body := "cost.Walks++\n" + d.batch.body
	doc := "symbolOffset is get_symbol_offset(): where the record of a symbol starts in\nthe stream."
	if !l.walks() {
		body += "return " + l.anchor("pos")
	} else {
		doc += " It walks from the last known start at or before it."
		body += "off := " + l.anchor("pos>>"+l.shift) + `
hops := 0
for ; hops < pos&` + l.mask + `; hops++ {
	_, off = t.record(off)
}
cost.walked(hops)
return off`
	}
	return method("symbolOffset", "pos int, cost *Cost", "int", doc, body)
}

// packageDoc tells a reviewer what this is, of which series, and how to run it.
func (d *design) packageDoc() string {
	var b strings.Builder
	intro := "Package model is the " + d.series.Name + ` series as a Go program: what its patches make
kernel/kallsyms.c and scripts/kallsyms.c do, to be read in one sitting and run
anywhere. The series, patch by patch:`
	b.WriteString(strings.Join(wrap(intro, columns-len("// ")), "\n") + "\n\n")
	if len(d.changes) == 0 {
		b.WriteString("  0. It changes nothing.\n")
	}
	for i, c := range d.changes {
		const indent = "     " // of what follows the number
		text := strings.Join(wrap(c.title+": "+c.text, columns-len("// ")-len(indent)), "\n"+indent)
		fmt.Fprintf(&b, "%3d. %s\n", i+1, text)
	}
	b.WriteString(`
Read it in this order:
  - spec.go: what each lookup has to answer, as linear scans over the symbols
  - encode.go: how the host tool makes the tables out of the symbols
  - model.go: how the kernel answers from the tables, and what that costs
  - model_test.go: that the last equals the first on generated tables
  - cases_test.go: the same on tables that have been trouble

Run it, with Go ` + goVersion + ` or newer:

	go test ./...

A failing property prints the smallest table it found. The package is made by
kgen and imports nothing of it.`)
	return b.String()
}

var (
	symbolType = structure{"Symbol is one line of a symbol map.", "Symbol", []field{
		{"Addr", "uint64", "ascending in a table; equal for aliases"},
		{"Type", "byte", "the letter that nm prints"},
		{"Name", "string", "any bytes that C and the assembler can write"},
	}}
	layoutType = structure{"Layout holds the section bounds that the kernel's linker script knows.", "Layout", []field{
		{"Sinittext, Einittext", "uint64", "_sinittext and _einittext"},
		{"End", "uint64", "_end with CONFIG_KALLSYMS_ALL, else _etext"},
	}}
	tablesType = structure{`Tables are the arrays that the host tool writes into the kernel image. A
symbol's sequence number is its position in address order; its rank is its
position in the table that names are looked up in.`, "Tables", []field{
		{"Names", "[]byte", "kallsyms_names: the stream of records, a length before each"},
		{"TokenTable", "[]byte", "kallsyms_token_table: what each code stands for, NUL-terminated"},
		{"TokenIndex", "[256]uint16", "kallsyms_token_index: where the token of a code starts"},
		{"Addrs", "[]uint64", "what kallsyms_sym_address() answers for a sequence number"},
		{"Layout", "Layout", "the sections that end the last symbol"},
	}}
	costType = structure{"Cost counts the work of lookups. The zero value is ready to count.", "Cost", []field{
		{"Probes", "int", "names compared with a symbol until one is hit"},
		{"Neighbours", "int", "names compared around the hit, for duplicates"},
		{"Walks", "int", "records looked for in the stream"},
		{"Hops", "int", "records stepped over on the way"},
		{"LongestWalk", "int", "hops of the longest walk"},
		{"Tokens", "int", "tokens expanded or matched"},
	}}
)

var costOfWalk = function{recv: "c *Cost", name: "walked", params: "hops int",
	doc:  "walked counts a finished walk.",
	body: "c.Hops += hops\nc.LongestWalk = max(c.LongestWalk, hops)"}

var nameLookups = []function{
	method("LookupName", "name string, cost *Cost", "uint64",
		`LookupName is kallsyms_lookup_name(): the lowest address of the symbols of
this name, or 0. Symbol 0-valued and symbol missing are the same answer.`, `
if name == "" {
	return 0 // even where a symbol has no name
}
start, _, ok := t.lookupNames(name, cost)
if !ok {
	return 0
}
return t.Addrs[t.seqOfRank(start, cost)]`),
	method("OnEachMatch", "name string, cost *Cost", "[]uint64",
		`OnEachMatch is kallsyms_on_each_match_symbol(): the addresses it visits, in
its order. Unlike LookupName it finds the empty name.`, `
start, end, ok := t.lookupNames(name, cost)
if !ok {
	return nil
}
var addrs []uint64
for rank := start; rank <= end; rank++ {
	addrs = append(addrs, t.Addrs[t.seqOfRank(rank, cost)])
}
return addrs`),
}

var recordAccess = []function{
	method("record", "off int", "(data []byte, next int)",
		`record splits the record at off: its codes, and where the next one starts.
The length is ULEB128 of one byte, or of two where the first has its top bit
set; seven bits each, low ones first.`, `
n := int(t.Names[off])
off++
if n&0x80 != 0 {
	n = n&0x7f | int(t.Names[off])<<7
	off++
}
return t.Names[off : off+n], off + n`),
	method("token", "c byte", "[]byte", "token is what the code c stands for.", `
token := t.TokenTable[t.TokenIndex[c]:]
return token[:bytes.IndexByte(token, 0)]`),
	method("expand", "off int", "(name string, next int)",
		`expand is kallsyms_expand_symbol(): the name at off, and where the next
record starts. It drops the first character, which is the type, and not the
first token, which may go on with the beginning of the name.`, `
data, next := t.record(off)
var text []byte
for _, c := range data {
	text = append(text, t.token(c)...)
}
return string(text[1:]), next`),
	method("symbolType", "off int", "byte",
		"symbolType is kallsyms_get_symbol_type(): the first character of the first\ntoken.", `
data, _ := t.record(off)
return t.token(data[0])[0]`),
}

var addressLookup = []function{
	method("LookupAddr", "addr uint64", "(pos int, size, offset uint64)",
		`LookupAddr is get_symbol_pos(): the symbol that addr lies in, the first of
its aliases, how far it reaches, and the distance of addr from its start. The
table must hold a symbol. Below the first one the distance wraps around.`, `
low, high := 0, len(t.Addrs)
for high-low > 1 {
	mid := low + (high-low)/2
	if t.Addrs[mid] <= addr {
		low = mid
	} else {
		high = mid
	}
}
for low > 0 && t.Addrs[low-1] == t.Addrs[low] {
	low--
}
start := t.Addrs[low]
for _, next := range t.Addrs[low+1:] {
	if next > start {
		return low, next - start, addr - start
	}
}
end := t.Layout.End
if addr >= t.Layout.Sinittext && addr < t.Layout.Einittext {
	end = t.Layout.Einittext
}
return low, end - start, addr - start`),
	method("NameOfAddr", "addr uint64, cost *Cost", "string",
		"NameOfAddr is the name that sprint_symbol() starts with.", `
pos, _, _ := t.LookupAddr(addr)
name, _ := t.expand(t.symbolOffset(pos, cost))
return name`),
}
