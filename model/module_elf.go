// SPDX-License-Identifier: GPL-2.0-only

package model

import (
	"debug/elf"
	"errors"
	"fmt"
	"io"
	"strings"
)

// ErrModule: a file that is not a module, or one that a kernel would not load.
var ErrModule = errors.New("not a loadable module")

// callSiteSections are the names that FTRACE_CALLSITE_SECTION has: a kernel
// looks for one of them, which its compiler decides.
var callSiteSections = []string{"__mcount_loc", "__patchable_function_entries"}

// ReadModule reads a module's .ko file. The call sites that ftrace makes records
// of are taken from the relocations of their section, as only these say where
// they are before the module is linked. Architectures that move a record away
// from its call site (arm64's ftrace_call_adjust()) are not followed in that.
func ReadModule(r io.ReaderAt) (*Object, error) {
	f, err := elf.NewFile(r)
	if err != nil {
		return nil, fmt.Errorf("%w: %w; expected a whole .ko file, not compressed", ErrModule, err)
	}
	if f.Type != elf.ET_REL {
		return nil, fmt.Errorf("%w: expected a relocatable ELF file, found %v; name the .ko file", ErrModule, f.Type)
	}
	o := &Object{EntrySize: elf.Sym64Size}
	if f.Class == elf.ELFCLASS32 {
		o.EntrySize = elf.Sym32Size
	}
	for i, s := range f.Sections {
		if s.Type == elf.SHT_SYMTAB {
			o.Symtab, o.Strtab = i, int(s.Link)
		}
		o.Sections = append(o.Sections, Section{s.Name, s.Type, s.Flags, s.Offset, s.Size, s.Addralign})
	}
	symbols, err := f.Symbols()
	if err != nil {
		return nil, fmt.Errorf("%w: %w; use the unstripped file", ErrModule, err)
	}
	o.Symbols = make([]ElfSymbol, 1, len(symbols)+1)
	for i, s := range symbols {
		if s.Section < elf.SHN_LORESERVE && int(s.Section) >= len(o.Sections) || s.Section == elf.SHN_COMMON {
			return nil, fmt.Errorf("%w: symbol %d, %q: expected a section below %d, found %v; compile with -fno-common",
				ErrModule, i+1, s.Name, len(o.Sections), s.Section)
		}
		o.Symbols = append(o.Symbols, ElfSymbol{s.Name, s.Value, s.Size, s.Info, s.Other, uint16(s.Section)})
	}
	if err := o.readModinfo(f); err != nil {
		return nil, err
	}
	return o, o.readCallSites(f)
}

// readModinfo takes the module's name from .modinfo, and whether it is a
// livepatch.
func (o *Object) readModinfo(f *elf.File) error {
	s := f.Section(".modinfo")
	if s == nil {
		return nil
	}
	data, err := s.Data()
	if err != nil {
		return fmt.Errorf("%w: .modinfo: %w; fetch the file again", ErrModule, err)
	}
	for tag := range strings.SplitSeq(string(data), "\x00") {
		if name, ok := strings.CutPrefix(tag, "name="); ok {
			o.Name = name
		}
		if strings.HasPrefix(tag, "livepatch=") {
			o.Livepatch = true
		}
	}
	return nil
}

// readCallSites reads the relocations of the section of call sites, if there is
// one. A relocation names a symbol and how far behind it the call is.
func (o *Object) readCallSites(f *elf.File) error {
	for _, name := range callSiteSections {
		for i, s := range o.Sections {
			if s.Name != name {
				continue
			}
			for _, rel := range f.Sections {
				if (rel.Type == elf.SHT_RELA || rel.Type == elf.SHT_REL) && int(rel.Info) == i {
					return o.readRelocations(f, rel)
				}
			}
		}
	}
	return nil
}

func (o *Object) readRelocations(f *elf.File, rel *elf.Section) error {
	const entry = 24 // bytes of an Elf64_Rela
	if f.Class != elf.ELFCLASS64 || rel.Type != elf.SHT_RELA {
		return fmt.Errorf("%w: %s: expected 64-bit relocations with addends, found %v of %v; use a module of a 64-bit kernel",
			ErrModule, rel.Name, rel.Type, f.Class)
	}
	data, err := rel.Data()
	if err != nil || len(data)%entry != 0 {
		return fmt.Errorf("%w: %s: expected whole entries of %d bytes, found %d bytes (%v); fetch the file again",
			ErrModule, rel.Name, entry, len(data), err)
	}
	for n := 0; n*entry < len(data); n++ {
		info := f.ByteOrder.Uint64(data[n*entry+8:])
		addend := f.ByteOrder.Uint64(data[n*entry+16:])
		sym := info >> 32
		if sym >= uint64(len(o.Symbols)) {
			return fmt.Errorf("%w: %s: entry %d: expected a symbol below %d, found %d; fetch the file again",
				ErrModule, rel.Name, n, len(o.Symbols), sym)
		}
		s := o.Symbols[sym]
		if s.Undefined() || int(s.Shndx) >= len(o.Sections) {
			continue // a weak function that nothing defines: a record at 0, which ftrace skips
		}
		o.CallSites = append(o.CallSites, CallSite{int(s.Shndx), s.Value + addend})
	}
	return nil
}
