// SPDX-License-Identifier: GPL-2.0-only

package model

import (
	"cmp"
	"slices"
	"sort"
	"strings"
)

// Kernel is what a name is looked for in: the core kernel's symbols by address,
// and the tables of the modules, in the order of the list of modules.
type Kernel struct {
	Symbols   []Symbol
	Modules   []Table
	Traceable func(addr uint64) bool // ftrace_location() finds a record there
}

// Walk is the specification: ftrace_lookup_symbols() of one name as it walks
// over all symbols. The first one that can be traced is taken.
func (k *Kernel) Walk(name string) (addr uint64, ok bool) {
	for _, s := range k.Symbols {
		if s.Name == name && k.Traceable(s.Value) {
			return s.Value, true
		}
	}
	return k.walkModules(name)
}

// walkModules mirrors module_kallsyms_on_each_symbol() and kallsyms_callback().
func (k *Kernel) walkModules(name string) (addr uint64, ok bool) {
	for _, t := range k.Modules {
		for _, s := range t {
			if s.Defined && s.Name == name && k.Traceable(s.Value) {
				return s.Value, true
			}
		}
	}
	return 0, false
}

// ByName are the numbers of the core kernel's symbols in the order of names,
// those of one name by address: kallsyms_seqs_of_names.
func (k *Kernel) ByName() []int {
	order := make([]int, len(k.Symbols))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int {
		return cmp.Or(strings.Compare(k.Symbols[a].Name, k.Symbols[b].Name), cmp.Compare(a, b))
	})
	return order
}

// Single is ftrace_lookup_symbols() of the patch with cnt == 1: the symbols of
// the name are visited as kallsyms_on_each_match_symbol() does. Steps are those
// of the search.
func (k *Kernel) Single(order []int, name string) (addr uint64, ok bool, steps int) {
	first := sort.Search(len(order), func(i int) bool {
		steps++
		return k.Symbols[order[i]].Name >= name
	})
	for _, i := range order[first:] {
		if k.Symbols[i].Name != name {
			break
		}
		if k.Traceable(k.Symbols[i].Value) {
			return k.Symbols[i].Value, true, steps
		}
	}
	addr, ok = k.walkModules(name)
	return addr, ok, steps
}
