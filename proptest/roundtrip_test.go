// SPDX-License-Identifier: GPL-2.0-only

package proptest

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"kgen/model"
)

// TestTablesToSymbols: both readers of tables give back the symbols that were
// encoded.
func TestTablesToSymbols(t *testing.T) {
	hold(t, func(t Table, pick int64) string {
		tables := encode(t, pick)
		symbols, err := model.Decode(tables)
		if err != nil || !slices.Equal(symbols, t.Symbols) {
			return fmt.Sprintf("model.Decode: %v, got\n%v", err, Table{Symbols: symbols})
		}
		records, err := Decode(tables)
		if err != nil {
			return err.Error()
		}
		for i, r := range records {
			if s := t.Symbols[i]; r.Name != s.Name || r.Type != s.Type {
				return fmt.Sprintf("record %d: expected %c %q, got %c %q", i, s.Type, s.Name, r.Type, r.Name)
			}
		}
		return ""
	})
}

// TestMapsRoundTrip: the text of a map reads back as the symbols it shows,
// whether or not its last line ends.
func TestMapsRoundTrip(t *testing.T) {
	hold(t, func(t Table, pick int64) string {
		text := t.String()
		if pick%2 == 0 {
			text = strings.TrimSuffix(text, "\n")
		}
		got, err := ParseTable([]byte(text))
		if err != nil || !slices.Equal(got.Symbols, t.Symbols) {
			return fmt.Sprintf("%v, read back as\n%v", err, got)
		}
		return ""
	})
}

// TestAsmRoundTrip: the assembler text of every dialect says what the tables
// hold, and is refused exactly where an address does not fit.
func TestAsmRoundTrip(t *testing.T) {
	hold(t, func(t Table, pick int64) string {
		bounds := t.Bounds()
		bounds.PercpuStart, bounds.PercpuEnd = 0, 1<<31 // by which some tables' symbols are per-CPU
		for _, opts := range []model.AsmOptions{
			{Dialect: model.PlaceRelative, PCRelative: true, Bounds: bounds},
			{Dialect: model.PlaceRelative, Bounds: bounds},
			{Dialect: model.BaseRelative, Bounds: bounds},
			{Dialect: model.BaseRelative, AbsolutePercpu: true, Bounds: bounds},
		} {
			if complaint := asmLaw(t, encode(t, pick), opts); complaint != "" {
				return fmt.Sprintf("%+v: %s", opts, complaint)
			}
		}
		return ""
	})
}

func asmLaw(t Table, tables *model.Tables, opts model.AsmOptions) string {
	var text bytes.Buffer
	err := model.WriteAsm(&text, t.Symbols, tables, opts)
	if misfit := addressThatDoesNotFit(t, opts); misfit != "" || err != nil {
		if misfit == "" || !errors.Is(err, model.ErrAddressRange) || text.Len() > 0 {
			return fmt.Sprintf("got %v and %d bytes; %s", err, text.Len(), misfit)
		}
		return ""
	}
	got, err := parseAsm(text.String(), tables.MarkerShift)
	if err != nil {
		return err.Error()
	}
	for i, entry := range got.offsets {
		if addr := got.address(entry, t, opts); addr != t.Symbols[i].Addr {
			return fmt.Sprintf("offset %d: expected %#x, got %#x as %q", i, t.Symbols[i].Addr, addr, entry)
		}
	}
	got.tables.Addrs = tables.Addrs
	switch {
	case len(got.offsets) != len(t.Symbols):
		return fmt.Sprintf("%d offsets for %d symbols", len(got.offsets), len(t.Symbols))
	case !bytes.Equal(got.tables.Names, tables.Names):
		return fmt.Sprintf("names: expected %x\ngot %x", tables.Names, got.tables.Names)
	case !slices.Equal(got.tables.Markers, tables.Markers):
		return fmt.Sprintf("markers: expected %v, got %v", tables.Markers, got.tables.Markers)
	case !bytes.Equal(got.tables.TokenTable, tables.TokenTable):
		return fmt.Sprintf("token table: expected %q\ngot %q", tables.TokenTable, got.tables.TokenTable)
	case got.tables.TokenIndex != tables.TokenIndex:
		return fmt.Sprintf("token index: expected %v\ngot %v", tables.TokenIndex, got.tables.TokenIndex)
	case !bytes.Equal(got.tables.SeqsOfNames, tables.SeqsOfNames):
		return fmt.Sprintf("name order: expected %x\ngot %x", tables.SeqsOfNames, got.tables.SeqsOfNames)
	}
	return ""
}

// addressThatDoesNotFit states the ranges once more: int around _text with
// --pc-relative, u32 without; u32 above the base in 6.12, and with
// --absolute-percpu the base less at most 2 GiB, per-CPU symbols as they are.
func addressThatDoesNotFit(t Table, opts model.AsmOptions) string {
	percpu := func(addr uint64) bool {
		return opts.AbsolutePercpu && addr >= opts.Bounds.PercpuStart && addr <= opts.Bounds.PercpuEnd
	}
	base := baseOf(t, percpu)
	for _, s := range t.Symbols {
		fits := s.Addr <= 1<<32-1
		switch {
		case opts.PCRelative:
			distance := s.Addr - opts.Bounds.Text
			fits = distance < 1<<31 || distance >= 1<<64-1<<31
		case percpu(s.Addr):
			fits = s.Addr < 1<<31
		case opts.AbsolutePercpu:
			fits = s.Addr-base < 1<<31
		case opts.Dialect == model.BaseRelative:
			fits = s.Addr-base < 1<<32
		}
		if !fits {
			return fmt.Sprintf("%#x does not fit", s.Addr)
		}
	}
	return ""
}

func baseOf(t Table, percpu func(addr uint64) bool) uint64 {
	for _, s := range t.Symbols {
		if !percpu(s.Addr) {
			return s.Addr
		}
	}
	return 0
}
