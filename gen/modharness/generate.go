// SPDX-License-Identifier: GPL-2.0-only

package modharness

import (
	"debug/elf"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"kgen/model"
)

// smallScene is the i-th of a seed's scenes: up to three small modules, most of
// them made up of what lookups trip over, some cut out of a real one.
func smallScene(seed uint64, i, bits int, real []*model.Object) *scene {
	r := rand.New(rand.NewPCG(seed, uint64(i)))
	sc := &scene{seed: r.Uint64(), starved: i%5 == 4, failing: i%3 == 2}
	for n := range 1 + r.IntN(3) {
		if len(real) > 0 && bits == 64 && r.IntN(3) == 0 {
			sc.objects = append(sc.objects, fitted(r, real[r.IntN(len(real))], n))
		} else {
			sc.objects = append(sc.objects, adversarial(r, n, bits))
		}
	}
	base := uint64(0xffffffff81000000)
	if bits == 32 {
		base = 0xc1000000
	}
	for range r.IntN(12) {
		sc.core = append(sc.core, model.Symbol{Addr: base + uint64(r.IntN(64)), Type: 't', Name: symbolNameOf(r)})
	}
	slices.SortStableFunc(sc.core, func(a, b model.Symbol) int { return int(a.Addr) - int(b.Addr) })
	for _, s := range sc.core {
		if r.IntN(2) == 0 {
			sc.records = append(sc.records, s.Addr)
		}
	}
	sc.records = slices.Compact(sc.records)
	return sc
}

// objectSections are those of a small module. Their sizes are chosen anew.
var objectSections = []model.Section{
	{}, // the null section
	{Name: ".text", Type: elf.SHT_PROGBITS, Flags: elf.SHF_ALLOC | elf.SHF_EXECINSTR, Align: 16},
	{Name: ".init.text", Type: elf.SHT_PROGBITS, Flags: elf.SHF_ALLOC | elf.SHF_EXECINSTR, Align: 16},
	{Name: ".text.unlikely", Type: elf.SHT_PROGBITS, Flags: elf.SHF_ALLOC | elf.SHF_EXECINSTR, Align: 1},
	{Name: ".data", Type: elf.SHT_PROGBITS, Flags: elf.SHF_ALLOC | elf.SHF_WRITE, Align: 32},
	{Name: ".init.data", Type: elf.SHT_PROGBITS, Flags: elf.SHF_ALLOC | elf.SHF_WRITE, Align: 8},
	{Name: ".rodata", Type: elf.SHT_PROGBITS, Flags: elf.SHF_ALLOC, Align: 32},
	{Name: ".init.rodata", Type: elf.SHT_PROGBITS, Flags: elf.SHF_ALLOC, Align: 4},
	{Name: ".data..ro_after_init", Type: elf.SHT_PROGBITS, Flags: elf.SHF_ALLOC | elf.SHF_WRITE, Align: 8},
	{Name: ".bss", Type: elf.SHT_NOBITS, Flags: elf.SHF_ALLOC | elf.SHF_WRITE, Align: 16},
	{Name: ".data..percpu", Type: elf.SHT_PROGBITS, Flags: elf.SHF_ALLOC | elf.SHF_WRITE, Align: 8},
	{Name: ".modinfo", Type: elf.SHT_PROGBITS, Flags: elf.SHF_ALLOC, Align: 1},
	{Name: ".debug_info", Type: elf.SHT_PROGBITS, Align: 1},
	{Name: ".comment", Type: elf.SHT_PROGBITS, Align: 1},
	{Name: ".symtab", Type: elf.SHT_SYMTAB, Align: 8},
	{Name: ".strtab", Type: elf.SHT_STRTAB, Align: 1},
}

// emptyObject is a module without symbols of its own.
func emptyObject(n, bits int) *model.Object {
	o := &model.Object{Name: fmt.Sprintf("mod%d", n), Sections: slices.Clone(objectSections), Symbols: make([]model.ElfSymbol, 1), EntrySize: elf.Sym64Size}
	if bits == 32 {
		o.EntrySize = elf.Sym32Size
	}
	o.Symtab, o.Strtab = len(o.Sections)-2, len(o.Sections)-1
	return o
}

// finish sets the sizes that depend on the symbols.
func finish(o *model.Object) *model.Object {
	strings := uint64(1)
	for _, s := range o.Symbols {
		if s.Name != "" {
			strings += uint64(len(s.Name)) + 1
		}
	}
	o.Sections[o.Symtab].Size = uint64(len(o.Symbols)) * o.EntrySize
	o.Sections[o.Strtab].Size = strings
	return o
}

// adversarial is a module of up to 40 symbols with aliases, symbols without a
// type between functions, without a size, without a name, undefined, absolute,
// outside of their region, at 0, of one name, and in no order. None names a
// section that the file lacks: elf_type() reads past the section headers then.
func adversarial(r *rand.Rand, n, bits int) *model.Object {
	o := emptyObject(n, bits)
	o.Livepatch = r.IntN(6) == 0
	if r.IntN(8) == 0 {
		o.Name = strings.Repeat("m", 40) + o.Name
	}
	for i := range o.Sections {
		if i > 0 && r.IntN(4) > 0 {
			o.Sections[i].Size = []uint64{0, 1, 24, 64, 4096, 4100}[r.IntN(6)]
		}
	}
	mask := ^uint64(0) >> (64 - bits)
	for range r.IntN(40) {
		s := model.ElfSymbol{
			Name:  symbolNameOf(r),
			Value: uint64(r.IntN(40)),
			Size:  uint64(r.IntN(3) * 8),
			Info:  elf.ST_INFO([]elf.SymBind{elf.STB_LOCAL, elf.STB_GLOBAL, elf.STB_WEAK}[r.IntN(3)], []elf.SymType{elf.STT_NOTYPE, elf.STT_OBJECT, elf.STT_FUNC, elf.STT_FUNC, elf.STT_SECTION}[r.IntN(5)]),
			Shndx: uint16(r.IntN(len(o.Sections) - 2)),
		}
		switch r.IntN(10) {
		case 0:
			s.Shndx = 1 // most are code
		case 1:
			s.Value = []uint64{4095, 4096, 4097, 8192, mask, mask - 4095}[r.IntN(6)]
		case 2:
			s.Shndx = []uint16{uint16(elf.SHN_ABS), 0xff20}[r.IntN(2)]
			s.Value = hotAddress(r, n, bits)
		case 3, 4:
			s.Shndx = uint16(1 + r.IntN(3))
		case 5:
			s.Shndx, s.Value = uint16(elf.SHN_UNDEF), hotAddress(r, n, bits)
		}
		o.Symbols = append(o.Symbols, s)
		if s.Shndx > 0 && s.Shndx < 4 && s.Value < 64 && r.IntN(3) > 0 {
			o.CallSites = append(o.CallSites, model.CallSite{Section: int(s.Shndx), Offset: s.Value + uint64(r.IntN(20))})
		}
	}
	for range r.IntN(12) {
		o.CallSites = append(o.CallSites, model.CallSite{Section: 1 + r.IntN(3), Offset: uint64(r.IntN(60))})
	}
	o.CallSites = append(o.CallSites, model.CallSite{Section: 1}) // at the start of its region
	if len(o.Symbols)%4 == 1 {
		touchingTexts(o)
	}
	if r.IntN(8) == 0 {
		o.CallSites = nil
	}
	return finish(o)
}

// touchingTexts puts init text right behind text, with a function at the last byte
// of the one and a record at the first of the other: only the bound of the region
// keeps them apart.
func touchingTexts(o *model.Object) {
	o.Sections[1].Size, o.Sections[2].Size, o.Sections[3].Size = 4096, 64, 0
	o.Symbols = slices.DeleteFunc(o.Symbols, func(s model.ElfSymbol) bool { return s.Shndx == 2 && s.Value == 0 })
	o.Symbols = append(o.Symbols, model.ElfSymbol{Name: "last", Value: 4095, Info: elf.ST_INFO(elf.STB_LOCAL, elf.STT_FUNC), Shndx: 1})
	o.CallSites = append(o.CallSites, model.CallSite{Section: 2})
}

// hotAddress is one where a module may lie, whatever its sections are.
func hotAddress(r *rand.Rand, n, bits int) uint64 {
	base, space := uint64(kernelBase), uint64(kernelSpace)
	if bits == 32 {
		base, space = kernelBase32, kernelSpace2
	}
	return []uint64{
		0, 1, base + uint64(n)*space + uint64(r.IntN(64)), base + uint64(n)*space - uint64(1+r.IntN(8)),
		dataBase + uint64(n)*slotSpace + uint64(r.IntN(64)), base + uint64(n)*space + 4096,
	}[r.IntN(6)]
}

var hardNames = []string{"", "$x", "$d.12", "$t", ".L42", ".LC0", "L0", "L0\x01", ".l", "l0", "_", "a:b", strings.Repeat("n", model.KsymNameLen-2),
	strings.Repeat("n", model.KsymNameLen-1), strings.Repeat("n", model.KsymNameLen), strings.Repeat("n", 600)}

// symbolNameOf draws from few names, so that many are used twice, in several
// modules and in the core kernel.
func symbolNameOf(r *rand.Rand) string {
	if r.IntN(4) == 0 {
		return hardNames[r.IntN(len(hardNames))]
	}
	return fmt.Sprintf("f%d", r.IntN(24))
}

// fitted is a stretch of a real module's symbols, with its sections and with
// what can be traced there.
func fitted(r *rand.Rand, real *model.Object, n int) *model.Object {
	o := *real
	o.Name = fmt.Sprintf("%s%d", real.Name, n)
	o.Sections = slices.Clone(real.Sections)
	o.Symbols = slices.Clone(real.Symbols[:1])
	length := min(20+r.IntN(180), len(real.Symbols)-1)
	at := 1 + r.IntN(len(real.Symbols)-length)
	seen := map[model.CallSite]bool{}
	for _, s := range real.Symbols[at : at+length] {
		o.Symbols = append(o.Symbols, s)
		seen[model.CallSite{Section: int(s.Shndx), Offset: s.Value}] = true
		seen[model.CallSite{Section: int(s.Shndx), Offset: s.Value + 4}] = true
	}
	o.CallSites = nil
	for _, site := range real.CallSites {
		if seen[site] {
			o.CallSites = append(o.CallSites, site)
		}
	}
	return finish(&o)
}
