// SPDX-License-Identifier: GPL-2.0-only

package model

import "strings"

// PrepareOptions are the options of scripts/kallsyms.c that decide which
// symbols reach the tables, and with which type.
type PrepareOptions struct {
	AllSymbols     bool // --all-symbols: keep data symbols too (KALLSYMS_ALL)
	AbsolutePercpu bool // 6.12's --absolute-percpu: per-CPU symbols become type A
}

// Prepare turns the symbols of a map into those of the tables, in table order,
// and returns the boundaries it saw. It mirrors the host tool's main() up to
// sort_symbols(). The slice is reused for the result.
func Prepare(symbols []Symbol, opts PrepareOptions) ([]Symbol, Bounds) {
	b := BoundsOf(symbols)
	kept := symbols[:0]
	for i := range symbols {
		s := &symbols[i]
		if ignored(s) || !opts.AllSymbols && !textSymbol(s, &b) {
			continue
		}
		kept = append(kept, *s)
		if opts.AbsolutePercpu && b.percpu(s.Addr) {
			kept[len(kept)-1].Type = 'A'
		}
	}
	sortTable(kept)
	return kept, b
}

// ignored mirrors is_ignored_symbol(): undefined, debugging and absolute
// symbols, but for the few absolute ones that are useful.
func ignored(s *Symbol) bool {
	switch s.Type {
	case 'u', 'n':
		return true
	case 'A', 'a':
		switch s.Name {
		case "__kernel_syscall_via_break", "__kernel_syscall_via_epc", "__kernel_sigtramp", "__gp":
			return false
		}
		return true
	}
	return false
}

// textSymbol mirrors symbol_valid() without --all-symbols: code, with both ends
// of each range, and section boundaries. Symbols that share the address of
// _etext or _einittext are dropped, because they can move in or out of the
// range once the tables themselves are linked in.
func textSymbol(s *Symbol, b *Bounds) bool {
	if strings.HasPrefix(s.Name, "__start_") || strings.HasPrefix(s.Name, "__stop_") {
		return true
	}
	in := s.Addr >= b.Stext && s.Addr <= b.Etext || s.Addr >= b.Sinittext && s.Addr <= b.Einittext
	return in && (s.Addr != b.Etext || s.Name == "_etext") &&
		(s.Addr != b.Einittext || s.Name == "_einittext")
}
