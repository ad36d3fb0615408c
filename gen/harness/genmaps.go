// SPDX-License-Identifier: GPL-2.0-only

package harness

import (
	"context"
	"errors"
	"math/rand"
	randv2 "math/rand/v2"
	"slices"

	"kgen/gen/symgen"
	"kgen/model"
)

// fittedMost is how many symbols a table has at most that is like a real one.
const fittedMost = 120

// generated makes the i-th map of the property generators for a word size: a
// table of what could go wrong, or one like the whole kernel where there is one.
func (s *session) generated(i, bits int) []model.Symbol {
	rng := rand.New(rand.NewSource(int64(s.opts.Seed)<<32 + int64(i)))
	if i%2 == 1 && s.real != nil {
		return placed(rng, bits, s.real.Table(rng, rng.Intn(fittedMost)))
	}
	return placed(rng, bits, symgen.Adversarial(rng))
}

// placed puts a table where a kernel could have it: aliases stay aliases and
// distances stay, but for those that no kernel has, and sections are bounded.
func placed(rng *rand.Rand, bits int, table []model.Symbol) []model.Symbol {
	r := randv2.New(randv2.NewPCG(rng.Uint64(), 0))
	m := mapMaker{r: r, bits: bits, addr: textStart(r, bits)}
	m.text = m.addr
	m.boundary("_text", 'T')
	m.boundary("_stext", 'T')
	for i, s := range table {
		if i > 0 {
			m.addr += m.fit(s.Addr - table[i-1].Addr)
		}
		if slices.Contains(boundaryNames, s.Name) {
			s.Name += "x"
		}
		m.symbols = append(m.symbols, model.Symbol{Addr: m.addr, Type: s.Type, Name: s.Name})
	}
	m.boundaries()
	return m.symbols
}

// boundaryNames are what model.BoundsOf reads the sections from.
var boundaryNames = []string{"_text", "_stext", "_etext", "_sinittext", "_einittext", "_end",
	"__init_begin", "__init_end", "__per_cpu_start", "__per_cpu_end"}

// generatedMap compares one map of the property generators, in one variant of
// the word size: the next one for each map.
func (wk *worker) generatedMap(ctx context.Context, i, bits int) error {
	variants := slices.DeleteFunc(slices.Clone(wk.s.opts.Variants), func(v Variant) bool { return v.Bits != bits })
	if len(variants) == 0 {
		return nil
	}
	v := variants[i%len(variants)]
	source := wk.s.generated(i, bits)
	t, err := wk.s.makeTable(ctx, wk.hostTool, v, source, wk.s.tools[0])
	if errors.Is(err, ErrRefused) {
		wk.s.refused(err)
		return nil
	}
	var f *failure
	if err != nil {
		f, err = toolFailure(ctx, err)
	} else {
		f, err = wk.compare(ctx, v, t, wk.questions(i, t))
	}
	return wk.finish(ctx, v, source, f, err)
}
