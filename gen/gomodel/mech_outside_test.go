// SPDX-License-Identifier: GPL-2.0-only

//go:build mutants

package gomodel

func init() {
	one := func(name string, mutants ...mutant) {
		infections = append(infections, infected{Series{Name: "m-" + name, Mechanisms: []string{name}}, mutants})
	}
	one("module-scan",
		mutant{"the last of equal values wins", "module_scan.go", "s.Value <= b.bestVal", "s.Value < b.bestVal"},
		mutant{"the end of a symbol stays where it was", "module_scan.go", "b.nextVal = s.Value", "b.nextVal += 0"},
		mutant{"names are not looked at", "module_scan.go", "case !s.Candidate():", "case false:"})
	one("module-index",
		mutant{"ties by ascending number", "module_index.go", "cmp.Compare(b, a)", "cmp.Compare(a, b)"},
		mutant{"the region has no start", "module_index.go", "above > 0 && t[x[above-1]].Value > b.bestVal", "above > 0"},
		mutant{"the region has no end", "module_index.go", "min(b.nextVal, t[x[above]].Value)", "t[x[above]].Value"},
		mutant{"the symbol at the address is above it", "module_index.go", "t[x[i]].Value > addr", "t[x[i]].Value >= addr"},
		mutant{"symbols that are no candidates", "module_index.go", "i > 0 && s.Candidate()", "i > 0 && s.Defined"},
		mutant{"the index of the init table after init", "module_index.go", "x = m.coreIndex", "x = NewIndex(m.Init)"})
	one("module-sort",
		mutant{"undefined and nameless functions", "module_sort.go", "sym.Function && sym.Candidate()", "sym.Function"},
		mutant{"the last of equal values", "module_sort.go", "for best > 1 &&", "for best < 0 &&"},
		mutant{"data is searched", "module_sort.go", "!r.Text || s.Functions == 0", "s.Functions == 0"},
		mutant{"the region has no start", "module_sort.go", "best > 0 && s.Table[best].Value > b.bestVal", "best > 0"},
		mutant{"others are lost", "module_sort.go", "others = append(others, sym)", "_ = sym"})
	one("ftrace-module",
		mutant{"no start of the region", "ftrace_module.go", "above == 0 || a[above-1] < r.Base", "above == 0"},
		mutant{"one byte too few", "ftrace_module.go", "record-a[above-1] <= maxOffset", "record-a[above-1] < maxOffset"},
		mutant{"not sorted", "ftrace_module.go", "\tslices.Sort(a)\n", "\t_ = slices.Max(append(a, 0))\n"})
	one("ftrace-bitmap",
		mutant{"the texts overlap", "ftrace_bitmap.go", "first += r.Size", "first += 0"},
		mutant{"no start of the text", "ftrace_bitmap.go", "\tif bit-first > maxOffset {\n\t\tclosest = bit - maxOffset\n\t}", "\tclosest = bit - min(bit, maxOffset)"},
		mutant{"one byte too few", "ftrace_bitmap.go", "closest = bit - maxOffset", "closest = bit - maxOffset + min(maxOffset, 1)"},
		mutant{"others are not asked", "ftrace_bitmap.go", "!s.any(first, bit)", "false"},
		mutant{"symbols that are no candidates", "ftrace_bitmap.go", "sym.Candidate()", "sym.Defined"})
	one("ftrace-single",
		mutant{"whether it can be traced is not asked", "ftrace_single.go", "k.Traceable(k.Symbols[i].Value)", "true"},
		mutant{"only the first of the name", "ftrace_single.go", "range order[first:]", "range order[first:min(first+1, len(order))]"},
		mutant{"no modules", "ftrace_single.go", "\taddr, ok = k.walkModules(name)\n", ""},
		mutant{"duplicates by descending address", "ftrace_single.go", "cmp.Compare(a, b)", "cmp.Compare(b, a)"})
}
