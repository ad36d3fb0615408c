// SPDX-License-Identifier: GPL-2.0-only

package model

// Place is what an address resolves to.
type Place struct {
	Pos    int    // position of the symbol in the table
	Size   uint64 // bytes from the symbol's address to the end of the symbol
	Offset uint64 // bytes from the symbol's address to the address asked for
}

// IsKsymAddr says whether the core kernel's table answers for addr. It mirrors
// is_ksym_addr() with is_kernel(), is_kernel_text() and is_kernel_inittext().
func (s *Spec) IsKsymAddr(addr uint64) bool {
	b, in := s.Bounds, func(start, end uint64) bool { return addr >= start && addr < end }
	if in(s.Rules.GateStart, s.Rules.GateEnd) {
		return true
	}
	if s.Rules.AllSymbols {
		return in(b.Stext, b.End) || in(b.InitBegin, b.InitEnd)
	}
	return in(b.Stext, b.Etext) || s.inInittext(addr)
}

func (s *Spec) inInittext(addr uint64) bool {
	return addr >= s.Bounds.Sinittext && addr < s.Bounds.Einittext
}

// SymbolPos resolves any address against the table, which must not be empty.
// The symbol is the first of those at the greatest address not above addr; an
// address below the first symbol belongs to symbol 0, with an offset that
// wraps. The size reaches to the next greater address; behind the last it
// reaches to the end of the section. It mirrors get_symbol_pos().
func (s *Spec) SymbolPos(addr uint64) Place {
	pos := 0
	for i, sym := range s.Symbols {
		if sym.Addr <= addr && sym.Addr > s.Symbols[pos].Addr {
			pos = i
		}
	}
	start, end := s.Symbols[pos].Addr, uint64(0)
	for i := len(s.Symbols) - 1; i > pos; i-- {
		if s.Symbols[i].Addr > start {
			end = s.Symbols[i].Addr
		}
	}
	if end == 0 {
		switch {
		case s.inInittext(addr):
			end = s.Bounds.Einittext
		case s.Rules.AllSymbols:
			end = s.Bounds.End
		default:
			end = s.Bounds.Etext
		}
	}
	return Place{Pos: pos, Size: s.long(end - start), Offset: s.long(addr - start)}
}

// long reduces a difference to the width of unsigned long.
func (s *Spec) long(v uint64) uint64 {
	if s.Rules.Bits32 {
		return uint64(uint32(v))
	}
	return v
}

// LookupSizeOffset returns the size of the symbol around addr and the offset in
// it. It mirrors kallsyms_lookup_size_offset().
func (s *Spec) LookupSizeOffset(addr uint64) (size, offset uint64, ok bool) {
	if !s.IsKsymAddr(addr) {
		return 0, 0, false
	}
	p := s.SymbolPos(addr)
	return p.Size, p.Offset, true
}

// Lookup returns the name of the symbol around addr and the place in it. A
// symbol without a name counts as not found. It mirrors kallsyms_lookup().
func (s *Spec) Lookup(addr uint64) (name string, place Place, ok bool) {
	if !s.IsKsymAddr(addr) {
		return "", Place{}, false
	}
	place = s.SymbolPos(addr)
	name = s.name(s.Symbols[place.Pos])
	return name, place, name != ""
}

// LookupSymbolName returns the name of the symbol around addr, which may be
// empty and found all the same. It mirrors lookup_symbol_name().
func (s *Spec) LookupSymbolName(addr uint64) (name string, ok bool) {
	if !s.IsKsymAddr(addr) {
		return "", false
	}
	return s.name(s.Symbols[s.SymbolPos(addr).Pos]), true
}
