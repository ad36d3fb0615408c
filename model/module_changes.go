// SPDX-License-Identifier: GPL-2.0-only

package model

// Change is a kind of answer that module-sort gives otherwise than the kernel.
type Change string

const (
	// ChangeAlias: another of several functions at one value.
	ChangeAlias Change = "alias"
	// ChangeNonFunction: the symbol closest to the address is no function, as one
	// of assembler without a type; the answer is the function before it.
	ChangeNonFunction Change = "non-function"
	// ChangeRegion: the answer is a symbol outside of the region of the address,
	// where there should be none; or the size reaches beyond the region's end.
	ChangeRegion Change = "region"
	// ChangeSize: the same symbol, but its size ends at the next function instead
	// of at the next symbol.
	ChangeSize Change = "size"
	// ChangeFirstMatch: a name that several symbols have gives another of them.
	ChangeFirstMatch Change = "first-match"
	// ChangeSympos: a livepatch's symbol position means another symbol.
	ChangeSympos Change = "sympos"
	// ChangeOrder: a line of /proc/kallsyms, or a step of an iteration, is of
	// another symbol.
	ChangeOrder Change = "order"
	// ChangeType: a line of /proc/kallsyms has the type letter of another symbol.
	ChangeType Change = "typetab"
	// ChangeOther is none of these. No answer is known to change so.
	ChangeOther Change = "other"
)

// AddressChange says how the answer of d for addr differs from what spec answers
// for m; "" is: not at all.
func (s *ModuleSpec) AddressChange(m *Module, d *ModuleDesign, addr uint64) Change {
	want, wantOK := s.FindSymbol(m, addr)
	got, gotOK, _ := d.Find(addr)
	if gotOK == wantOK && got.Name == want.Name && got.Offset == want.Offset && got.Size == want.Size {
		return ""
	}
	region, _, inRegion := m.region(s.Rules, addr)
	switch {
	case gotOK && (!inRegion || addr-got.Offset < region.Base || got.Size-got.Offset > region.Base+region.Size-addr):
		return ChangeRegion
	case wantOK && !m.Kallsyms().Symbols[want.Index].Function():
		return ChangeNonFunction
	case got.Offset == want.Offset && got.Name != want.Name:
		return ChangeAlias
	case got.Name == want.Name && got.Offset == want.Offset:
		return ChangeSize
	}
	return ChangeOther
}

// NameChanges says how lookups of name in m differ in after, the same module as a
// design loaded it: the first match, and each position that a livepatch can
// name.
func (s *ModuleSpec) NameChanges(m, after *Module, name string) []Change {
	var changes []Change
	if s.FindValue(m, name) != s.FindValue(after, name) {
		changes = append(changes, ChangeFirstMatch)
	}
	before := Kernel{Core: &Spec{}, Modules: &ModuleSpec{[]*Module{m}, s.Rules}}
	later := Kernel{Core: &Spec{}, Modules: &ModuleSpec{[]*Module{after}, s.Rules}}
	for sympos := 1; ; sympos++ {
		was, err := before.KlpFindObjectSymbol(m.Name, name, sympos)
		is, _ := later.KlpFindObjectSymbol(m.Name, name, sympos)
		if was != is {
			return append(changes, ChangeSympos)
		}
		if err != nil {
			return changes
		}
	}
}

// LineChanges counts the lines of /proc/kallsyms for m that are of another symbol
// in after, and those that show another symbol's type letter.
func (s *ModuleSpec) LineChanges(m, after *Module) map[Change]int {
	was, is := m.Kallsyms(), after.Kallsyms()
	letters := make(map[ElfSymbol]byte) // equal symbols are of one section, and so of one letter
	for i, sym := range was.Symbols {
		letters[sym] = was.Types[i]
	}
	changes := make(map[Change]int)
	for i, sym := range is.Symbols {
		if sym != was.Symbols[i] {
			changes[ChangeOrder]++
		}
		if letters[sym] != is.Types[i] {
			changes[ChangeType]++
		}
	}
	return changes
}
