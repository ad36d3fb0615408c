// SPDX-License-Identifier: GPL-2.0-only

package model

import "errors"

// ErrRange is the -ERANGE of module lookups: no module, or none of its symbols,
// answers.
var ErrRange = errors.New("no module symbol there")

// ModuleSpec states what kernel/module/kallsyms.c answers, as the plainest scan
// over the symbol tables of the modules. Every module mechanism is held against
// it. 6.12 and 7.3 answer alike.
type ModuleSpec struct {
	Modules []*Module // in the order of the kernel's list: the newest first
	Rules   ModuleRules
}

// ModulePlace is what an address in a module resolves to.
type ModulePlace struct {
	Index  int    // of the symbol, in the table in use
	Name   string // its name, whole; callers copy at most KsymNameLen-1 bytes of it
	Size   uint64 // bytes from the symbol's address to the next one's, or to the region's end
	Offset uint64 // bytes from the symbol's address to the address asked for
}

// FindSymbol resolves an address of a module: the symbol is the first of those
// at the greatest address not above addr, within the memory region that addr is
// in. What type of symbol it is and how large plays no part. It mirrors
// find_kallsyms_symbol().
func (s *ModuleSpec) FindSymbol(m *Module, addr uint64) (place ModulePlace, ok bool) {
	region, _, ok := m.region(s.Rules, addr)
	if !ok {
		return ModulePlace{}, false
	}
	best, bestVal, nextVal := 0, region.Base-1, region.Base+region.Size
	symbols := m.Kallsyms().Symbols
	for i := 1; i < len(symbols); i++ {
		if !symbols[i].Candidate() {
			continue
		}
		value := s.Rules.Value(symbols[i])
		if value <= addr && value > bestVal {
			best, bestVal = i, value
		}
		if value > addr && value < nextVal {
			nextVal = value
		}
	}
	if best == 0 {
		return ModulePlace{}, false
	}
	return ModulePlace{best, symbols[best].Name, nextVal - bestVal, addr - bestVal}, true
}

// At finds the module that an address is in. It mirrors __module_address().
func (s *ModuleSpec) At(addr uint64) *Module {
	for _, m := range s.Modules {
		if m.State != Unformed && m.Contains(addr) {
			return m
		}
	}
	return nil
}

// AddressLookup returns the module that addr is in, and the symbol around it. A
// module without a symbol there is returned all the same, as the kernel sets
// modname before it looks. It mirrors module_address_lookup().
func (s *ModuleSpec) AddressLookup(addr uint64) (m *Module, place ModulePlace, ok bool) {
	if m = s.At(addr); m == nil {
		return nil, ModulePlace{}, false
	}
	place, ok = s.FindSymbol(m, addr)
	return m, place, ok
}

// LookupSymbolName returns the name of the symbol around addr, cut to what the
// kernel's buffer holds, or ErrRange. It mirrors lookup_module_symbol_name().
func (s *ModuleSpec) LookupSymbolName(addr uint64) (string, error) {
	_, place, ok := s.AddressLookup(addr)
	if !ok {
		return "", ErrRange
	}
	return place.Name[:min(len(place.Name), KsymNameLen-1)], nil
}
