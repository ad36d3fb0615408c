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
	if err := a.checkEntries(); err != nil {
		return err
	}
	return writeOrdered(w, a.parts(), min(len(symbols), asmChunk)*lineRoom)
}

type asm struct {
	symbols []Symbol
	t       *Tables
	opts    AsmOptions
	addr    Addressing
}

// checkEntries mirrors record_relative_base() and the range checks of the
// offsets loop.
func (a *asm) checkEntries() error {
	a.addr = Addressing{
		Dialect:        a.opts.Dialect,
		PCRelative:     a.opts.PCRelative,
		AbsolutePercpu: a.opts.AbsolutePercpu,
		Text:           a.opts.Bounds.Text,
	}
	for i := range a.symbols {
		if addr := a.symbols[i].Addr; !a.absolute(addr) {
			a.addr.Base = addr
			break
		}
	}
	for i := range a.symbols {
		addr := a.symbols[i].Addr
		if _, err := a.addr.Entry(addr, a.absolute(addr)); err != nil {
			return fmt.Errorf("symbol %q: %w", a.symbols[i].Name, err)
		}
	}
	return nil
}

// absolute says whether --absolute-percpu covers an address.
func (a *asm) absolute(addr uint64) bool { return a.opts.AbsolutePercpu && a.opts.Bounds.percpu(addr) }

// entry is what kallsyms_offsets gets for a symbol. Computing it a second time
// costs less than keeping it.
func (a *asm) entry(i int) int64 {
	addr := a.symbols[i].Addr
	entry, err := a.addr.Entry(addr, a.absolute(addr))
	if err != nil {
		panic(err) // checkEntries has let it pass
	}
	return entry
}

// asmChunk is how many symbols one part covers. A multiple of every marker
// spacing, so that a marker leads to the first record of each part.
const asmChunk = 1 << 10

// lineRoom is more than the lines of any section take on average: 7.3's lines of
// kallsyms_names take 110 bytes.
const lineRoom = 144

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
