// SPDX-License-Identifier: GPL-2.0-only

package model

import (
	"bytes"
	"errors"
	"io"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestEncodeRefuses(t *testing.T) {
	one := func(typ byte, name string) []Symbol { return []Symbol{{Addr: 1, Type: typ, Name: name}} }
	for _, c := range []struct {
		reason  string
		symbols []Symbol
		shift   uint
		want    error
	}{
		{"511 bytes and a type overflow the tool's buffer", one('T', strings.Repeat("x", 511)), 8, ErrNameLength},
		{"a quote ends the string of a token", one('T', `a"b`), 8, ErrNameByte},
		{"a backslash escapes in it", one('T', `a\b`), 8, ErrNameByte},
		{"a backslash as the type", one('\\', "a"), 8, ErrNameByte},
		{"a quote as the type of a symbol without a name", one('"', ""), 8, ErrNameByte},
		{"a NUL as the type", one(0, "a"), 8, ErrNameByte},
		{"a NUL in the name", one('T', "a\x00b"), 8, ErrNameByte},
		{"a line end", one('T', "a\nb"), 8, ErrNameByte},
		{"a carriage return", one('T', "a\r"), 8, ErrNameByte},
		{"the end of a comment", one('T', "a*/b"), 8, ErrNameByte},
		{"the end of a comment across type and name", one('*', "/b"), 8, ErrNameByte},
		{"descending addresses", []Symbol{{2, 'T', "a"}, {1, 'T', "b"}}, 8, ErrTableOrder},
		{"sequence numbers beyond 24 bits", make([]Symbol, 1<<24+1), 8, ErrTooManySymbols},
		{"markers too far apart", one('T', "a"), 9, ErrMarkerShift},
		{"tokens beyond 16-bit offsets", longTokens(), 8, ErrTokenTable},
	} {
		t.Run(c.reason, func(t *testing.T) {
			_, err := Encode(c.symbols, EncodeOptions{MarkerShift: c.shift})
			if !errors.Is(err, c.want) || strings.ContainsRune(err.Error(), '\n') || len(err.Error()) > 300 {
				t.Fatalf("got %v, want one short line of %v", err, c.want)
			}
		})
	}
	for _, c := range []struct{ reason, name string }{
		{"510 bytes fit", strings.Repeat("x", 510)},
		{"an opening comment is harmless", "/*"},
		{"so are quotes of C's other kind, blanks and percent signs", "'% \t"},
	} {
		if _, err := Encode(one('T', c.name), EncodeOptions{MarkerShift: 8}); err != nil {
			t.Errorf("%s: %v", c.reason, err)
		}
	}
}

// longTokens makes names of two runs each, which grow into tokens of hundreds of
// bytes, 76,089 bytes together.
func longTokens() []Symbol {
	var symbols []Symbol
	for n := 0; n <= maxEncodedName; n += 7 {
		name := strings.Repeat("a", n) + strings.Repeat("b", maxEncodedName-n)
		symbols = append(symbols, Symbol{Addr: uint64(n), Type: 't', Name: name})
	}
	return symbols
}

func TestWriteAsmRefuses(t *testing.T) {
	text := Bounds{Text: 0xffffffff81000000, PercpuEnd: 0xffff}
	for _, c := range []struct {
		reason string
		addr   uint64
		opts   AsmOptions
		ok     bool
	}{
		{"7.3: 2 GiB above _text", text.Text + 1<<31, AsmOptions{PCRelative: true, Bounds: text}, false},
		{"7.3: just below that", text.Text + 1<<31 - 1, AsmOptions{PCRelative: true, Bounds: text}, true},
		{"7.3: 2 GiB below _text", text.Text - 1<<31, AsmOptions{PCRelative: true, Bounds: text}, true},
		{"7.3: just below that", text.Text - 1<<31 - 1, AsmOptions{PCRelative: true, Bounds: text}, false},
		{"7.3: an address that plain u32 would cut off", 1 << 32, AsmOptions{}, false},
		{"7.3: the last that it would not", 1<<32 - 1, AsmOptions{}, true},
		{"6.12: absolute per-CPU up to 2 GiB", 1<<31 - 1, AsmOptions{Dialect: BaseRelative, AbsolutePercpu: true, Bounds: Bounds{PercpuEnd: 1 << 40}}, true},
		{"6.12: absolute per-CPU from there", 1 << 31, AsmOptions{Dialect: BaseRelative, AbsolutePercpu: true, Bounds: Bounds{PercpuEnd: 1 << 40}}, false},
	} {
		symbols := []Symbol{{Addr: c.addr, Type: 'T', Name: "f"}}
		tables, err := Encode(symbols, EncodeOptions{})
		if err != nil {
			t.Fatal(err)
		}
		var out strings.Builder
		err = WriteAsm(&out, symbols, tables, c.opts)
		if c.ok != (err == nil) || !c.ok && (!errors.Is(err, ErrAddressRange) || out.Len() > 0) {
			t.Errorf("%s: got %v and %d bytes", c.reason, err, out.Len())
		}
	}
	tables, err := Encode(nil, EncodeOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if err := WriteAsm(io.Discard, names("a"), tables, AsmOptions{}); err == nil {
		t.Error("the symbols of other tables were accepted")
	}
}

// failing fails after some bytes.
type failing struct{ left int }

var errFull = errors.New("full")

func (f *failing) Write(p []byte) (int, error) {
	if f.left -= len(p); f.left < 0 {
		return 0, errFull
	}
	return len(p), nil
}

func TestWriteAsmPassesWriteErrorsOn(t *testing.T) {
	symbols, bounds := realSymbols(t)
	tables, err := Encode(symbols, EncodeOptions{MarkerShift: StockMarkerShift})
	if err != nil {
		t.Fatal(err)
	}
	opts := AsmOptions{PCRelative: true, Bounds: bounds}
	for _, room := range []int{0, 1 << 20} {
		if err := WriteAsm(&failing{room}, symbols, tables, opts); !errors.Is(err, errFull) {
			t.Errorf("with room for %d bytes: %v, want the writer's error", room, err)
		}
	}
}

// TestMarkersAtEveryShift states kallsyms_markers as prefix sums of record sizes,
// on the real map.
func TestMarkersAtEveryShift(t *testing.T) {
	symbols, _ := realSymbols(t)
	var stock *Tables
	for shift := uint(MaxMarkerShift); shift <= MaxMarkerShift; shift-- {
		tables, err := Encode(symbols, EncodeOptions{MarkerShift: shift})
		if err != nil {
			t.Fatal(err)
		}
		var want []uint32
		for i, at := 0, 0; at < len(tables.Names); i++ {
			if i%(1<<shift) == 0 {
				want = append(want, uint32(at))
			}
			header, size := recordHeader(tables.Names, at)
			at += header + size
		}
		if !slices.Equal(tables.Markers, want) {
			t.Fatalf("shift %d: the markers are not the prefix sums", shift)
		}
		if stock == nil {
			stock = tables
		}
		tables.Markers, tables.MarkerShift = stock.Markers, stock.MarkerShift
		if !reflect.DeepEqual(tables, stock) {
			t.Fatalf("shift %d changes more than the markers", shift)
		}
	}
}

func TestMarkerCounts(t *testing.T) {
	for _, c := range []struct{ n, want int }{{0, 0}, {1, 1}, {255, 1}, {256, 1}, {257, 2}, {512, 2}, {513, 3}} {
		symbols := slices.Repeat([]Symbol{{Type: 't'}}, c.n)
		tables, err := Encode(symbols, EncodeOptions{MarkerShift: 8})
		if err != nil || len(tables.Markers) != c.want {
			t.Errorf("%d symbols: %d markers, %v, want %d", c.n, len(tables.Markers), err, c.want)
		}
	}
}

func TestDecodeGivesTheSymbolsBack(t *testing.T) {
	for seed := range uint64(20) {
		m := newMapMaker(seed)
		parsed, err := ReadText(strings.NewReader(string(m.symbols(1 + m.IntN(600)))))
		if err != nil {
			t.Fatal(err)
		}
		symbols, _ := Prepare(parsed.Symbols, PrepareOptions{AllSymbols: true})
		tables, err := Encode(symbols, EncodeOptions{MarkerShift: uint(seed % 9)})
		if err != nil {
			t.Fatal(err)
		}
		got, err := Decode(tables)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(symbols, got); diff != "" {
			t.Fatalf("seed %d (-want +got):\n%s", seed, diff)
		}
		order := (&Spec{Symbols: symbols}).NameOrder()
		for i, want := range order {
			s := tables.SeqsOfNames[3*i:]
			if seq := int(s[0])<<16 | int(s[1])<<8 | int(s[2]); seq != want {
				t.Fatalf("seed %d: place %d in name order is symbol %d, the specification says %d", seed, i, seq, want)
			}
		}
	}
}

// TestRecordLengths reaches both forms of the length prefix. Nearly every byte
// value is in use, so that hardly a slot is left for tokens that would shorten
// the record.
func TestRecordLengths(t *testing.T) {
	var alphabet []Symbol
	for b := range 256 {
		if !strings.ContainsRune(unwritable, rune(b)) {
			alphabet = append(alphabet, Symbol{Type: 't', Name: string([]byte{byte(b)})})
		}
	}
	for _, c := range []struct {
		length int // of the compressed record
		prefix []byte
	}{
		{1, []byte{1}}, {127, []byte{127}}, {128, []byte{0x80, 1}}, {129, []byte{0x81, 1}}, {381, []byte{0xfd, 2}},
	} {
		noise := newMapMaker(1).noise(500)
		for n := c.length - 1; ; n++ {
			symbols := append(slices.Clone(alphabet), Symbol{Type: 'T', Name: noise[:n]})
			tables, err := Encode(symbols, EncodeOptions{MarkerShift: 0})
			if err != nil {
				t.Fatal(err)
			}
			record := tables.Names[tables.Markers[len(symbols)-1]:]
			if len(record) < c.length+len(c.prefix) {
				continue // tokens shortened it
			}
			if len(record) != c.length+len(c.prefix) || !bytes.HasPrefix(record, c.prefix) {
				t.Fatalf("%d bytes of name: a record of %d bytes that starts % x, want %d behind % x",
					n, len(record), record[:2], c.length, c.prefix)
			}
			got, err := Decode(tables)
			if err != nil || got[len(got)-1] != symbols[len(got)-1] {
				t.Fatalf("decoded: %v, %v", got[len(got)-1], err)
			}
			break
		}
	}
}
