// SPDX-License-Identifier: GPL-2.0-only

package model

import (
	"cmp"
	"slices"
	"strings"
)

// sortTable brings symbols into table order: by address, and at one address by
// what makes a name the better one to show. It mirrors sort_symbols(). Maps
// come sorted by address (nm -n), so as a rule only the groups of aliases move.
func sortTable(symbols []Symbol) {
	byAddr := func(a, b Symbol) int { return cmp.Compare(a.Addr, b.Addr) }
	if !slices.IsSortedFunc(symbols, byAddr) {
		slices.SortStableFunc(symbols, byAddr)
	}
	for start := 0; start < len(symbols); {
		end := start + 1
		for end < len(symbols) && symbols[end].Addr == symbols[start].Addr {
			end++
		}
		if end-start > 1 {
			slices.SortStableFunc(symbols[start:end], compareAliases)
		}
		start = end
	}
}

// compareAliases mirrors compare_symbols() for equal addresses: strong before
// weak, real before linker-provided, fewer leading underscores first. The
// order of the input settles the rest, which is the stable sort's part.
func compareAliases(a, b Symbol) int {
	return cmp.Or(
		compareBool(weak(a), weak(b)),
		compareBool(linkerProvided(a.Name), linkerProvided(b.Name)),
		cmp.Compare(underscores(a.Name), underscores(b.Name)),
	)
}

func compareBool(a, b bool) int {
	switch {
	case a == b:
		return 0
	case b:
		return -1
	}
	return 1
}

func weak(s Symbol) bool { return s.Type == 'w' || s.Type == 'W' }

// linkerProvided mirrors may_be_linker_script_provide_symbol().
func linkerProvided(name string) bool {
	if len(name) < 8 || name[:2] != "__" {
		return false
	}
	rest := name[2:]
	return strings.HasPrefix(rest, "start_") || strings.HasPrefix(rest, "stop_") ||
		strings.HasPrefix(rest, "end_") ||
		strings.HasSuffix(name, "_start") || strings.HasSuffix(name, "_end")
}

func underscores(name string) int {
	return len(name) - len(strings.TrimLeft(name, "_"))
}
