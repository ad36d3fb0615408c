// SPDX-License-Identifier: GPL-2.0-only

package model

import "fmt"

// SprintSymbol is the text of sprint_symbol(), as in oopses: name+offset/size.
func (s *Spec) SprintSymbol(addr uint64) string { return s.sprint(addr, 0, true) }

// SprintSymbolNoOffset is the text of sprint_symbol_no_offset(): the name.
func (s *Spec) SprintSymbolNoOffset(addr uint64) string { return s.sprint(addr, 0, false) }

// SprintBacktrace is the text of sprint_backtrace(): as sprint_symbol(), but
// the symbol is that of the byte before a return address, so that a call at the
// very end of a function is not shown as the start of the next one.
func (s *Spec) SprintBacktrace(addr uint64) string { return s.sprint(addr, ^uint64(0), true) }

// sprint mirrors __sprint_symbol(). The kernel's %#lx prints 0 as 0x0.
func (s *Spec) sprint(addr, shift uint64, offset bool) string {
	name, p, ok := s.Lookup(s.long(addr + shift))
	switch {
	case !ok:
		return fmt.Sprintf("0x%x", addr)
	case !offset:
		return name
	}
	return fmt.Sprintf("%s+0x%x/0x%x", name, s.long(p.Offset-shift), p.Size)
}

// SymbolType is the letter of the symbol at pos. It mirrors
// kallsyms_get_symbol_type().
func (s *Spec) SymbolType(pos int) byte { return s.Symbols[pos].Type }

// ProcLine is the line of /proc/kallsyms for the symbol at pos, as a reader who
// may see addresses gets it; a symbol without a name is left out. It mirrors
// s_show().
func (s *Spec) ProcLine(pos int) (line string, shown bool) {
	digits := 16
	if s.Rules.Bits32 {
		digits = 8
	}
	sym := s.Symbols[pos]
	return fmt.Sprintf("%0*x %c %s\n", digits, sym.Addr, sym.Type, sym.Name), sym.Name != ""
}
