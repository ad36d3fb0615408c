// SPDX-License-Identifier: GPL-2.0-only

package model

import "strings"

// Symbol is an entry of a module's table of symbols once it is relocated.
type Symbol struct {
	Name     string
	Value    uint64 // an address, as kallsyms_symbol_value() gives it
	Defined  bool   // its section is not SHN_UNDEF
	Function bool   // its type is STT_FUNC
	Type     byte   // its letter in /proc/kallsyms
}

// Candidate says whether an address can be resolved to the symbol: it is
// defined, and has a name that is_mapping_symbol() does not take for a marker.
func (s Symbol) Candidate() bool {
	return s.Defined && s.Name != "" && s.Name[0] != '$' &&
		!strings.HasPrefix(s.Name, ".L") && !strings.HasPrefix(s.Name, "L0")
}

// Table is a struct mod_kallsyms. Symbol 0 is the null symbol of ELF.
type Table []Symbol

// Region is a struct module_memory.
type Region struct {
	Base, Size uint64
	Text       bool
}

// Contains mirrors within_module_mem_type().
func (r Region) Contains(addr uint64) bool { return addr-r.Base < r.Size }

// Place is what an address resolves to: a symbol by its number in the table, 0
// where there is none, how far behind it the address is, and how far it is from
// the symbol to the next one or to the end of the region.
type Place struct {
	Number       int
	Offset, Size uint64
}

// bounds are what a lookup narrows down, as in find_kallsyms_symbol().
type bounds struct {
	best             int
	bestVal, nextVal uint64
}

func (r Region) bounds() bounds { return bounds{0, r.Base - 1, r.Base + r.Size} }

func (b bounds) place(addr uint64) Place {
	if b.best == 0 {
		return Place{}
	}
	return Place{b.best, addr - b.bestVal, b.nextVal - b.bestVal}
}

// Find is the specification: find_kallsyms_symbol() as it scans the table for
// an address in a region. Of symbols with one value the first is found.
func (t Table) Find(r Region, addr uint64) Place {
	b := r.bounds()
	for i, s := range t {
		if i == 0 || !s.Candidate() {
			continue
		}
		if s.Value <= addr && s.Value > b.bestVal {
			b.best, b.bestVal = i, s.Value
		}
		if s.Value > addr && s.Value < b.nextVal {
			b.nextVal = s.Value
		}
	}
	return b.place(addr)
}

// Named is the value of the nth symbol of a name, from 1, as livepatch counts
// them; n = 1 is also what a lookup by name returns, unless that is 0.
func (t Table) Named(name string, n int) (value uint64, ok bool) {
	for _, s := range t {
		if s.Defined && s.Name == name {
			if n--; n == 0 {
				return s.Value, true
			}
		}
	}
	return 0, false
}

// Valid is the specification: test_for_valid_rec() of a record of a module. A
// symbol must be found, at most FTRACE_MCOUNT_MAX_OFFSET in front of the
// record. What the core kernel, BPF and ftrace's trampolines have is not
// modelled: no record of a module is in there.
func (t Table) Valid(r Region, record, maxOffset uint64) bool {
	place := t.Find(r, record)
	return place.Number != 0 && place.Offset <= maxOffset
}
