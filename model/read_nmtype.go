// SPDX-License-Identifier: GPL-2.0-only

package model

import (
	"debug/elf"
	"strings"
)

// nmType is the letter nm shows for a symbol. It follows bfd_decode_symclass()
// of binutils, as far as ELF files reach it.
func nmType(f *elf.File, s elf.Symbol) byte {
	bind, object := elf.ST_BIND(s.Info), elf.ST_TYPE(s.Info) == elf.STT_OBJECT
	weak := bind == elf.STB_WEAK
	switch {
	case s.Section == elf.SHN_COMMON:
		return 'C'
	case s.Section == elf.SHN_UNDEF && weak && object:
		return 'v'
	case s.Section == elf.SHN_UNDEF && weak:
		return 'w'
	case s.Section == elf.SHN_UNDEF:
		return 'U'
	case elf.ST_TYPE(s.Info) == elf.STT_GNU_IFUNC:
		return 'i'
	case weak && object:
		return 'V'
	case weak:
		return 'W'
	case bind == 10: // STB_GNU_UNIQUE
		return 'u'
	}
	letter := byte('?')
	switch {
	case s.Section == elf.SHN_ABS:
		letter = 'a'
	case int(s.Section) < len(f.Sections):
		letter = sectionLetter(f.Sections[s.Section])
	}
	if bind == elf.STB_GLOBAL && letter != '?' {
		return letter &^ 0x20
	}
	return letter
}

// namedSections are the sections whose letter goes by their name, whatever
// their flags.
var namedSections = []struct {
	name   string
	letter byte
}{
	{".drectve", 'i'}, {".edata", 'e'}, {".idata", 'i'}, {".pdata", 'p'}, {".debug", 'N'},
}

// sectionLetter mirrors coff_section_type() and decode_section_type().
func sectionLetter(s *elf.Section) byte {
	for _, n := range namedSections {
		if rest, ok := strings.CutPrefix(s.Name, n.name); ok && (rest == "" || strings.ContainsRune(".$0123456789", rune(rest[0]))) {
			return n.letter
		}
	}
	alloc, contents := s.Flags&elf.SHF_ALLOC != 0, s.Type != elf.SHT_NOBITS
	switch {
	case s.Flags&elf.SHF_EXECINSTR != 0:
		return 't'
	case alloc && contents && s.Flags&elf.SHF_WRITE == 0:
		return 'r'
	case alloc && contents:
		return 'd'
	case !contents:
		return 'b'
	case strings.HasPrefix(s.Name, ".debug"):
		return 'N'
	case s.Flags&elf.SHF_WRITE == 0:
		return 'n'
	}
	return '?'
}
