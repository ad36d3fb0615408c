// SPDX-License-Identifier: GPL-2.0-only

package proptest

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"kgen/model"
)

// TestModuleNamesAnswerTheFirst: a name gives the first symbol of the first
// module where that is not at 0; with a module before it, of that module.
func TestModuleNamesAnswerTheFirst(t *testing.T) {
	holdModules(t, func(c moduleCase, pick int64) string {
		for _, state := range moduleStates {
			k, _ := moduleKernel(c, pick, state)
			first := map[string]uint64{} // by module and name
			for _, m := range k.Modules.Modules {
				for _, s := range slices.Backward(m.Kallsyms().Symbols) {
					if s.Shndx != 0 {
						first[m.Name+":"+s.Name] = k.Modules.Rules.Value(s)
					}
				}
			}
			for _, name := range some(symbolNames(k), 80) {
				want := first[name]
				if !strings.Contains(name, ":") {
					for _, m := range slices.Backward(k.Modules.Modules) {
						if addr := first[m.Name+":"+name]; addr != 0 {
							want = addr
						}
					}
				}
				if got := k.Modules.LookupName(name); got != want {
					return fmt.Sprintf("%v, %q: %#x, expected %#x", state, name, got, want)
				}
			}
		}
		return ""
	})
}

// TestSymposCountsVisits: the n-th position of a name is the n-th symbol that an
// iteration visits, in vmlinux and in a module, while init runs and after; kprobes
// count the same symbols.
func TestSymposCountsVisits(t *testing.T) {
	holdModules(t, func(c moduleCase, pick int64) string {
		for _, state := range moduleStates {
			k, m := moduleKernel(c, pick, state)
			for _, name := range some(symbolNames(k), 40) {
				visits := map[string][]uint64{"": k.Core.Matches(name)}
				for line, i := range moduleLines(k, m) {
					if line.Name == name && m.Kallsyms().Symbols[i].Shndx != 0 {
						visits["mod"] = append(visits["mod"], line.Addr)
					}
				}
				for object, seen := range visits {
					if complaint := checkSympos(k, object, name, seen); complaint != "" {
						return fmt.Sprintf("%v, %s:%q: %s", state, object, name, complaint)
					}
				}
				if got := k.SameSymbols("mod", name); got != len(visits["mod"]) {
					return fmt.Sprintf("%v, %q: %d symbols counted, expected %d", state, name, got, len(visits["mod"]))
				}
				if complaint := checkSameSymbols(k, name, len(visits[""])); complaint != "" {
					return fmt.Sprintf("%v, %q: %s", state, name, complaint)
				}
			}
		}
		return ""
	})
}

// checkSameSymbols says whether a name without a module is counted as in 6.12, by
// adding up, and as in 7.3, where symbols of the core kernel hide the others.
func checkSameSymbols(k *model.Kernel, name string, inCore int) string {
	both := *k
	inModules := 0
	for _, m := range k.Modules.Modules {
		inModules += k.SameSymbols(m.Name, name)
	}
	for _, first := range []bool{false, true} {
		want := inCore + inModules
		if first && inCore > 0 {
			want = inCore
		}
		both.VmlinuxFirst = first
		if got := both.SameSymbols("", name); got != want {
			return fmt.Sprintf("%d symbols in all counted where the core kernel goes first is %v, expected %d", got, first, want)
		}
	}
	return ""
}

func checkSympos(k *model.Kernel, object, name string, seen []uint64) string {
	for sympos := 0; sympos <= len(seen)+1; sympos++ {
		got, err := k.KlpFindObjectSymbol(object, name, sympos)
		last := min(sympos, len(seen))
		if sympos == 0 {
			last = min(2, len(seen)) // the second symbol ends the search
		}
		want, wantErr := uint64(0), error(nil)
		switch {
		case last == 0 || seen[last-1] == 0:
			wantErr = model.ErrKlpNotFound
		case sympos == 0 && len(seen) > 1:
			wantErr = model.ErrKlpAmbiguous
		case sympos > len(seen):
			wantErr = model.ErrKlpPosition
		default:
			want = seen[last-1]
		}
		if got != want || !errors.Is(err, wantErr) || wantErr == nil && err != nil {
			return fmt.Sprintf("position %d: %#x %v, expected %#x %v", sympos, got, err, want, wantErr)
		}
	}
	return ""
}

// moduleLines goes through the lines of /proc/kallsyms of m, which is the first
// module, with their numbers.
func moduleLines(k *model.Kernel, m *model.Module) func(yield func(model.ModuleLine, int) bool) {
	return func(yield func(model.ModuleLine, int) bool) {
		for i := range m.Kallsyms().Symbols {
			line, err := k.Modules.Kallsym(i)
			if err != nil || line.Module != m.Name || !yield(line, i) {
				return
			}
		}
	}
}

// TestModuleLinesAreTheTables: /proc/kallsyms shows every symbol of every table
// once, in order, and what is not undefined is what iterations visit.
func TestModuleLinesAreTheTables(t *testing.T) {
	holdModules(t, func(c moduleCase, pick int64) string {
		for _, state := range moduleStates {
			k, _ := moduleKernel(c, pick, state)
			var want, visited []string
			n := 0
			for _, m := range k.Modules.Modules {
				table := m.Kallsyms()
				for i, s := range table.Symbols {
					line, err := k.Modules.Kallsym(n)
					text := fmt.Sprintf("%x %s", k.Modules.Rules.Value(s), s.Name)
					if got := fmt.Sprintf("%x %s", line.Addr, line.Name); err != nil || got != text || line.Type != table.Types[i] || line.Module != m.Name {
						return fmt.Sprintf("%v, line %d: %+v %v, expected %s", state, n, line, err, text)
					}
					if s.Shndx != 0 {
						want = append(want, text)
					}
					n++
				}
			}
			if _, err := k.Modules.Kallsym(n); !errors.Is(err, model.ErrRange) {
				return fmt.Sprintf("%v: a line behind the last, %d: %v", state, n, err)
			}
			k.Modules.OnEachSymbol("", func(name string, addr uint64) int {
				visited = append(visited, fmt.Sprintf("%x %s", addr, name))
				return 0
			})
			if !slices.Equal(visited, want) {
				return fmt.Sprintf("%v: visited %q, expected %q", state, visited, want)
			}
		}
		return ""
	})
}
