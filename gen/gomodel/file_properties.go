// SPDX-License-Identifier: GPL-2.0-only

package gomodel

import (
	"strconv"

	"github.com/dave/jennifer/jen"
)

const (
	// propertyRuns is how many tables each property sees. go test of one
	// package takes about half a second.
	propertyRuns = 40
	// propertySeed makes every run the same.
	propertySeed = 20220926
	// shrinkBudget bounds the tables tried to find a smaller one that fails. A
	// fault that needs hundreds of symbols would otherwise take minutes.
	shrinkBudget = 400
)

// commonChecks hold for every design.
var commonChecks = []check{
	property("every record decodes to the symbol it was made of", "checkNames",
		"checkNames walks the stream once, as kallsyms_on_each_symbol() does.", `
off := 0
for pos, s := range symbols {
	name, next := t.expand(off)
	if got := (Symbol{t.Addrs[pos], t.symbolType(off), name}); got != s {
		return fmt.Sprintf("symbol %d decodes to %q, expected %q", pos, got, s)
	}
	off = next
}
if off != len(t.Names) {
	return fmt.Sprintf("the records end at %d of %d bytes", off, len(t.Names))
}
return ""`),
	property("a symbol's offset is the sum of the record sizes before it", "checkOffsets",
		"checkOffsets asks for every symbol; the sums are taken with another decoder.", `
starts := recordStarts(t.Names)
for pos := range symbols {
	var cost Cost
	if got := t.symbolOffset(pos, &cost); got != starts[pos] {
		return fmt.Sprintf("symbol %d is at %d, expected %d", pos, got, starts[pos])
	}
}
return ""`),
	property("a name lookup answers as a linear scan", "checkLookups",
		"checkLookups asks for every name, for names close to it, and for none at all.", `
for _, name := range queries(symbols) {
	var cost Cost
	if got, want := t.LookupName(name, &cost), specLookupName(symbols, name); got != want {
		return fmt.Sprintf("LookupName(%q) is %#x, expected %#x", name, got, want)
	}
	if got, want := t.OnEachMatch(name, &cost), specMatches(symbols, name); !slices.Equal(got, want) {
		return fmt.Sprintf("OnEachMatch(%q) visits %#x, expected %#x", name, got, want)
	}
}
return ""`),
	property("an address lookup answers as a linear scan", "checkAddresses",
		"checkAddresses asks around every symbol, in and out of the init text.", `
if len(symbols) == 0 {
	return "" // the kernel does not ask an empty table
}
last := symbols[len(symbols)-1].Addr
for _, t.Layout = range []Layout{
	{End: last + 0x1000},
	{Sinittext: last, Einittext: last + 0x200, End: last + 0x1000},
} {
	for _, addr := range addresses(symbols) {
		pos, size, offset := t.LookupAddr(addr)
		wantPos, wantSize, wantOffset := specLookupAddr(symbols, t.Layout, addr)
		if pos != wantPos || size != wantSize || offset != wantOffset {
			return fmt.Sprintf("%#x is in symbol %d of size %#x at %#x, expected %d, %#x, %#x",
				addr, pos, size, offset, wantPos, wantSize, wantOffset)
		}
		var cost Cost
		if got, want := t.NameOfAddr(addr, &cost), symbols[wantPos].Name; got != want {
			return fmt.Sprintf("%#x is in %q, expected %q", addr, got, want)
		}
	}
}
return ""`),
}

// checkHops bounds the walks of designs that walk.
var checkHops = property("no walk takes more than MaxHops hops", "checkHops",
	"checkHops counts the walk to every symbol, and all walks of a search.", `
for pos := range symbols {
	var cost Cost
	t.symbolOffset(pos, &cost)
	if cost.Walks != 1 || cost.Hops > MaxHops {
		return fmt.Sprintf("symbol %d took %d walks and %d hops, expected 1 and at most %d", pos, cost.Walks, cost.Hops, MaxHops)
	}
}
for _, name := range queries(symbols) {
	var cost Cost
	t.LookupName(name, &cost)
	if cost.LongestWalk > MaxHops || cost.Hops > cost.Walks*MaxHops {
		return fmt.Sprintf("%q took %d hops in %d walks, the longest %d, expected at most %d in each",
			name, cost.Hops, cost.Walks, cost.LongestWalk, MaxHops)
	}
}
return ""`)

// checks are the properties of the design, those of all designs first.
func (d *design) checks() []check {
	all := append([]check(nil), commonChecks...)
	if d.locator.walks() {
		all = append(all, checkHops)
	}
	if _, fixed := d.size(0); fixed {
		all = append(all, checkSize)
	}
	for _, p := range d.parts() {
		all = append(all, p.checks...)
	}
	return all
}

// testFile is model_test.go: the properties, and tables to try them on.
func testFile(d *design) (File, error) {
	f := file("")
	f.Line().Add(comment(`properties say what holds for every table. Each returns what is wrong with this
one, or "".`)).
		Var().Id("properties").Op("=").Index().Struct(
		jen.Id("says").String(),
		jen.Id("check").Func().Params(code(checkParams)).String(),
	).ValuesFunc(func(g *jen.Group) {
		for _, c := range d.checks() {
			g.Line().Values(jen.Lit(c.says), jen.Id(c.name))
		}
		g.Line()
	})
	add(f, function{name: "TestProperties", params: "tt *testing.T",
		doc: "TestProperties tries every property on generated tables, always the same ones.", body: `
params := gopter.DefaultTestParametersWithSeed(` + strconv.Itoa(propertySeed) + `)
params.MinSuccessfulTests = ` + strconv.Itoa(propertyRuns) + `
params.MaxSize = ` + d.locator.period + `
all := gopter.NewProperties(params)
for _, p := range properties {
	failed, budget := false, ` + strconv.Itoa(shrinkBudget) + ` // tables to try for a smaller one that fails
	all.Property(p.says, prop.ForAll(func(entries []entry) string {
		if failed {
			if budget == 0 {
				return "" // ends the search
			}
			budget--
		}
		symbols := place(entries)
		t, err := Encode(symbols)
		if err != nil {
			return err.Error()
		}
		problem := try(p.check, symbols, t)
		failed = failed || problem != ""
		return problem
	}, genEntries))
}
all.TestingRun(tt)`})
	add(f, function{name: "try", params: "check func(" + checkParams + ") string, " + checkParams, results: "(problem string)",
		doc: "try checks a table. A panic is a problem like any other, so that gopter goes on\nto shrink the table.", body: `
defer func() {
	if r := recover(); r != nil {
		problem = fmt.Sprint("panic: ", r)
	}
}()
return check(symbols, t)`})
	f.Line().Add(comment(`entry is a generated symbol. It says how far above the one before it stands, 0
for an alias, so that any entries make a table in order: gopter may drop and
shrink them one by one.`)).Type().Id("entry").Struct(
		jen.Id("Gap").Uint64(), jen.Id("Type").Byte(), jen.Id("Name").String())
	add(f, generators...)
	for _, c := range d.checks() {
		add(f, c.function)
	}
	return render("model_test.go", f)
}

var generators = []function{
	{name: "place", params: "entries []entry", results: "[]Symbol", doc: "place lays the entries out in memory.", body: `
addr := uint64(0xffffffff81000000)
var symbols []Symbol
for _, e := range entries {
	addr += e.Gap
	symbols = append(symbols, Symbol{addr, e.Type, e.Name})
}
return symbols`},
	{name: "genEntries", params: "p *gopter.GenParameters", results: "*gopter.GenResult",
		doc: `genEntries makes two kinds of table: short names out of few letters, full of
duplicates and of prefixes of one another, which compress to a few codes; or
some long names of random bytes among them, which leave hardly a code free, so
that records need two length bytes and tokens are single characters.`, body: `
long := 0
if p.Rng.Intn(4) == 0 {
	long = 12
}
return gen.SliceOf(genEntry(long))(p)`},
	{name: "genEntry", params: "long int", results: "gopter.Gen", doc: "genEntry makes one entry; long of 100 have a long name.", body: `
return func(p *gopter.GenParameters) *gopter.GenResult {
	r := p.Rng
	e := entry{Gap: uint64(r.Intn(3) * r.Intn(40)), Type: "TtDdRrWB"[r.Intn(8)]}
	letters, n := "ab_\xe9", r.Intn(5)
	if r.Intn(100) < long {
		letters, n = writable(), 100+r.Intn(200)
	}
	for range n {
		e.Name += letters[r.Intn(len(letters)):][:1]
	}
	return gopter.NewGenResult(e, shrinkEntry)
}`},
	{name: "shrinkEntry", params: "v any", results: "gopter.Shrink",
		doc: "shrinkEntry offers a handful of smaller entries; each is smaller, so it ends.", body: `
e := v.(entry)
var smaller []entry
if n := len(e.Name); n > 0 {
	smaller = append(smaller, entry{e.Gap, e.Type, e.Name[:n/2]}, entry{e.Gap, e.Type, e.Name[:n-1]})
}
if e.Gap > 1 {
	smaller = append(smaller, entry{1, e.Type, e.Name})
}
return func() (any, bool) {
	if len(smaller) == 0 {
		return nil, false
	}
	next := smaller[0]
	smaller = smaller[1:]
	return next, true
}`},
	{name: "writable", results: "string", doc: "writable are all bytes that a name may have.", body: `
var all []byte
for c := range 256 {
	if !strings.Contains(unwritable, string([]byte{byte(c)})) {
		all = append(all, byte(c))
	}
}
return string(all)`},
	{name: "queries", params: "symbols []Symbol", results: "[]string",
		doc: "queries are names to look up: all that exist, and near misses of some.", body: `
all := []string{"", "zzz", "\xff"}
for pos, s := range symbols {
	all = append(all, s.Name)
	if n := len(s.Name); n > 0 && pos%8 == 0 {
		flipped := []byte(s.Name)
		flipped[n-1] ^= 0x80
		all = append(all, s.Name[:n-1], s.Name+"a", s.Name+"\xe9", string(flipped))
	}
}
slices.Sort(all)
return slices.Compact(all)`},
	{name: "addresses", params: "symbols []Symbol", results: "[]uint64",
		doc: "addresses are those of the symbols, their neighbours, and the extremes.", body: `
all := []uint64{0, ^uint64(0)}
for _, s := range symbols {
	all = append(all, s.Addr-1, s.Addr, s.Addr+1, s.Addr+0x1ff, s.Addr+0x200)
}
slices.Sort(all)
return slices.Compact(all)`},
}
