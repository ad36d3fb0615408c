// SPDX-License-Identifier: GPL-2.0-only

package model

import (
	"cmp"
	"debug/elf"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
)

// ReadELF reads the symbol table of a vmlinux or of a module. A vmlinux gives
// what its System.map does: `nm -n` through scripts/mksysmap. A module (any
// relocatable file) gives its defined symbols in the order of its own table,
// which module lookups depend on, with addresses relative to their sections.
func ReadELF(r io.ReaderAt) (*Map, error) {
	f, err := elf.NewFile(r)
	if err != nil {
		return nil, fmt.Errorf("%w: a broken ELF file: %w; give a whole vmlinux, or its System.map", ErrMapFormat, err)
	}
	symbols, err := f.Symbols()
	if err != nil {
		return nil, fmt.Errorf("%w: no usable symbol table (%w); use the unstripped file", ErrMapFormat, err)
	}
	m := &Map{Symbols: make([]Symbol, 0, len(symbols))}
	for _, es := range symbols {
		switch elf.ST_TYPE(es.Info) {
		case elf.STT_SECTION, elf.STT_FILE: // nm leaves them out
			continue
		}
		s := Symbol{Addr: es.Value, Type: nmType(f, es), Name: es.Name}
		if es.Section == elf.SHN_UNDEF || f.Type != elf.ET_REL && leftOut(s) {
			continue
		}
		if len(s.Name) >= KsymNameLen {
			m.Skipped = append(m.Skipped, SkippedName{Name: s.Name})
			continue
		}
		m.Symbols = append(m.Symbols, s)
	}
	if f.Type != elf.ET_REL {
		slices.SortStableFunc(m.Symbols, func(a, b Symbol) int {
			return cmp.Or(cmp.Compare(a.Addr, b.Addr), strings.Compare(a.Name, b.Name))
		})
	}
	return m, nil
}

// leftOut mirrors scripts/mksysmap: symbols that are not wanted in a
// System.map, or not fit for kallsyms.
func leftOut(s Symbol) bool {
	switch s.Type {
	case 'a', 'N', 'U', 'w':
		return true
	}
	return unwanted.MatchString(s.Name)
}

// unwanted holds mksysmap's prefixes, suffixes, whole names and patterns.
var unwanted = regexp.MustCompile(`^(` +
	`\$|\.L|__efistub_|__pi_\$|__pi_\.L|__kvm_nvhe_\$|__kvm_nvhe_\.L|__[[:alnum:]]*Thunk_|` +
	`__kcfi_typeid_|__kvm_nvhe___kcfi_typeid_|__pi___kcfi_typeid_|` +
	`__crc_|__kstrtab_|__kstrtabns_|__mod_device_table__|` +
	`L0$|_SDA_BASE_$|_SDA2_BASE_$|__UNIQUE_ID_modinfo_[0-9]*$)` +
	`|(_from_arm|_from_thumb|_veneer)$|\.long_branch\.|\.plt_branch\.`)
