// SPDX-License-Identifier: GPL-2.0-only

package harness

import (
	"math/rand/v2"
	"strings"

	"kgen/model"
)

// everything asks whatever can be asked of a small table: each symbol by name
// and by address and next to it, names that almost exist, walks that run
// through and that stop, reads that begin anywhere.
//
// An empty table is asked by name only: for an address the stock kernel reads
// symbol 0, which is not there, as it does to open /proc/kallsyms.
func everything(r *rand.Rand, symbols []model.Symbol, b model.Bounds) []Query {
	n := uint64(len(symbols))
	qs := []Query{{Op: OnEachSymbol}, {Op: OnEachSymbol, B: 1 + r.Uint64N(n+1)}}
	for _, name := range []string{"", "~", "\x7f", "\x80", "\xff", strings.Repeat("x", 600)} {
		qs = append(qs, Query{Op: LookupName, Name: name}, Query{Op: OnEachMatch, Name: name})
	}
	for i := range symbols {
		qs = append(qs, nameQueries(r, symbols[i].Name)...)
	}
	if n == 0 {
		return qs
	}
	qs = append(qs, Query{Op: KdbWalk}, Query{Op: ReadProc, B: n + 1},
		Query{Op: ReadProc, A: r.Uint64N(n + 1), B: 1 + r.Uint64N(4)}, Query{Op: ReadProc, A: n - 1, B: 2})
	for i := range symbols {
		qs = append(qs, Query{Op: SymAddress, A: uint64(i)})
		qs = append(qs, addressQueries(symbols[i].Addr)...)
		if i+1 < len(symbols) {
			qs = append(qs, Query{Op: SprintSymbol, A: symbols[i].Addr + (symbols[i+1].Addr-symbols[i].Addr)/2})
		}
	}
	for _, at := range []uint64{0, ^uint64(0), b.Stext, b.Etext, b.Sinittext, b.Einittext, b.End} {
		qs = append(qs, addressQueries(at)...)
	}
	return qs
}

// nameQueries asks for a name and for what is almost the name.
func nameQueries(r *rand.Rand, name string) []Query {
	qs := []Query{
		{Op: LookupName, Name: name}, {Op: OnEachMatch, Name: name}, {Op: OnEachMatch, Name: name, B: 1 + r.Uint64N(3)},
		{Op: LookupName, Name: name + "~"}, {Op: LookupName, Name: "T" + name},
	}
	if len(name) > 0 {
		at := r.IntN(len(name))
		changed := []byte(name)
		changed[at] ^= 0x80
		if changed[at] == 0 {
			changed[at] = 1
		}
		qs = append(qs, Query{Op: LookupName, Name: name[:at]}, Query{Op: LookupName, Name: name[1:]},
			Query{Op: OnEachMatch, Name: string(changed)})
	}
	return qs
}

// addressQueries asks for an address and its neighbours.
func addressQueries(at uint64) []Query {
	var qs []Query
	for _, a := range []uint64{at - 1, at, at + 1} {
		for op := LookupSizeOffset; op <= Lookup; op++ {
			qs = append(qs, Query{Op: op, A: a})
		}
	}
	return qs
}

// sweep asks a whole kernel: every step-th symbol by name, by names that
// miss, and by addresses in and around it.
func sweep(symbols []model.Symbol, from, to, step int) []Query {
	var qs []Query
	for i := from; i < to; i += step {
		s := symbols[i]
		mid := s.Addr
		if i+1 < len(symbols) {
			mid += (symbols[i+1].Addr - s.Addr) / 2
		}
		qs = append(qs,
			Query{Op: LookupName, Name: s.Name},
			Query{Op: OnEachMatch, Name: s.Name},
			Query{Op: LookupName, Name: s.Name + "~"},
			Query{Op: SymAddress, A: uint64(i)},
			Query{Op: LookupSizeOffset, A: s.Addr},
			Query{Op: LookupSymbolName, A: mid},
			Query{Op: SprintSymbol, A: s.Addr - 1},
			Query{Op: SprintBacktrace, A: s.Addr},
			Query{Op: SprintSymbolNoOffset, A: mid},
			Query{Op: ReadProc, A: uint64(i), B: 1},
		)
		if len(s.Name) > 0 && i%4 == 0 {
			qs = append(qs, Query{Op: LookupName, Name: s.Name[:len(s.Name)-1]}, Query{Op: OnEachMatch, Name: s.Name, B: 2})
		}
	}
	return qs
}
