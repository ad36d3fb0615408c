// SPDX-License-Identifier: GPL-2.0-only

package gomodel

import (
	"fmt"
	"strings"

	"github.com/dave/jennifer/jen"

	"kgen/model"
)

// casesFile is cases_test.go: tables that have been trouble for somebody.
func casesFile(d *design) (File, error) {
	f := file("")
	add(f, regressions...)
	golden, err := hostTool()
	if err != nil {
		return File{}, err
	}
	f.Line().Add(golden)
	add(f, d.figures()...)
	for _, p := range d.parts() {
		add(f, p.tests...)
	}
	return render("cases_test.go", f)
}

var regressions = []function{
	{name: "TestCases", params: "tt *testing.T", doc: "TestCases tries every property on tables that have been trouble.", body: `
for _, c := range []struct {
	reason  string
	symbols []Symbol
}{
	{"no symbols", nil},
	{"the middle of three has one match, ranks 1 to 1", named("a", "b", "c")},
	{"an empty name, which only OnEachMatch finds", named("", "a")},
	{"nothing but empty names", named("", "", "")},
	{"names that are prefixes of one another", named("ab", "a", "abc", "abcd", "abb", "b", "aba")},
	{"names in unsigned order", named("a\xe9", "a\x7f", "a\x80", "a\x01", "a", "a\xff", "aa")},
	{"duplicates around a different name, not in name order", named("x", "y", "x", "y", "x", "w", "x")},
	{"nothing but duplicates", named(strings.Split(strings.Repeat("dup ", 40), " ")...)},
	{"aliases and duplicates at one address", []Symbol{
		{0x10, 't', "b"}, {0x10, 'T', "a"}, {0x10, 'W', "b"}, {0x20, 't', "b"}, {0x20, 't', "a"}}},
	{"a symbol at address 0, which LookupName cannot tell from a miss", []Symbol{{0, 'A', "zero"}, {8, 'T', "one"}}},
	{"the ends of the address space", []Symbol{{0, 'T', "low"}, {1, 'T', "next"}, {^uint64(0) - 1, 'T', "high"}, {^uint64(0), 'T', "top"}}},
	{"first tokens that are a type alone, for want of codes", named(writable(), "aa", "ab", "ba")},
} {
	tryAll(tt, c.reason, c.symbols)
}`},
	{name: "TestSizes", params: "tt *testing.T", doc: "TestSizes tries every property where a marker begins, and either side of it.", body: `
for _, n := range []int{1, 2, 255, 256, 257, 513} {
	var names []string
	for i := range n {
		names = append(names, fmt.Sprintf("f%x", i*7919%n)) // not in name order
	}
	tryAll(tt, fmt.Sprint(n, " symbols"), named(names...))
}`},
	{name: "TestLengths", params: "tt *testing.T",
		doc: `TestLengths tries every property on records around the change to two length
bytes, and on one whose second length byte has more than one bit in it.`, body: `
for _, want := range []int{127, 128, 129, 381} {
	symbols := withLength(tt, want)
	tryAll(tt, fmt.Sprint("a record of ", want, " codes"), symbols)
}`},
	{name: "withLength", params: "tt *testing.T, want int", results: "[]Symbol",
		doc: "withLength finds a table whose first record has want codes after compression.\nThe second symbol uses up nearly all codes.", body: `
r := rand.New(rand.NewSource(int64(want)))
letters := writable()
var name []byte
for len(name) < 2*want {
	name = append(name, letters[r.Intn(len(letters))])
	symbols := named(string(name), letters, "a", "b")
	t, err := Encode(symbols)
	if err != nil {
		tt.Fatal(err)
	}
	if data, _ := t.record(0); len(data) == want {
		return symbols
	}
}
tt.Fatalf("no table has a record of %d codes", want)
return nil`},
	{name: "TestRefusals", params: "tt *testing.T", doc: "TestRefusals: what the tables cannot hold is an error, never a broken table.", body: `
long := new(strings.Builder)
for r, letters := rand.New(rand.NewSource(1)), writable(); long.Len() < 17000; {
	long.WriteByte(letters[r.Intn(len(letters))])
}
for _, c := range []struct {
	reason  string
	symbols []Symbol
}{
	{"addresses descend", []Symbol{{2, 'T', "a"}, {1, 'T', "b"}}},
	{"a quote", named("a\"b")},
	{"a backslash", named("a\\b")},
	{"a line end", named("a\nb")},
	{"a NUL", named("a\x00b")},
	{"a type that is no character", []Symbol{{0, 0, "a"}}},
	{"more codes than two length bytes can say", named(long.String())},
} {
	if _, err := Encode(c.symbols); err == nil {
		tt.Errorf("%s: encoded, expected an error", c.reason)
	}
}`},
	{name: "named", params: "names ...string", results: "[]Symbol", doc: "named gives each name an address of its own.", body: `
var symbols []Symbol
for i, name := range names {
	symbols = append(symbols, Symbol{0x1000 + 0x10*uint64(i), 'T', name})
}
return symbols`},
	{name: "tryAll", params: "tt *testing.T, reason string, symbols []Symbol", doc: "tryAll tries every property on one table.", body: `
tt.Helper()
t, err := Encode(symbols)
if err != nil {
	tt.Fatalf("%s: %v", reason, err)
}
for _, p := range properties {
	if problem := try(p.check, symbols, t); problem != "" {
		tt.Errorf("%s: %s: %s", reason, p.says, problem)
	}
}`},
}

// hostToolNames are symbols whose pairs tie, overlap and nest.
var hostToolNames = []string{"aaaa", "aaa", "abab", "ba", "xyxyx", "init_one", "init_two", "exit_one", ""}

// hostTool is a test with the bytes that scripts/kallsyms.c writes, as kgen's
// encoder, which is held against the tool itself, computes them.
func hostTool() (jen.Code, error) {
	var symbols []model.Symbol
	var quoted []string
	for i, name := range hostToolNames {
		symbols = append(symbols, model.Symbol{Addr: uint64(0x1000 + 0x10*i), Type: 'T', Name: name})
		quoted = append(quoted, fmt.Sprintf("%q", name))
	}
	t, err := model.Encode(symbols, model.EncodeOptions{MarkerShift: model.StockMarkerShift})
	if err != nil {
		return nil, err
	}
	return function{name: "TestHostTool", params: "tt *testing.T",
		doc: `TestHostTool: stream and token table are those that scripts/kallsyms.c writes
for the same symbols.`, body: fmt.Sprintf(`
t, err := Encode(named(%s))
if err != nil {
	tt.Fatal(err)
}
const (
	stream = %s
	tokens = %s
)
if got := fmt.Sprintf("%%x", t.Names); got != stream {
	tt.Errorf("stream is %%s, expected %%s", got, stream)
}
// The codes of characters that do not occur are empty.
if got := strings.Join(strings.FieldsFunc(string(t.TokenTable), func(r rune) bool { return r == 0 }), " "); got != tokens {
	tt.Errorf("tokens are %%s, expected %%s", got, tokens)
}`, strings.Join(quoted, ", "), fmt.Sprintf("%q", fmt.Sprintf("%x", t.Names)),
			fmt.Sprintf("%q", strings.Join(strings.FieldsFunc(string(t.TokenTable), func(r rune) bool { return r == 0 }), " ")))}.code(), nil
}
