// SPDX-License-Identifier: GPL-2.0-only

package model

import (
	"debug/elf"
	"slices"
	"strings"
)

// layout is a module on its way into memory.
type layout struct {
	*Object
	rules  ModuleRules
	percpu int // index of the percpu section, 0 if there is none
	mem    [NumMemories]Region
	placed []spot // one a section
}

// spot is what the kernel keeps in sh_entsize: the region that a section goes
// to, and where in it.
type spot struct {
	loaded bool
	memory Memory
	offset uint64
}

// classes are the masks of __layout_sections(), and the regions that sections
// of each go to. SHF_RO_AFTER_INIT, which the kernel makes up, is the third.
var classes = []struct {
	match      func(l *layout, section int) bool
	core, init Memory
}{
	{func(l *layout, i int) bool { return l.has(i, elf.SHF_EXECINSTR) }, ModText, ModInitText},
	{func(l *layout, i int) bool { return !l.has(i, elf.SHF_WRITE) }, ModRodata, ModInitRodata},
	{func(l *layout, i int) bool { return roAfterInit(l.Sections[i].Name) }, ModROAfterInit, ModROAfterInit},
	{func(l *layout, i int) bool { return true }, ModData, ModInitData},
}

func (l *layout) has(section int, flag elf.SectionFlag) bool {
	return l.Sections[section].Flags&flag != 0
}

// roAfterInit mirrors module_mark_ro_after_init().
func roAfterInit(section string) bool {
	switch section {
	case ".data..ro_after_init", "__jump_table", ".static_call_sites":
		return true
	}
	return false
}

// alloc says whether a section is kept in memory: SHF_ALLOC, but for those that
// rewrite_section_headers() and layout_and_allocate() take the flag from.
func (l *layout) alloc(section int) bool {
	switch l.Sections[section].Name {
	case ".modinfo", "__versions", "__version_ext_crcs", "__version_ext_names":
		return false
	}
	return l.has(section, elf.SHF_ALLOC) && section != l.percpu
}

// sections mirrors layout_sections(): core before init, in each the classes in
// turn, in each the order of the file.
func (l *layout) sections() {
	l.placed = make([]spot, len(l.Sections))
	for _, init := range []bool{false, true} {
		for _, c := range classes {
			for i, s := range l.Sections {
				// module_init_section()
				if strings.HasPrefix(s.Name, ".init") != init || l.placed[i].loaded || !l.alloc(i) || !c.match(l, i) {
					continue
				}
				memory := c.core
				if init {
					memory = c.init
				}
				l.append(i, memory)
			}
		}
	}
}

// append puts a section behind what a region holds already. It mirrors
// module_get_offset_and_type().
func (l *layout) append(section int, memory Memory) {
	s := l.Sections[section]
	offset := alignUp(l.mem[memory].Size, s.Align)
	l.mem[memory].Size = offset + s.Size
	l.placed[section] = spot{true, memory, offset}
}

// symtab makes room for the init table behind the init data, and for the core
// table behind the data. It mirrors layout_symtab().
func (l *layout) symtab() {
	l.append(l.Symtab, ModInitData)
	kept, strings := uint64(0), uint64(0)
	for i, s := range l.Symbols {
		if l.kept(i) {
			kept++
			strings += uint64(len(s.Name)) + 1
		}
	}
	data := alignUp(l.mem[ModData].Size, l.Sections[l.Symtab].Align)
	l.mem[ModData].Size = data + kept*l.EntrySize + strings + kept
	l.append(l.Strtab, ModInitData)
	initData := alignUp(l.mem[ModInitData].Size, 8)
	l.mem[ModInitData].Size = initData + kallsymsLen + uint64(len(l.Symbols))
}

// place gives each region its address, as move_module() does. Regions have whole
// pages; without a byte there is no region.
func (l *layout) place() {
	base := uint64(ModuleBase)
	for i := range l.mem {
		region := &l.mem[i]
		if region.Size = alignUp(region.Size, modulePage); region.Size > 0 {
			region.Base = base
			base += region.Size
		}
	}
}

// address is where symbol i is once the module is loaded. It mirrors
// simplify_symbols().
func (l *layout) address(i int) uint64 {
	s := l.Symbols[i]
	section := int(s.Shndx)
	if i == 0 || s.Undefined() || section >= len(l.Sections) {
		return s.Value
	}
	return s.Value + l.start(section)
}

// start is a section's address: its sh_addr when symbols are moved.
func (l *layout) start(section int) uint64 {
	switch at := l.placed[section]; {
	case section == l.percpu:
		return PercpuBase
	case at.loaded:
		return l.mem[at.memory].Base + at.offset
	default:
		return ImageBase + l.Sections[section].Offset
	}
}

// records sorts the addresses of the call sites, as ftrace_process_locs() does,
// and leaves out what is at 0.
func (l *layout) records() []uint64 {
	var ips []uint64
	for _, site := range l.CallSites {
		if ip := l.start(site.Section) + site.Offset; ip != 0 {
			ips = append(ips, ip)
		}
	}
	slices.Sort(ips)
	return ips
}

func alignUp(n, align uint64) uint64 {
	if align <= 1 {
		return n
	}
	return (n + align - 1) / align * align
}
