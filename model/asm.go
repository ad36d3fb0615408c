// SPDX-License-Identifier: GPL-2.0-only

package model

import (
	"fmt"
	"io"
)

// AsmOptions says for which kernel the assembler text is.
type AsmOptions struct {
	Dialect        Dialect
	PCRelative     bool   // 7.3's --pc-relative
	AbsolutePercpu bool   // 6.12's --absolute-percpu; give it to Prepare too
	Bounds         Bounds // as Prepare returned them
}

// WriteAsm writes the assembler text of the tables, byte for byte as
// scripts/kallsyms.c of the dialect does. It mirrors write_src(). symbols are
// those that t was encoded from. Every entry is checked before anything is
// written, so an error other than the writer's own leaves w untouched.
func WriteAsm(w io.Writer, symbols []Symbol, t *Tables, opts AsmOptions) error {
	if len(symbols) != t.NumSyms() {
		return fmt.Errorf("writing assembler text: %d symbols for tables of %d; pass those the tables were encoded from",
			len(symbols), t.NumSyms())
	}
	a := asm{symbols: symbols, t: t, opts: opts}
	if err := a.computeEntries(); err != nil {
		return err
	}
	return writeOrdered(w, a.parts())
}

type asm struct {
	symbols []Symbol
	t       *Tables
	opts    AsmOptions
	addr    Addressing
	entries []int64 // what kallsyms_offsets gets for each symbol
}

// computeEntries mirrors record_relative_base() and the range checks of the
// offsets loop.
func (a *asm) computeEntries() error {
	b := &a.opts.Bounds
	a.addr = Addressing{
		Dialect:        a.opts.Dialect,
		PCRelative:     a.opts.PCRelative,
		AbsolutePercpu: a.opts.AbsolutePercpu,
		Text:           b.Text,
	}
	absolute := func(addr uint64) bool { return a.opts.AbsolutePercpu && b.percpu(addr) }
	for i := range a.symbols {
		if addr := a.symbols[i].Addr; !absolute(addr) {
			a.addr.Base = addr
			break
		}
	}
	a.entries = make([]int64, len(a.symbols))
	for i := range a.symbols {
		addr := a.symbols[i].Addr
		entry, err := a.addr.Entry(addr, absolute(addr))
		if err != nil {
			return fmt.Errorf("symbol %q: %w", a.symbols[i].Name, err)
		}
		a.entries[i] = entry
	}
	return nil
}

// asmChunk is how many symbols one part covers. A multiple of every marker
// spacing, so that a marker leads to the first record of each part.
const asmChunk = 1 << 10

// parts cuts the text into pieces that can be made independently.
func (a *asm) parts() []part {
	var parts []part
	perSymbol := func(line func(buf []byte, i int) []byte) {
		for start := 0; start < len(a.symbols); start += asmChunk {
			parts = append(parts, func(buf []byte) []byte {
				for i := start; i < min(start+asmChunk, len(a.symbols)); i++ {
					buf = line(buf, i)
				}
				return buf
			})
		}
	}
	parts = append(parts, a.head)
	for start := 0; start < len(a.symbols); start += asmChunk {
		parts = append(parts, func(buf []byte) []byte { return a.names(buf, start) })
	}
	parts = append(parts, a.middle)
	perSymbol(a.offset)
	parts = append(parts, a.afterOffsets)
	perSymbol(a.seq)
	return append(parts, func(buf []byte) []byte { return append(buf, '\n') })
}
