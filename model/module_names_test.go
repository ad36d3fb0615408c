// SPDX-License-Identifier: GPL-2.0-only

package model

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestModuleNames(t *testing.T) {
	first := moduleOf(undef("both", 0x9), fn("dup", 0x1010), fn("dup", 0x1000), object("zero", 0), fn("zero", 0x1020),
		label("", 0x1024), label("$x", 0x1028))
	first.Name = "first"
	second := moduleOf(fn("both", 0x1030), fn("zero", 0x1034), fn("first:both", 0x1038), fn("dup", 0x103c))
	second.Name = strings.Repeat("s", moduleNameLen)
	s := specOf(first, second)
	for _, c := range []struct {
		reason, name string
		want         uint64
	}{
		{"the first of the table, not the lowest", "dup", 0x1010},
		{"undefined symbols are passed over", "both", 0x1030},
		{"0 ends a module's search, the next module answers", "zero", 0x1034},
		{"in the module named", "first:dup", 0x1010},
		{"0 in the module named", "first:zero", 0},
		{"not in the module named, though elsewhere", "first:both", 0},
		{"no such module", "third:dup", 0},
		{"an empty module name", ":dup", 0},
		{"a colon too far along is part of the name", second.Name + ":both", 0},
		{"the empty name can match", "", 0x1024},
		{"mapping symbols can match", "$x", 0x1028},
		{"no one has it", "nobody", 0},
	} {
		t.Run(c.reason, func(t *testing.T) {
			if got := s.LookupName(c.name); got != c.want {
				t.Errorf("%s is %#x, expected %#x", c.name, got, c.want)
			}
		})
	}
	if got := s.FindValue(second, "first:both"); got != 0x1038 {
		t.Errorf("in a given module a colon is part of the name: %#x, expected 0x1038", got)
	}
}

func TestModuleIteration(t *testing.T) {
	first, second := moduleOf(fn("b", 0x1010), undef("u", 7), fn("a", 0x1001)), moduleOf(fn("c", 0x1020))
	first.Name, second.Name = "first", "second"
	gone := moduleOf(fn("x", 0x1030))
	gone.State = Unformed
	s := &ModuleSpec{[]*Module{first, gone, second}, ModuleRules{Thumb2: true}}

	visit := func(module, stop string) string {
		var seen []string
		ret := s.OnEachSymbol(module, func(name string, addr uint64) int {
			seen = append(seen, fmt.Sprintf("%s:%x", name, addr))
			if name == stop {
				return 5
			}
			return 0
		})
		return fmt.Sprint(seen, ret)
	}
	for _, c := range []struct{ reason, module, stop, want string }{
		{"all modules", "", "", "[b:1010 a:1000 c:1020] 0"},
		{"one module", "second", "", "[c:1020] 0"},
		{"no such module", "third", "", "[] 0"},
		{"stopped", "", "a", "[b:1010 a:1000] 5"},
	} {
		if got := visit(c.module, c.stop); got != c.want {
			t.Errorf("%s: %s, expected %s", c.reason, got, c.want)
		}
	}

	var lines []ModuleLine
	for n := 0; ; n++ {
		line, err := s.Kallsym(n)
		if errors.Is(err, ErrRange) {
			break
		}
		lines = append(lines, line)
	}
	want := []ModuleLine{
		{0, 'A', "", "first"}, {0x1010, 'B', "b", "first"}, {7, 'C', "u", "first"}, {0x1000, 'D', "a", "first"},
		{0, 'A', "", "second"}, {0x1020, 'B', "c", "second"},
	}
	if !slices.Equal(lines, want) {
		t.Error(cmp.Diff(want, lines))
	}
}
