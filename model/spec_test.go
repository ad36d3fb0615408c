// SPDX-License-Identifier: GPL-2.0-only

package model

import (
	"errors"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// names makes a table of symbols 16 bytes apart.
func names(list ...string) []Symbol {
	symbols := make([]Symbol, len(list))
	for i, name := range list {
		symbols[i] = Symbol{Addr: uint64(0x1000 + 16*i), Type: 't', Name: name}
	}
	return symbols
}

func TestNameRange(t *testing.T) {
	for _, c := range []struct {
		reason     string
		symbols    []Symbol
		name       string
		start, end int
		missing    bool
	}{
		{"one of three, the case a public draft got wrong", names("a", "b", "c"), "b", 1, 1, false},
		{"duplicates in between", names("b", "a", "b", "c", "b"), "b", 1, 3, false},
		{"the query is a prefix of symbols", names("ab", "abc"), "a", 0, 0, true},
		{"a symbol is a prefix of the query", names("a", "abc"), "ab", 0, 0, true},
		{"the empty name can be matched", names("x", "", ""), "", 0, 1, false},
		{"bytes compare unsigned", names("\xff", "z"), "\xff", 1, 1, false},
		{"an empty table", nil, "a", 0, 0, true},
		{"suffixes are part of a name", names("f.llvm.1"), "f", 0, 0, true},
	} {
		t.Run(c.reason, func(t *testing.T) {
			start, end, err := (&Spec{Symbols: c.symbols}).NameRange(c.name)
			if c.missing != errors.Is(err, ErrNoSymbol) || start != c.start || end != c.end {
				t.Fatalf("got %d, %d, %v", start, end, err)
			}
		})
	}
}

func TestLookupNameAndMatches(t *testing.T) {
	for _, c := range []struct {
		reason  string
		rules   Rules
		symbols []Symbol
		name    string
		addr    uint64
		matches []uint64
	}{
		{"the lowest address, matches ascending", Rules{}, names("f", "g", "f"), "f", 0x1000, []uint64{0x1000, 0x1020}},
		{"the empty name gives 0 but matches", Rules{}, names("f", ""), "", 0, []uint64{0x1010}},
		{"a symbol at 0 looks missing but matches", Rules{}, []Symbol{{0, 't', "f"}}, "f", 0, []uint64{0}},
		{"a miss", Rules{}, names("f"), "g", 0, nil},
		{"6.1 with LTO: suffixed names match", Rules{LTOSuffixes: true}, names("f.llvm.9", "f"), "f", 0x1000, []uint64{0x1000, 0x1010}},
		{"6.1 with LTO: the suffix cannot be asked for", Rules{LTOSuffixes: true}, names("f.llvm.9"), "f.llvm.9", 0, nil},
		{"6.12 and 7.3: the suffix must be asked for", Rules{}, names("f.llvm.9", "f"), "f", 0x1010, []uint64{0x1010}},
	} {
		t.Run(c.reason, func(t *testing.T) {
			s := &Spec{Symbols: c.symbols, Rules: c.rules}
			if got := s.LookupName(c.name); got != c.addr {
				t.Errorf("LookupName = %#x, want %#x", got, c.addr)
			}
			if diff := cmp.Diff(c.matches, s.Matches(c.name)); diff != "" {
				t.Errorf("Matches (-want +got):\n%s", diff)
			}
		})
	}
}

func TestIterationStopsWithItsAnswer(t *testing.T) {
	s := &Spec{Symbols: names("f", "g.llvm.1", "f"), Rules: Rules{LTOSuffixes: true}}
	var visited []string
	got := s.OnEachSymbol(func(name string, addr uint64) int {
		visited = append(visited, name)
		return len(visited) / 2 * 7
	})
	if got != 7 || !slices.Equal(visited, []string{"f", "g.llvm.1"}) {
		t.Errorf("OnEachSymbol gave %d after %q, want 7 after the second, whole names", got, visited)
	}
	calls := 0
	if got := s.OnEachMatch("f", func(uint64) int { calls++; return -3 }); got != -3 || calls != 1 {
		t.Errorf("OnEachMatch gave %d after %d calls, want -3 after 1", got, calls)
	}
	if got := s.OnEachMatch("none", func(uint64) int { return -3 }); got != 0 {
		t.Errorf("OnEachMatch of a missing name gave %d, want 0", got)
	}
}

func TestNameOrder(t *testing.T) {
	symbols := names("b", "a.llvm.2", "b", "", "a", "\xe9")
	symbols[5].Addr = symbols[4].Addr
	for _, c := range []struct {
		reason string
		rules  Rules
		want   []int
	}{
		{"names as they are", Rules{}, []int{3, 4, 1, 0, 2, 5}},
		{"6.1 with LTO orders by what is left of a name, then by address", Rules{LTOSuffixes: true}, []int{3, 1, 4, 0, 2, 5}},
	} {
		if diff := cmp.Diff(c.want, (&Spec{Symbols: symbols, Rules: c.rules}).NameOrder()); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.reason, diff)
		}
	}
}

// addressSpec is a kernel with text from 0x1000 to 0x2000, init text from 0x4000
// to 0x5000 and data up to 0x6000.
func addressSpec(rules Rules, symbols ...Symbol) *Spec {
	return &Spec{Symbols: symbols, Rules: rules, Bounds: Bounds{
		Stext: 0x1000, Etext: 0x2000, Sinittext: 0x4000, Einittext: 0x5000,
		InitBegin: 0x8000, InitEnd: 0x9000, End: 0x6000,
	}}
}

func TestSymbolPos(t *testing.T) {
	aliases := []Symbol{{0x1000, 'T', "a"}, {0x1010, 'T', "b"}, {0x1010, 't', "b2"}, {0x1010, 'w', "b3"}, {0x1040, 'T', "c"}}
	for _, c := range []struct {
		reason string
		spec   *Spec
		addr   uint64
		want   Place
	}{
		{"the first of aliases, size to the next greater address", addressSpec(Rules{}, aliases...), 0x1018, Place{1, 0x30, 8}},
		{"the last byte before the next symbol", addressSpec(Rules{}, aliases...), 0x103f, Place{1, 0x30, 0x2f}},
		{"the first byte of a symbol", addressSpec(Rules{}, aliases...), 0x1040, Place{4, 0xfc0, 0}},
		{"the last symbol ends at _etext", addressSpec(Rules{}, aliases...), 0x1fff, Place{4, 0xfc0, 0xfbf}},
		{"or at _end with KALLSYMS_ALL", addressSpec(Rules{AllSymbols: true}, aliases...), 0x1fff, Place{4, 0x4fc0, 0xfbf}},
		{"or at _einittext for an address in init text", addressSpec(Rules{AllSymbols: true}, aliases...), 0x4004, Place{4, 0x3fc0, 0x2fc4}},
		{"below symbol 0 the offset wraps", addressSpec(Rules{}, aliases...), 0xff0, Place{0, 0x10, ^uint64(0xf)}},
		{"and wraps in 32 bits on 32-bit kernels", addressSpec(Rules{Bits32: true}, aliases...), 0xff0, Place{0, 0x10, 0xfffffff0}},
		{"all symbols are aliases", addressSpec(Rules{}, aliases[1:4]...), 0x1010, Place{0, 0xff0, 0}},
		{"a last symbol behind the end has a size that wraps", addressSpec(Rules{}, Symbol{0x3000, 'T', "z"}), 0x3000, Place{0, ^uint64(0xfff), 0}},
	} {
		t.Run(c.reason, func(t *testing.T) {
			if diff := cmp.Diff(c.want, c.spec.SymbolPos(c.addr)); diff != "" {
				t.Fatalf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestIsKsymAddr(t *testing.T) {
	gate := Rules{GateStart: 0xa000, GateEnd: 0xb000}
	for _, c := range []struct {
		reason string
		rules  Rules
		addr   uint64
		want   bool
	}{
		{"below text", Rules{}, 0xfff, false},
		{"_stext", Rules{}, 0x1000, true},
		{"the last byte of text", Rules{}, 0x1fff, true},
		{"_etext", Rules{}, 0x2000, false},
		{"data", Rules{}, 0x3000, false},
		{"data with KALLSYMS_ALL", Rules{AllSymbols: true}, 0x3000, true},
		{"init text", Rules{}, 0x4fff, true},
		{"_einittext", Rules{}, 0x5000, false},
		{"_end with KALLSYMS_ALL", Rules{AllSymbols: true}, 0x6000, false},
		{"init sections behind _end", Rules{AllSymbols: true}, 0x8000, true},
		{"init sections without KALLSYMS_ALL", Rules{}, 0x8000, false},
		{"__init_end", Rules{AllSymbols: true}, 0x9000, false},
		{"the gate page", gate, 0xafff, true},
		{"behind the gate page", gate, 0xb000, false},
	} {
		if got := addressSpec(c.rules).IsKsymAddr(c.addr); got != c.want {
			t.Errorf("%s: IsKsymAddr(%#x) = %v", c.reason, c.addr, got)
		}
	}
}

func TestTexts(t *testing.T) {
	s := addressSpec(Rules{},
		Symbol{0x1000, 'T', "_stext"}, Symbol{0x1010, 't', "f.llvm.1"}, Symbol{0x1020, 't', ""}, Symbol{0x1030, 'T', "g"})
	lto := *s
	lto.Rules.LTOSuffixes = true
	for _, c := range []struct{ reason, got, want string }{
		{"offset and size", s.SprintSymbol(0x1014), "f.llvm.1+0x4/0x10"},
		{"an offset of 0 has its prefix", s.SprintSymbol(0x1000), "_stext+0x0/0x10"},
		{"the name alone", s.SprintSymbolNoOffset(0x1014), "f.llvm.1"},
		{"6.1 with LTO", lto.SprintSymbol(0x1014), "f+0x4/0x10"},
		{"outside the kernel: the address", s.SprintSymbol(0x3000), "0x3000"},
		{"a symbol without a name: the address", s.SprintSymbol(0x1024), "0x1024"},
		{"a return address at the end of a function", s.SprintBacktrace(0x1010), "_stext+0x10/0x10"},
		{"a return address of 0 wraps and is outside", s.SprintBacktrace(0), "0x0"},
	} {
		if c.got != c.want {
			t.Errorf("%s: got %q, want %q", c.reason, c.got, c.want)
		}
	}
	if name, ok := s.LookupSymbolName(0x1024); name != "" || !ok {
		t.Errorf("LookupSymbolName of a symbol without a name: %q, %v, want it found", name, ok)
	}
	if _, ok := s.LookupSymbolName(0x3000); ok {
		t.Error("LookupSymbolName found an address outside")
	}
	if size, offset, ok := s.LookupSizeOffset(0x1013); size != 16 || offset != 3 || !ok {
		t.Errorf("LookupSizeOffset: %d, %d, %v", size, offset, ok)
	}
	if _, _, ok := s.LookupSizeOffset(0x2000); ok {
		t.Error("LookupSizeOffset found _etext")
	}
	if line, shown := s.ProcLine(1); line != "0000000000001010 t f.llvm.1\n" || !shown {
		t.Errorf("ProcLine: %q, %v", line, shown)
	}
	if _, shown := s.ProcLine(2); shown {
		t.Error("ProcLine shows a symbol without a name")
	}
	s.Rules.Bits32 = true
	if line, _ := s.ProcLine(3); line != "00001030 T g\n" || s.SymbolType(3) != 'T' {
		t.Errorf("ProcLine on 32 bits: %q", line)
	}
}
