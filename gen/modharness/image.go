// SPDX-License-Identifier: GPL-2.0-only

package modharness

import (
	"debug/elf"
	"encoding/binary"
	"slices"
	"strings"

	"kgen/model"
)

// image is a module as a child loads it, and as the model has it: the same
// symbols at the same addresses.
type image struct {
	object *model.Object
	module *model.Module
	memory []int // of each section: its region, or notLoaded
	sizes  [model.NumMemories]uint64
	bits   int
}

const notLoaded = -1

// Where regions lie. The data regions hold the symbol tables, so they have to be
// where the child can map memory; the others are numbers only, at kernel
// addresses.
const (
	slots        = 4
	dataBase     = 0x10000000
	slotSpace    = 0x02000000 // between the data of one module and of the next
	initDataAt   = 0x01000000 // behind the data of the same module
	kernelBase   = 0xffffffffc0000000
	kernelSpace  = 0x10000000
	kernelBase32 = 0xbf000000
	kernelSpace2 = 0x01000000
)

// newImage lays an object out for a child, as the slot-th of its modules.
func newImage(o *model.Object, rules model.ModuleRules, bits, slot int) *image {
	im := &image{object: o, module: o.Load(rules), bits: bits}
	old := im.module.Mem
	offsets := im.layOut()
	base, space := uint64(kernelBase), uint64(kernelSpace)
	if bits == 32 {
		base, space = kernelBase32, kernelSpace2
	}
	next := base + uint64(slot)*space
	for m := range im.module.Mem {
		region := &im.module.Mem[m]
		switch model.Memory(m) {
		case model.ModData:
			region.Base = dataBase + uint64(slot)*slotSpace
		case model.ModInitData:
			region.Base = dataBase + uint64(slot)*slotSpace + initDataAt
		default:
			if region.Size > 0 {
				region.Base = next
				next += region.Size
			}
		}
	}
	mask := ^uint64(0) >> (64 - bits)
	for _, table := range []*model.SymTable{&im.module.Init, &im.module.Core} {
		for i := range table.Symbols {
			s := &table.Symbols[i]
			if mem := im.memoryOf(*s); mem != notLoaded {
				s.Value += im.module.Mem[mem].Base - old[mem].Base
			}
			s.Value &= mask
		}
	}
	im.module.Records = nil
	for _, site := range o.CallSites {
		if mem := im.memory[site.Section]; mem != notLoaded {
			im.module.Records = append(im.module.Records, (im.module.Mem[mem].Base+offsets[site.Section]+site.Offset)&mask)
		}
	}
	slices.Sort(im.module.Records)
	return im
}

// memoryOf is the region of a symbol's section.
func (im *image) memoryOf(s model.ElfSymbol) int {
	if s.Undefined() || int(s.Shndx) >= len(im.memory) {
		return notLoaded
	}
	return im.memory[s.Shndx]
}

// layOut finds the region of each section and its offset there, and what the
// regions hold before the symbol tables are added. It mirrors layout_sections(),
// once more than the model does, so that the two are held against each other.
func (im *image) layOut() []uint64 {
	o := im.object
	im.memory = make([]int, len(o.Sections))
	offsets := make([]uint64, len(o.Sections))
	for i := range im.memory {
		im.memory[i] = notLoaded
	}
	for _, init := range []bool{false, true} {
		for i, s := range o.Sections {
			if strings.HasPrefix(s.Name, ".init") != init || im.flags(i)&uint32(elf.SHF_ALLOC) == 0 {
				continue
			}
			mem := region(s, init)
			offsets[i] = alignUp(im.sizes[mem], s.Align)
			im.sizes[mem] = offsets[i] + s.Size
			im.memory[i] = int(mem)
		}
	}
	return offsets
}

// region is where a section goes that is loaded.
func region(s model.Section, init bool) model.Memory {
	switch {
	case s.Flags&elf.SHF_EXECINSTR != 0 && init:
		return model.ModInitText
	case s.Flags&elf.SHF_EXECINSTR != 0:
		return model.ModText
	case s.Flags&elf.SHF_WRITE == 0 && init:
		return model.ModInitRodata
	case s.Flags&elf.SHF_WRITE == 0:
		return model.ModRodata
	case s.Name == ".data..ro_after_init" || s.Name == "__jump_table" || s.Name == ".static_call_sites":
		return model.ModROAfterInit
	case init:
		return model.ModInitData
	}
	return model.ModData
}

// flags are the sh_flags when symbols are laid out: some sections have lost
// SHF_ALLOC by then.
func (im *image) flags(i int) uint32 {
	s := im.object.Sections[i]
	switch s.Name {
	case ".modinfo", "__versions", "__version_ext_crcs", "__version_ext_names", ".data..percpu":
		return uint32(s.Flags &^ elf.SHF_ALLOC)
	}
	return uint32(s.Flags)
}

// percpu is the index of the section of percpu variables, or 0.
func (im *image) percpu() int {
	return max(0, slices.IndexFunc(im.object.Sections, func(s model.Section) bool {
		return s.Name == ".data..percpu" && s.Flags&elf.SHF_ALLOC != 0
	}))
}

// blob is the image for loadModule.
func (im *image) blob(conditions uint32) string {
	le := binary.LittleEndian
	o := im.object
	if o.Livepatch {
		conditions |= livepatch
	}
	b := le.AppendUint32(nil, conditions)
	b = append(append(b, o.Name...), 0)
	for m, region := range im.module.Mem {
		b = le.AppendUint64(b, region.Base)
		b = le.AppendUint64(b, im.sizes[m])
	}
	for _, n := range []int{len(o.Sections), o.Symtab, o.Strtab, im.percpu()} {
		b = le.AppendUint32(b, uint32(n))
	}
	var sectionNames []byte
	for i, s := range o.Sections {
		b = le.AppendUint32(b, uint32(len(sectionNames)))
		b = le.AppendUint32(b, uint32(s.Type))
		b = le.AppendUint32(b, im.flags(i))
		b = le.AppendUint32(b, uint32(max(0, im.memory[i])))
		sectionNames = append(append(sectionNames, s.Name...), 0)
	}
	b = le.AppendUint32(b, uint32(len(sectionNames)))
	b = append(b, sectionNames...)
	b = le.AppendUint32(b, uint32(len(im.module.Records)))
	for _, ip := range im.module.Records {
		b = le.AppendUint64(b, ip)
	}
	symbols := im.module.Init.Symbols
	names := []byte{0}
	var table []byte
	for _, s := range symbols {
		at := 0
		if s.Name != "" {
			at = len(names)
			names = append(append(names, s.Name...), 0)
		}
		table = le.AppendUint32(table, uint32(at))
		table = append(table, s.Info, s.Other)
		table = le.AppendUint16(table, s.Shndx)
		table = le.AppendUint64(table, s.Value)
		table = le.AppendUint64(table, s.Size)
	}
	b = le.AppendUint32(b, uint32(len(symbols)))
	b = le.AppendUint32(b, uint32(len(names)))
	return string(append(append(b, table...), names...))
}

func alignUp(n, align uint64) uint64 {
	if align <= 1 {
		return n
	}
	return (n + align - 1) / align * align
}
