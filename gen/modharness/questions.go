// SPDX-License-Identifier: GPL-2.0-only

package modharness

import (
	"math/rand/v2"
	"slices"

	"kgen/gen/harness"
	"kgen/model"
)

// questions are asked of modules in their present state: of small ones
// everything, of large ones about every step-th symbol.
func questions(k *model.Kernel, sc *scene) []harness.Query {
	r := rand.New(rand.NewPCG(sc.seed, 1))
	var addrs []uint64
	names := []string{"", "missing", "missing:symbol", ":", "a:", ":b"}
	lines := 0
	for _, m := range k.Modules.Modules {
		addrs = append(addrs, addresses(m, r, max(1, sc.step))...)
		symbols := m.Kallsyms().Symbols
		lines += len(symbols)
		names = append(names, m.Name, m.Name+":", m.Name+":missing")
		for i := 0; i < len(symbols); i += nameStep(sc, len(symbols)) {
			names = append(names, symbols[i].Name, m.Name+":"+symbols[i].Name)
		}
	}
	slices.Sort(addrs)
	addrs = slices.Compact(addrs)
	var qs []harness.Query
	for i := sc.part; i < len(addrs); i += max(1, sc.parts) {
		addr := addrs[i]
		qs = append(qs, harness.Query{Op: addressLookup, A: addr})
		if i/max(1, sc.parts)%8 == 0 {
			qs = append(qs, harness.Query{Op: symbolName, A: addr})
		}
	}
	for _, name := range names {
		qs = append(qs, harness.Query{Op: lookupName, Name: name})
		if mod, _ := cutModule(name); mod != name && hasModule(k, mod) {
			qs = append(qs, harness.Query{Op: findValue, Name: name})
		}
	}
	for i := 0; i <= lines; i += nameStep(sc, lines) {
		qs = append(qs, harness.Query{Op: kallsym, A: uint64(i)})
	}
	qs = append(qs, harness.Query{Op: kallsym, A: uint64(lines)}, harness.Query{Op: onEachSymbol},
		harness.Query{Op: onEachSymbol, A: 1 + r.Uint64N(uint64(lines)+1)}, harness.Query{Op: onEachSymbol, Name: "missing"})
	for _, m := range k.Modules.Modules {
		qs = append(qs, harness.Query{Op: onEachSymbol, Name: m.Name})
	}
	if sc.step == 0 {
		qs = append(qs, ftraceQueries(k, r)...)
	}
	return qs
}

// nameStep thins out what takes a scan of names, of large modules.
func nameStep(sc *scene, n int) int {
	if sc.step == 0 {
		return 1
	}
	return max(1, n/400)
}

func hasModule(k *model.Kernel, name string) bool {
	return slices.ContainsFunc(k.Modules.Modules, func(m *model.Module) bool { return m.Name == name })
}

// addresses are those where an answer can change: around every symbol of both
// tables, every record and the edges of every region; and a few anywhere.
func addresses(m *model.Module, r *rand.Rand, step int) []uint64 {
	var addrs []uint64
	around := func(addr uint64) { addrs = append(addrs, addr-1, addr, addr+1) }
	for _, region := range m.Mem {
		around(region.Base)
		around(region.Base + region.Size)
		for range 4 {
			addrs = append(addrs, region.Base+r.Uint64N(region.Size+1))
		}
	}
	for i := 0; i < len(m.Init.Symbols); i += step {
		around(m.Init.Symbols[i].Value)
	}
	for i := 0; i < len(m.Records); i += step {
		addrs = append(addrs, m.Records[i])
	}
	addrs = append(addrs, 0, r.Uint64())
	return addrs
}

// ftraceQueries look symbols up to trace: each alone, and sets of some. A name
// stands in a set once, as in what callers pass.
func ftraceQueries(k *model.Kernel, r *rand.Rand) []harness.Query {
	names := []string{"missing", "zzz"}
	k.OnEachSymbol(func(name string, _ uint64) int {
		names = append(names, name)
		return 0
	})
	slices.Sort(names)
	names = slices.Compact(names)
	var qs []harness.Query
	for i, name := range names {
		qs = append(qs, ftraceQuery([]string{name}, uint64(i%2*4)))
	}
	for size := range min(8, len(names)) {
		var some []string
		for _, i := range r.Perm(len(names))[:size] {
			some = append(some, names[i])
		}
		qs = append(qs, ftraceQuery(some, 4))
	}
	return qs
}

// enableQueries have ftrace take a module in under different conditions; a large
// module under one.
func enableQueries(m *model.Module, sc *scene) []harness.Query {
	all := []harness.Query{
		{Op: ftraceEnable, A: 0, B: 4}, {Op: ftraceEnable, A: starved, B: 4}, {Op: ftraceEnable, A: disabled, B: 4},
		{Op: ftraceEnable, A: tracing, B: 0}, {Op: ftraceEnable, A: tracing | starved, B: 16},
	}
	if sc.step > 0 {
		all = all[:1]
	}
	for i := range all {
		all[i].Name = m.Name
	}
	return all
}
