// SPDX-License-Identifier: GPL-2.0-only

package model

import (
	"debug/elf"
	"strings"
)

// kept says whether symbol i goes into the core table: the null symbol, in
// livepatch modules every symbol, and what is_core_symbol() picks. It mirrors
// the condition of layout_symtab() and add_kallsyms().
func (l *layout) kept(i int) bool {
	return i == 0 || l.Livepatch || l.coreSymbol(l.Symbols[i])
}

// coreSymbol mirrors is_core_symbol(): a name, and a section that stays in
// memory when init is done; without CONFIG_KALLSYMS_ALL, a section of code.
func (l *layout) coreSymbol(s ElfSymbol) bool {
	section := int(s.Shndx)
	if s.Undefined() || section >= len(l.Sections) || s.Name == "" {
		return false
	}
	// The index of the percpu section is 0 where there is none, and no defined
	// symbol is in section 0.
	if l.rules.AllSymbols && section == l.percpu {
		return true
	}
	if !l.alloc(section) || !l.rules.AllSymbols && !l.has(section, elf.SHF_EXECINSTR) {
		return false
	}
	return !l.placed[section].memory.Init()
}

// elfType is the letter of a symbol in /proc/kallsyms, as nm has it but for the
// small letters. It mirrors elf_type(). The letters g and s are for
// architectures with small-data sections, which are not modelled.
func (l *layout) elfType(s ElfSymbol) byte {
	if elf.ST_BIND(s.Info) == elf.STB_WEAK {
		if elf.ST_TYPE(s.Info) == elf.STT_OBJECT {
			return 'v'
		}
		return 'w'
	}
	section := int(s.Shndx)
	switch {
	case s.Undefined():
		return 'U'
	case elf.SectionIndex(section) == elf.SHN_ABS, section == l.percpu:
		return 'a'
	case section >= len(l.Sections):
		return '?'
	case l.has(section, elf.SHF_EXECINSTR):
		return 't'
	}
	noBits := l.Sections[section].Type == elf.SHT_NOBITS
	switch {
	case l.alloc(section) && !noBits && !l.has(section, elf.SHF_WRITE):
		return 'r'
	case l.alloc(section) && !noBits:
		return 'd'
	case noBits:
		return 'b'
	case strings.HasPrefix(l.Sections[section].Name, ".debug"):
		return 'n'
	}
	return '?'
}
