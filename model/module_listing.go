// SPDX-License-Identifier: GPL-2.0-only

package model

import (
	"debug/elf"
	"strings"
)

// ListedObject makes a module of what ReadReadelf returns. A listing of symbols
// tells little of sections, so the rest is taken from their names and symbols: a
// section is as long as its symbols reach; one that is called .text, or holds a
// function, is code; data, .bss and what is read-only after init is written to. What is in
// a region is right; where a region ends is not, and there are no records.
func ListedObject(symbols []ElfSymbol, names map[int]string) *Object {
	last := 0
	for _, s := range symbols {
		if s.Shndx < uint16(elf.SHN_LORESERVE) {
			last = max(last, int(s.Shndx))
		}
	}
	// The two behind the last hold the symbols and their names.
	o := &Object{Symbols: symbols, EntrySize: elf.Sym64Size, Sections: make([]Section, last+3), Symtab: last + 1, Strtab: last + 2}
	for i := 1; i <= last; i++ {
		o.Sections[i] = Section{Name: names[i], Type: elf.SHT_PROGBITS, Flags: elf.SHF_ALLOC, Align: 16}
		switch name := names[i]; {
		case strings.Contains(name, ".text"):
			o.Sections[i].Flags |= elf.SHF_EXECINSTR
		case strings.HasPrefix(name, ".bss"):
			o.Sections[i].Type = elf.SHT_NOBITS
			o.Sections[i].Flags |= elf.SHF_WRITE
		case strings.Contains(name, ".data"), roAfterInit(name):
			o.Sections[i].Flags |= elf.SHF_WRITE
		}
	}
	names64 := uint64(0)
	for _, s := range symbols {
		names64 += uint64(len(s.Name)) + 1
		if s.Undefined() || int(s.Shndx) > last {
			continue
		}
		section := &o.Sections[s.Shndx]
		section.Size = max(section.Size, s.Value+max(s.Size, 1))
		if s.Function() {
			section.Flags |= elf.SHF_EXECINSTR
		}
	}
	o.Sections[o.Symtab] = Section{Name: ".symtab", Type: elf.SHT_SYMTAB, Align: 8, Size: elf.Sym64Size * uint64(len(symbols))}
	o.Sections[o.Strtab] = Section{Name: ".strtab", Type: elf.SHT_STRTAB, Align: 1, Size: names64}
	return o
}

// ModuleAt makes a module of symbols whose values are addresses already, in one
// region of code. Its init is taken to be running, as what the core table would
// keep is not known; nor are the types of symbols that are no functions.
func ModuleAt(name string, symbols []ElfSymbol, text Region) *Module {
	m := &Module{Name: name, State: Coming, Init: SymTable{Symbols: symbols}}
	m.Mem[ModText] = text
	for _, s := range symbols {
		letter := byte('?')
		switch {
		case s.Undefined():
			letter = 'U'
		case s.Function():
			letter = 't'
		}
		m.Init.Types = append(m.Init.Types, letter)
	}
	return m
}
