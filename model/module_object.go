// SPDX-License-Identifier: GPL-2.0-only

package model

import (
	"debug/elf"
	"strings"
)

// Section is a section of a module's file, as far as loading it looks at it.
type Section struct {
	Name   string
	Type   elf.SectionType
	Flags  elf.SectionFlag
	Offset uint64 // in the file
	Size   uint64 // in bytes
	Align  uint64 // 0 and 1 both mean any
}

// Object is a module as a file: a relocatable ELF file whose symbols count from
// the starts of their sections.
type Object struct {
	Name      string // from .modinfo, "" where that has none
	Livepatch bool   // .modinfo says livepatch=Y
	Sections  []Section
	Symbols   []ElfSymbol // in the order of the file, the null symbol first
	Symtab    int         // index of the symbol table's section
	Strtab    int         // index of its strings' section
	EntrySize uint64      // bytes of an Elf_Sym: 24, in 32-bit files 16
	CallSites []CallSite  // what ftrace makes records of, in the order of the file
}

// CallSite is a call to the tracer, or the room for one.
type CallSite struct {
	Section int // index
	Offset  uint64
}

// Where Load puts things. A kernel picks other places, but these have all that
// lookups depend on: the regions do not overlap, percpu variables are at small
// numbers, and symbols of sections that are not loaded, such as .modinfo, point
// to the temporary copy of the file, which is in no region.
const (
	ModuleBase  = 0xffffffffc0000000 // of the first region; the others follow it without a gap
	PercpuBase  = 0x1f000            // mod_percpu()
	ImageBase   = 0xffffc90000000000 // of the temporary copy
	modulePage  = 4096
	kallsymsLen = 32 // sizeof(struct mod_kallsyms) on 64 bits, aligned to 8
)

// Load lays the module out in memory, moves its symbols to their addresses and
// makes the init and the core table. The module is Coming: its init has not run.
// Undefined symbols keep the value of the file, as there is no kernel to take
// them from. Load mirrors layout_sections(), layout_symtab(),
// simplify_symbols() and add_kallsyms() of a kernel with CONFIG_MODULE_UNLOAD
// and without memory allocation profiling.
func (o *Object) Load(rules ModuleRules) *Module {
	l := layout{Object: o, rules: rules, percpu: o.percpuSection()}
	l.sections()
	l.symtab()
	l.place()

	m := &Module{Name: o.Name, State: Coming, Livepatch: o.Livepatch, Mem: l.mem}
	for i, s := range o.Symbols {
		s.Value = l.address(i)
		letter := l.elfType(s)
		m.Init.Symbols = append(m.Init.Symbols, s)
		m.Init.Types = append(m.Init.Types, letter)
		if l.kept(i) {
			m.Core.Symbols = append(m.Core.Symbols, s)
			m.Core.Types = append(m.Core.Types, letter)
		}
	}
	m.Records = l.records()
	m.Exports = o.exports()
	return m
}

// exports finds what EXPORT_SYMBOL() has made, by the labels it leaves.
func (o *Object) exports() map[string]bool {
	names := make(map[string]bool)
	for _, s := range o.Symbols {
		name, found := strings.CutPrefix(s.Name, "__ksymtab_")
		if found && int(s.Shndx) < len(o.Sections) && o.Sections[s.Shndx].Name == "__ksymtab" {
			names[name] = true
		}
	}
	return names
}

// percpuSection mirrors find_pcpusec(): 0, the null section, where there is none.
func (o *Object) percpuSection() int {
	for i, s := range o.Sections {
		if s.Flags&elf.SHF_ALLOC != 0 && s.Name == ".data..percpu" {
			return i
		}
	}
	return 0
}
