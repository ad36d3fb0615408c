// SPDX-License-Identifier: GPL-2.0-only

package model

import (
	"debug/elf"
	"strings"
)

// ElfSymbol is an entry of a module's symbol table: an Elf_Sym with its name.
type ElfSymbol struct {
	Name  string
	Value uint64 // st_value; once the module is loaded, an address
	Size  uint64 // st_size, in bytes; no lookup depends on it
	Info  byte   // st_info: binding and type
	Other byte   // st_other: visibility
	Shndx uint16 // st_shndx: the section, or one of the SHN_ values
}

// Undefined says whether the symbol is one that the module takes from elsewhere.
func (s ElfSymbol) Undefined() bool { return s.Shndx == uint16(elf.SHN_UNDEF) }

// Function says whether the symbol's type is STT_FUNC.
func (s ElfSymbol) Function() bool { return elf.ST_TYPE(s.Info) == elf.STT_FUNC }

// ModuleRules are the build-time choices that change what module lookups answer.
type ModuleRules struct {
	AllSymbols bool // CONFIG_KALLSYMS_ALL
	Thumb2     bool // CONFIG_THUMB2_KERNEL: bit 0 of a function's value is not address
	// MaxOffset is FTRACE_MCOUNT_MAX_OFFSET, in bytes, nil where the
	// architecture has none. x86 has 4 with IBT and else 0, powerpc 16 or 8;
	// arm64 has none.
	MaxOffset *uint64
}

// Value is the address of a symbol. It mirrors kallsyms_symbol_value(), of which
// only 32-bit ARM has a version of its own.
func (r ModuleRules) Value(s ElfSymbol) uint64 {
	if r.Thumb2 && s.Function() {
		return s.Value &^ 1
	}
	return s.Value
}

// IsMappingSymbol says whether a name is one of the marks that compilers leave
// to tell code from data and one instruction set from another: arm's $a $t $d,
// arm64's $x $d, riscv's $x with an ISA string behind it, loongarch's L0\x01
// and .L1. It mirrors is_mapping_symbol() of 6.12 and 7.3, which takes any name
// that starts with $, .L or L0 for one, on every architecture; a function
// called L0_reset is hidden from lookups by address too.
func IsMappingSymbol(name string) bool {
	return strings.HasPrefix(name, "$") || strings.HasPrefix(name, ".L") || strings.HasPrefix(name, "L0")
}

// Candidate says whether lookups by address consider a symbol at all: those
// without a section, without a name and mapping symbols are passed over. It
// mirrors the conditions in the loop of find_kallsyms_symbol().
func (s *ElfSymbol) Candidate() bool {
	return !s.Undefined() && s.Name != "" && !IsMappingSymbol(s.Name)
}
