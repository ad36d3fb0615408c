// SPDX-License-Identifier: GPL-2.0-only

package model

import (
	"errors"
	"sort"
	"strings"
)

// ErrNoSymbol is the -ESRCH of kallsyms_lookup_names(): no symbol has the name.
var ErrNoSymbol = errors.New("no such symbol")

// Spec states what the core kernel answers for its own symbols, as the plainest
// scan over them. Everything else in kgen is held against it. Where the kernel
// goes on to ask modules, BPF and ftrace, Spec says "not found".
type Spec struct {
	Symbols []Symbol // in table order, as Prepare leaves them
	Bounds  Bounds
	Rules   Rules
}

// Rules are the build-time choices that change an answer.
type Rules struct {
	AllSymbols  bool // CONFIG_KALLSYMS_ALL
	LTOSuffixes bool // 6.1 with CONFIG_LTO_CLANG: ".llvm." and what follows is not part of a name
	Bits32      bool // unsigned long has 32 bits
	// GateStart and GateEnd hold the page that in_gate_area_no_mm() knows (the
	// vsyscall page of x86-64), both 0 where there is none.
	GateStart, GateEnd uint64
}

// name is the name of a symbol as lookups see it. It mirrors 6.1's
// cleanup_symbol_name(); later kernels compare names as they are.
func (s *Spec) name(sym Symbol) string {
	if s.Rules.LTOSuffixes {
		name, _, _ := strings.Cut(sym.Name, ".llvm.")
		return name
	}
	return sym.Name
}

// NameOrder lists the positions of all symbols by name, then address, then
// position. It states what kallsyms_seqs_of_names holds, and mirrors the host
// tool's compare_names(). Bytes compare unsigned, as in the kernel's strcmp().
func (s *Spec) NameOrder() []int {
	order := make([]int, len(s.Symbols))
	for i := range order {
		order[i] = i
	}
	sort.SliceStable(order, func(i, j int) bool {
		a, b := s.Symbols[order[i]], s.Symbols[order[j]]
		if s.name(a) != s.name(b) {
			return s.name(a) < s.name(b)
		}
		return a.Addr < b.Addr
	})
	return order
}

// NameRange returns the first and the last place in name order of the symbols
// called name, or ErrNoSymbol. It mirrors kallsyms_lookup_names().
func (s *Spec) NameRange(name string) (start, end int, err error) {
	same := 0
	for _, sym := range s.Symbols {
		switch {
		case s.name(sym) < name:
			start++
		case s.name(sym) == name:
			same++
		}
	}
	if same == 0 {
		return 0, 0, ErrNoSymbol
	}
	return start, start + same - 1, nil
}

// LookupName returns the lowest address of the symbols called name. It is 0
// when there is none, for the empty name even where a symbol has it, and for a
// symbol at address 0. It mirrors kallsyms_lookup_name().
func (s *Spec) LookupName(name string) uint64 {
	if name == "" {
		return 0
	}
	for _, sym := range s.Symbols {
		if s.name(sym) == name {
			return sym.Addr
		}
	}
	return 0
}

// OnEachMatch calls fn with the address of every symbol called name, ascending,
// until fn returns something other than 0, and returns that. A name that no
// symbol has gives 0. It mirrors kallsyms_on_each_match_symbol().
func (s *Spec) OnEachMatch(name string, fn func(addr uint64) int) int {
	for _, sym := range s.Symbols {
		if s.name(sym) == name {
			if stop := fn(sym.Addr); stop != 0 {
				return stop
			}
		}
	}
	return 0
}

// Matches lists the addresses that OnEachMatch visits.
func (s *Spec) Matches(name string) []uint64 {
	var addrs []uint64
	s.OnEachMatch(name, func(addr uint64) int {
		addrs = append(addrs, addr)
		return 0
	})
	return addrs
}

// OnEachSymbol calls fn with every symbol in table order until fn returns
// something other than 0, and returns that. Names are whole here, also under
// 6.1's LTO rule. It mirrors kallsyms_on_each_symbol().
func (s *Spec) OnEachSymbol(fn func(name string, addr uint64) int) int {
	for _, sym := range s.Symbols {
		if stop := fn(sym.Name, sym.Addr); stop != 0 {
			return stop
		}
	}
	return 0
}
