// SPDX-License-Identifier: GPL-2.0-only

package proptest

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/leanovate/gopter"
	"github.com/leanovate/gopter/gen"
	"github.com/leanovate/gopter/prop"

	"kgen/model"
)

// onRaw runs a law on input that means nothing, or nearly something. The
// generator is one whose slices shrink.
func onRaw(t *testing.T, input gopter.Gen, check any) {
	t.Helper()
	params := gopter.DefaultTestParametersWithSeed(seed)
	params.MinSuccessfulTests = 20 * runs(t)
	properties := gopter.NewProperties(params)
	properties.Property("raw input", prop.ForAll(check, input))
	properties.TestingRun(t, keeper{t})
}

// TestReadersTakeRawBytes: whatever the bytes, a reader gives symbols, or a
// sentinel that callers can test with a message of one line; and what it gives
// is what is written back.
func TestReadersTakeRawBytes(t *testing.T) {
	t.Run("bytes", func(t *testing.T) {
		onRaw(t, gen.SliceOf(gen.UInt8()), readerLaw)
	})
	t.Run("lines", func(t *testing.T) {
		line := gen.OneConstOf("0 T a\n", "ffffffffffffffff t b\n", "1 T c\t[m]\n", "10 w \n",
			"0x1 T d\n", " 2 T e\n", "3  T f\n", "U g\n", "11112222333344445 T h\n", "4 \xff i\n", "5 T j\r\n", "\n", "6 T k", "7 T \x00l\n", "8 \x00 m\n")
		onRaw(t, gen.SliceOf(line), func(lines []string) string { return readerLaw([]byte(strings.Join(lines, ""))) })
	})
}

func readerLaw(raw []byte) string {
	m, err := model.Read(bytes.NewReader(raw))
	if err != nil {
		known := errors.Is(err, model.ErrMapSyntax) || errors.Is(err, model.ErrMapFormat) || errors.Is(err, model.ErrHiddenAddresses)
		if !known || strings.Contains(err.Error(), "\n") {
			return fmt.Sprintf("reading %q: %v", raw, err)
		}
		return ""
	}
	for _, s := range m.Symbols {
		if strings.ContainsAny(s.Name, "\x00\r\n") || s.Type == 0 {
			return fmt.Sprintf("%q read as %+v, which is no C string", raw, s)
		}
	}
	back, err := ParseTable([]byte(Table{Symbols: m.Symbols}.String()))
	if err != nil || !slices.Equal(back.Symbols, m.Symbols) {
		return fmt.Sprintf("%q read as %v, which reads as %v, %v", raw, m.Symbols, back.Symbols, err)
	}
	return ""
}

// TestDecodersTakeRawBytes: a stream of any bytes, under tokens of one
// character, is refused with ErrTables or decoded to what both decoders see; a
// design is made of it only then, and finds each record.
func TestDecodersTakeRawBytes(t *testing.T) {
	names := gen.SliceOf(gen.OneGenOf(gen.UInt8(), gen.UInt8Range(0, 3), gen.UInt8Range(0x80, 0x83)))
	onRaw(t, names, func(raw []byte) string {
		tables := oneCharacterTokens()
		tables.Names = raw
		records, broken := Decode(tables)
		for i, r := range records {
			if i == 0 {
				tables.Markers = append(tables.Markers, uint32(r.Offset))
			}
			if r.Tokens == 0 {
				broken = errors.New("a record without a type")
			}
			tables.Addrs = append(tables.Addrs, uint64(i))
			tables.SeqsOfNames = append(tables.SeqsOfNames, 0, byte(i>>8), byte(i))
		}
		symbols, err := model.Decode(tables)
		if (err != nil) != (broken != nil) || err != nil && !errors.Is(err, model.ErrTables) {
			return fmt.Sprintf("stream %x: %v, expected %v", raw, err, broken)
		}
		d, designErr := model.NewDesign(tables, model.StockChoice())
		if err != nil {
			if designErr == nil {
				return fmt.Sprintf("stream %x: a design of tables that are refused with %v", raw, err)
			}
			return ""
		}
		if designErr != nil {
			return fmt.Sprintf("stream %x: %v", raw, designErr)
		}
		for i, r := range records {
			off, _ := d.SymbolOffset(i)
			if off != r.Offset || symbols[i].Name != r.Name || symbols[i].Type != r.Type {
				return fmt.Sprintf("stream %x: record %d is %+v, got %+v at %d", raw, i, r, symbols[i], off)
			}
		}
		return ""
	})
}

// oneCharacterTokens are tables in which each byte but 0 stands for itself, and
// 0 for 1.
func oneCharacterTokens() *model.Tables {
	t := &model.Tables{MarkerShift: model.StockMarkerShift}
	for i := range t.TokenIndex {
		t.TokenIndex[i] = uint16(len(t.TokenTable))
		t.TokenTable = append(t.TokenTable, byte(max(i, 1)), 0)
	}
	return t
}
