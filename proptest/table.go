// SPDX-License-Identifier: GPL-2.0-only

package proptest

import (
	"bytes"
	"slices"

	"github.com/leanovate/gopter"

	"kgen/model"
)

// Table is a symbol table as Prepare leaves it: addresses ascend, names are
// what Encode accepts.
type Table struct {
	Symbols []model.Symbol
}

// String is the table as a symbol map, which ParseTable reads.
func (t Table) String() string {
	var text []byte // gopter prints every table it draws, so this is quick
	for _, s := range t.Symbols {
		for shift := 60; shift >= 0; shift -= 4 {
			text = append(text, "0123456789abcdef"[s.Addr>>shift&0xf])
		}
		text = append(text, ' ', s.Type, ' ')
		text = append(text, s.Name...)
		text = append(text, '\n')
	}
	return string(text)
}

// ParseTable reads the text of a symbol map. Nothing is filtered, and symbols
// of one address stay in the order of the text.
func ParseTable(text []byte) (Table, error) {
	m, err := model.ReadText(bytes.NewReader(text))
	if err != nil {
		return Table{}, err
	}
	return Table{Symbols: m.Symbols}, nil
}

// Bounds puts the section boundaries between the symbols, so that lookups by
// address meet each of them: text in the first half, init text in the third
// quarter, and an end behind the last symbol.
func (t Table) Bounds() model.Bounds {
	n := len(t.Symbols)
	if n == 0 {
		return model.Bounds{}
	}
	at := func(quarter int) uint64 { return t.Symbols[min(n*quarter/4, n-1)].Addr }
	return model.Bounds{
		Text: at(0), Stext: at(0), Etext: at(2),
		InitBegin: at(2), Sinittext: at(2), Einittext: at(3), InitEnd: at(3),
		End: at(4) + 1<<8,
	}
}

// Sample draws n tables from a generator, the same ones for the same seed.
func Sample(tables gopter.Gen, seed int64, n int) []Table {
	params := gopter.DefaultGenParameters().CloneWithSeed(seed)
	list := make([]Table, n)
	for i := range list {
		list[i] = tables(params).Result.(Table)
	}
	return list
}

// clone returns a copy that may be changed.
func (t Table) clone() Table { return Table{Symbols: slices.Clone(t.Symbols)} }
