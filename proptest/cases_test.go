// SPDX-License-Identifier: GPL-2.0-only

package proptest

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"kgen/gen/symgen"
	"kgen/model"
)

// The cases that the laws generalise, each with its value. In a map below, one
// line is one symbol; where a name is asked, every legal design answers.

// TestNameCases asks every legal design for names.
func TestNameCases(t *testing.T) {
	for _, tc := range []struct {
		reason, text, name string
		start, end         int // of the range in name order; -1 where there is none
		addr               uint64
		matches            []uint64
	}{
		{"a range grows from the place that was hit, not from what is left of the search",
			"10 T a\n20 T b\n30 T c\n", "b", 1, 1, 0x20, []uint64{0x20}},
		{"the same at the first place", "10 T a\n20 T b\n30 T c\n", "a", 0, 0, 0x10, []uint64{0x10}},
		{"the same at the last place", "10 T a\n20 T b\n30 T c\n", "c", 2, 2, 0x30, []uint64{0x30}},
		{"a miss is -ESRCH of the helper, which its callers turn into 0",
			"10 T a\n20 T b\n30 T c\n", "bb", -1, -1, 0, nil},
		{"a miss in an empty table", "", "b", -1, -1, 0, nil},
		{"of duplicates, the lowest address, and all ascending",
			"10 t dup\n20 T a\n30 t dup\n40 T z\n50 t dup\n", "dup", 1, 3, 0x10, []uint64{0x10, 0x30, 0x50}},
		{"duplicates at one address count each", "10 t dup\n10 T dup\n", "dup", 0, 1, 0x10, []uint64{0x10, 0x10}},
		{"the empty name is not looked up", "10 T \n20 T a\n", "", 0, 0, 0, []uint64{0x10}},
		{"the empty name matches nothing where no symbol has it", "10 T a\n", "", -1, -1, 0, nil},
		{"a query that is the start of a symbol", "10 T abc\n", "ab", -1, -1, 0, nil},
		{"a symbol that is the start of the query", "10 T ab\n", "abc", -1, -1, 0, nil},
		{"a symbol and its start are two", "10 T ab\n20 T abc\n", "ab", 0, 0, 0x10, []uint64{0x10}},
		{"a symbol at address 0 looks missing to callers of lookup_name", "0 T zero\n10 T a\n", "zero", 1, 1, 0, []uint64{0}},
		{"bytes above 127 come behind all others", "10 T \xff\n20 T a\n", "\xff", 1, 1, 0x10, []uint64{0x10}},
		{"names compare with their LTO suffix", "10 t fn.llvm.1\n20 t fn.llvm.2\n", "fn", -1, -1, 0, nil},
	} {
		table, err := ParseTable([]byte(tc.text))
		if err != nil {
			t.Fatalf("%s: %v", tc.reason, err)
		}
		want := nameAnswer(tc.addr, tc.start, tc.end, tc.start >= 0, tc.matches)
		spec := &model.Spec{Symbols: table.Symbols}
		start, end, err := spec.NameRange(tc.name)
		if got := nameAnswer(spec.LookupName(tc.name), start, end, err == nil, spec.Matches(tc.name)); got != want {
			t.Errorf("%s: specification: got %s, want %s", tc.reason, got, want)
		}
		if err != nil && !errors.Is(err, model.ErrNoSymbol) {
			t.Errorf("%s: got %v, want %v", tc.reason, err, model.ErrNoSymbol)
		}
		// The law holds all designs to the specification.
		if complaint := guarded(namesLaw)(table, 3); complaint != "" {
			t.Errorf("%s: %s", tc.reason, complaint)
		}
	}
}

// TestEveryNameOfSmallTables: in tables of 1 to 64 symbols every name has the
// range that a scan gives it.
func TestEveryNameOfSmallTables(t *testing.T) {
	for n := 1; n <= 64; n++ {
		table := Table{}
		for i := range n {
			name := fmt.Sprintf("s%02d", i*37%n/2) // pairs of duplicates
			table.Symbols = append(table.Symbols, model.Symbol{Addr: uint64(i), Type: 'T', Name: name})
		}
		if complaint := guarded(namesLaw)(table, int64(n)); complaint != "" {
			t.Fatalf("%s\n%v", complaint, table)
		}
	}
}

// TestFirstTokenCases: not the first token but the first character is the type.
func TestFirstTokenCases(t *testing.T) {
	family := make([]string, 40)
	for i := range family {
		family[i] = "__x86_" + string(symgen.Alphabet[i:i+1])
	}
	// Names of all bytes leave tokens for the bytes alone that no name holds.
	every := string(symgen.Alphabet)
	for _, tc := range []struct {
		reason string
		names  []string
		seq    int
		first  string
	}{
		{"the type alone", []string{every, every + every}, 0, "T"},
		{"the type and several characters", append(family, every), 20, "T__x86_"},
		{"an empty name: the type is all", []string{"", "ab"}, 0, "T"},
		{"the whole symbol", []string{"same", "same"}, 1, "Tsame"},
	} {
		table := Table{}
		for i, name := range tc.names {
			table.Symbols = append(table.Symbols, model.Symbol{Addr: uint64(i), Type: 'T', Name: name})
		}
		records, err := Decode(encode(table, 0))
		if err != nil {
			t.Fatal(err)
		}
		if got := records[tc.seq].First; got != tc.first {
			t.Errorf("%s: the first token is %q, want %q", tc.reason, got, tc.first)
		}
		for _, check := range []law{namesLaw, positionsLaw} {
			if complaint := guarded(check)(table, 3); complaint != "" {
				t.Errorf("%s: %s", tc.reason, complaint)
			}
		}
	}
}

// TestRecordLengthCases: records at the limits of the length prefix keep name
// and type; a name whose record could be larger than the prefix says is refused
// long before.
func TestRecordLengthCases(t *testing.T) {
	lengths := []int{127, 128, 129, 381}
	table := Table{}
	for i, name := range symgen.NamesOfLengths(newRand(seed), lengths) {
		table.Symbols = append(table.Symbols, model.Symbol{Addr: uint64(i), Type: "TtDd"[i%4], Name: name})
	}
	records, err := Decode(encode(table, 0))
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range lengths {
		r, header := records[i+1], 1
		if want > 127 {
			header = 2
		}
		next := len(encode(table, 0).Names)
		if i+2 < len(records) {
			next = records[i+2].Offset
		}
		if r.Tokens != want && r.Tokens != want+1 || next-r.Offset != header+r.Tokens {
			t.Errorf("got %d tokens in %d bytes, want about %d behind %d length bytes", r.Tokens, next-r.Offset, want, header)
		}
	}
	for _, check := range []law{namesLaw, positionsLaw} {
		if complaint := guarded(check)(table, 3); complaint != "" {
			t.Error(complaint)
		}
	}
	if longest := model.KsymNameLen - 1; longest >= 0x3fff {
		t.Errorf("names of %d bytes could need a third length byte", longest)
	}
}

// TestRefusedCases: what stock tools truncate, overrun or write broken.
func TestRefusedCases(t *testing.T) {
	encodeOne := func(name string) error {
		_, err := model.Encode([]model.Symbol{{Type: 'T', Name: name}}, model.EncodeOptions{})
		return err
	}
	for _, tc := range []struct {
		reason string
		err    error
		want   error
	}{
		{"a quote ends the string", encodeOne(`a"b`), model.ErrNameByte},
		{"a backslash hides its end", encodeOne(`a\`), model.ErrNameByte},
		{"the longest name", encodeOne(strings.Repeat("x", 510)), nil},
		{"one byte more does not fit the tool's buffer", encodeOne(strings.Repeat("x", 511)), model.ErrNameLength},
		{"2^24 symbols and one do not fit three bytes", encodeMany(1<<24 + 1), model.ErrTooManySymbols},
		{"three bytes of stream offset end at 16 MiB", staticIndexOf(16 << 20), model.ErrStreamOffset},
		{"the last record may begin just below", staticIndexOf(16<<20 - 2<<10), nil},
		{"out of int around _text, in 7.3", writeAt(0, 1<<31, model.PlaceRelative, true), model.ErrAddressRange},
		{"the last that fits", writeAt(0, 1<<31-1, model.PlaceRelative, true), nil},
		{"beyond u32, in 7.3 on 32 bit", writeAt(0, 1<<32, model.PlaceRelative, false), model.ErrAddressRange},
		{"beyond u32 of the base, in 6.12", writeAt(5, 5+1<<32, model.BaseRelative, false), model.ErrAddressRange},
		{"the last that fits there", writeAt(5, 4+1<<32, model.BaseRelative, false), nil},
	} {
		if !errors.Is(tc.err, tc.want) {
			t.Errorf("%s: got %v, want %v", tc.reason, tc.err, tc.want)
		}
	}
}

// encodeMany encodes n symbols, which nobody looks at if there are too many.
func encodeMany(n int) error {
	_, err := model.Encode(make([]model.Symbol, n), model.EncodeOptions{})
	return err
}

// staticIndexOf makes a static index of records of 1 KiB, of which the last is
// the first to start at offset last or behind.
func staticIndexOf(last int) error {
	const size = 1 << 10
	t := oneCharacterTokens()
	for off := 0; off < last+size+2; off += size + 2 {
		seq := len(t.Addrs)
		if seq&255 == 0 {
			t.Markers = append(t.Markers, uint32(off))
		}
		t.SeqsOfNames = append(t.SeqsOfNames, 0, byte(seq>>8), byte(seq))
		t.Addrs = append(t.Addrs, uint64(seq))
		t.Names = append(t.Names, 0x80|size&0x7f, size>>7)
		t.Names = append(t.Names, strings.Repeat("x", size)...)
	}
	_, err := model.NewDesign(t, model.Choice{Locate: model.StaticIndex})
	return err
}

// writeAt writes the text of two symbols.
func writeAt(low, high uint64, dialect model.Dialect, pcRelative bool) error {
	table := Table{Symbols: []model.Symbol{{Addr: low, Type: 'T', Name: "low"}, {Addr: high, Type: 'T', Name: "high"}}}
	return model.WriteAsm(&strings.Builder{}, table.Symbols, encode(table, 0),
		model.AsmOptions{Dialect: dialect, PCRelative: pcRelative, Bounds: model.Bounds{Text: low}})
}

// TestSeqsAreBigEndian: bytes 01 02 03 are symbol 66051.
func TestSeqsAreBigEndian(t *testing.T) {
	const seq = 66051
	table := Table{}
	for i := range seq + 1 {
		name := fmt.Sprintf("s%d", i)
		if i == seq {
			name = "" // the first in name order
		}
		table.Symbols = append(table.Symbols, model.Symbol{Addr: uint64(16 * i), Type: 'T', Name: name})
	}
	tables := encode(table, model.StockMarkerShift)
	if got := tables.SeqsOfNames[:3]; !slices.Equal(got, []byte{1, 2, 3}) {
		t.Errorf("the first entry is % x, want 01 02 03", got)
	}
	for _, unrolled := range []bool{false, true} {
		choice := model.StockChoice()
		choice.SeqUnroll = unrolled
		d, err := model.NewDesign(tables, choice)
		if err != nil {
			t.Fatal(err)
		}
		if got, _ := d.OnEachMatch(""); !slices.Equal(got, []uint64{16 * seq}) {
			t.Errorf("%v: found at %#x, want %#x", choice, got, 16*seq)
		}
	}
}

// TestLTOSuffixCases: 6.1 cuts ".llvm." and what follows; later kernels do not.
func TestLTOSuffixCases(t *testing.T) {
	table, err := ParseTable([]byte("10 t fn.llvm.1\n20 t fn.llvm.2\n30 t fn.cold\n"))
	if err != nil {
		t.Fatal(err)
	}
	for _, tc := range []struct {
		reason, name string
		cut          bool
		want         []uint64
	}{
		{"6.1 finds both by the name in the source", "fn", true, []uint64{0x10, 0x20}},
		{"6.1 does not find the whole name", "fn.llvm.1", true, nil},
		{"other suffixes stay", "fn.cold", true, []uint64{0x30}},
		{"7.3 compares exactly", "fn", false, nil},
		{"7.3 finds the whole name", "fn.llvm.1", false, []uint64{0x10}},
	} {
		spec := &model.Spec{Symbols: table.Symbols, Rules: model.Rules{LTOSuffixes: tc.cut}}
		if got := spec.Matches(tc.name); !slices.Equal(got, tc.want) {
			t.Errorf("%s: got %#x, want %#x", tc.reason, got, tc.want)
		}
	}
}

// TestMarkerCases: one marker for each block of 256 begun, and at shift 8 they
// are the stock ones.
func TestMarkerCases(t *testing.T) {
	for _, tc := range []struct{ symbols, markers int }{
		{0, 0}, {1, 1}, {255, 1}, {256, 1}, {257, 2}, {512, 2}, {513, 3},
	} {
		table := Table{Symbols: make([]model.Symbol, tc.symbols)}
		for i := range table.Symbols {
			table.Symbols[i] = model.Symbol{Addr: uint64(i), Type: 'T', Name: fmt.Sprint(i)}
		}
		if got := len(encode(table, model.StockMarkerShift).Markers); got != tc.markers {
			t.Errorf("%d symbols: got %d markers, want %d", tc.symbols, got, tc.markers)
		}
		if complaint := guarded(positionsLaw)(table, 3); complaint != "" {
			t.Errorf("%d symbols: %s", tc.symbols, complaint)
		}
	}
}

// TestMarkerDistance: a public tool that recovers symbols from kernel images
// takes it that markers differ by 0x200 at least. Stock ones do on the real
// map; at 16:1 hardly any does, which a density patch should say.
func TestMarkerDistance(t *testing.T) {
	symbols, err := RealSymbols()
	if err != nil {
		t.Fatal(err)
	}
	near := func(shift int64) (count, of int) {
		markers := encode(Table{Symbols: symbols}, shift).Markers
		for i := range len(markers) - 1 {
			if markers[i+1]-markers[i] < 0x200 {
				count++
			}
		}
		return count, len(markers) - 1
	}
	if count, of := near(8); count != 0 {
		t.Errorf("stock: %d of %d distances are below 0x200, want none", count, of)
	}
	if count, of := near(4); count < of*9/10 {
		t.Errorf("16:1: %d of %d distances are below 0x200, want nearly all", count, of)
	}
}

// TestAddressCases: where symbols end, and what lies before the first.
func TestAddressCases(t *testing.T) {
	table, err := ParseTable([]byte("100 T a\n100 t alias\n180 T b\n200 T init\n300 D last\n"))
	if err != nil {
		t.Fatal(err)
	}
	bounds := model.Bounds{Stext: 0x100, Etext: 0x1c0, Sinittext: 0x200, Einittext: 0x240, InitBegin: 0x200, InitEnd: 0x280, End: 0x400}
	for _, tc := range []struct {
		reason  string
		symbols int // how many of the table there are
		addr    uint64
		all     bool
		want    model.Place
	}{
		{"the first of the aliases; the end is the next greater address", 5, 0x110, true, model.Place{Pos: 0, Size: 0x80, Offset: 0x10}},
		{"exactly at a symbol", 5, 0x180, true, model.Place{Pos: 2, Size: 0x80}},
		{"one below it", 5, 0x17f, true, model.Place{Pos: 0, Size: 0x80, Offset: 0x7f}},
		{"the last symbol ends with the kernel", 5, 0x310, true, model.Place{Pos: 4, Size: 0x100, Offset: 0x10}},
		{"the last symbol ends with the text", 3, 0x190, false, model.Place{Pos: 2, Size: 0x40, Offset: 0x10}},
		{"the last symbol ends with the init text", 4, 0x210, false, model.Place{Pos: 3, Size: 0x40, Offset: 0x10}},
		{"below the first, the offset wraps", 5, 0xff, true, model.Place{Pos: 0, Size: 0x80, Offset: ^uint64(0)}},
	} {
		spec := &model.Spec{Symbols: table.Symbols[:tc.symbols], Bounds: bounds, Rules: model.Rules{AllSymbols: tc.all}}
		if got := spec.SymbolPos(tc.addr); got != tc.want {
			t.Errorf("%s: specification: got %+v, want %+v", tc.reason, got, tc.want)
		}
		complaint := eachDesign(Table{Symbols: spec.Symbols}, 3, func(d *model.Design, _ state) string {
			at, ok, _ := d.LookupAddr(tc.addr)
			if got := placeIn(at, tc.addr, spec); !ok || got != tc.want {
				return fmt.Sprintf("got %+v, %v, want %+v", got, ok, tc.want)
			}
			return ""
		})
		if complaint != "" {
			t.Errorf("%s: %s", tc.reason, complaint)
		}
	}
}

// TestAddressingCases: what 32 bits of kallsyms_offsets mean in each dialect.
func TestAddressingCases(t *testing.T) {
	const text = 0xffffffff81000000
	for _, tc := range []struct {
		reason string
		a      model.Addressing
		entry  uint32
		want   uint64
	}{
		{"6.12: from the base", model.Addressing{Dialect: model.BaseRelative, Base: text}, 0x10, text + 0x10},
		{"6.12, per-CPU: 0 and more are absolute", model.Addressing{Dialect: model.BaseRelative, Base: text, AbsolutePercpu: true}, 0x10, 0x10},
		{"6.12, per-CPU: -1 is the base", model.Addressing{Dialect: model.BaseRelative, Base: text, AbsolutePercpu: true}, 1<<32 - 1, text},
		{"6.12, per-CPU: base - 1 - offset", model.Addressing{Dialect: model.BaseRelative, Base: text, AbsolutePercpu: true}, 1<<32 - 17, text + 0x10},
		{"7.3: signed, around _text", model.Addressing{PCRelative: true, Text: text}, 1<<32 - 0x10, text - 0x10},
		{"7.3 on non-relocatable 32 bit: as it is", model.Addressing{}, 1<<32 - 0x10, 1<<32 - 0x10},
	} {
		if got := tc.a.Address(tc.entry); got != tc.want {
			t.Errorf("%s: got %#x, want %#x", tc.reason, got, tc.want)
		}
	}
}

// TestFigureCases: figures that texts state, computed.
func TestFigureCases(t *testing.T) {
	const n = 184_000
	setUp, _ := model.BreakEven(1_037_000, 0, 3_280, 246)
	both, _ := model.BreakEven(1_037_000, 3_440_000, 3_280, 246)
	kib := func(bytes int) string { return fmt.Sprintf("%.1f KiB", float64(bytes)/1024) }
	for _, tc := range []struct{ reason, got, want string }{
		{"four bytes a symbol", fmt.Sprintf("%.2f KiB", float64(model.BatchIndexBytes(n))/1024), "718.75 KiB"},
		{"probes at most", fmt.Sprint(model.MaxProbes(n)), "18"},
		{"markers 16:1 over 256:1", kib(model.AddedMarkerBytes(n, 4)), "42.1 KiB"},
		{"markers 8:1 over 256:1", kib(model.AddedMarkerBytes(n, 3)), "87.0 KiB"},
		{"break-even", fmt.Sprint(both), "1476"},
		{"break-even, set-up alone", fmt.Sprint(setUp), "342"},
	} {
		if tc.got != tc.want {
			t.Errorf("%s: got %s, want %s", tc.reason, tc.got, tc.want)
		}
	}
}
