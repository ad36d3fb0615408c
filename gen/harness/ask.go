// SPDX-License-Identifier: GPL-2.0-only

package harness

import (
	"context"
	"fmt"
	"slices"
	"time"

	"kgen/model"
)

// Answer is what the code under test says to one query.
type Answer struct {
	Call string // the query, as a call
	Got  string // the code's answer
	Want string // the specification's
}

// askTimeout is for all queries of an Ask together.
const askTimeout = 20 * time.Second

// Ask compiles the code under test, has its host tool write the tables of a
// map, and puts queries to it. Addresses in texts are those of the child where
// the tree stores them relative to their place. Moved counts the symbols that are at
// other addresses there, as FitMap has it: the tree cannot store theirs.
func (w *Work) Ask(ctx context.Context, symbols []model.Symbol, allSymbols bool, queries []Query) (_ []Answer, moved int, _ error) {
	i := slices.IndexFunc(w.Variants(), func(v Variant) bool { return v.Bits == 64 })
	v := w.Variants()[i]
	v.AllSymbols = allSymbols
	// The host tool tells them by their bounds, and without refuses such numbers.
	v.AbsolutePercpu = v.AbsolutePercpu && slices.ContainsFunc(symbols, func(s model.Symbol) bool { return s.Name == "__per_cpu_end" })
	fit := FitMap(symbols, v)
	elsewhere := make(map[model.Symbol]bool)
	for i := range fit {
		if fit[i].Addr != symbols[i].Addr {
			elsewhere[fit[i]] = true
		}
	}
	s := &session{work: w, opts: Options{Variants: []Variant{v}}, children: map[Variant]string{}}
	if err := s.build(ctx); err != nil {
		return nil, 0, err
	}
	t, err := s.makeTable(ctx, RunHostTool, v, fit, s.tools[0])
	if err != nil {
		return nil, 0, err
	}
	c, err := StartChild(ctx, s.children[v], askTimeout)
	if err != nil {
		return nil, 0, err
	}
	defer c.Close()
	if err := c.Load(t.image, t.bounds); err != nil {
		return nil, 0, err
	}
	reply, err := c.Ask(queries)
	if err != nil {
		return nil, 0, err
	}
	for _, sym := range t.symbols {
		if elsewhere[sym] {
			moved++
		}
	}
	expect := NewExpect(t.symbols, t.bounds, v, c.Delta())
	r := answerReader{reply}
	var answers []Answer
	for _, q := range queries {
		got, ok := r.next(q.Op)
		if !ok {
			return nil, 0, fmt.Errorf("harness: the child's answer to %s is cut short", q)
		}
		answers = append(answers, Answer{
			Call: q.String(),
			Got:  describe(q, got, c.Delta()),
			Want: describe(q, expect.Append(nil, q), c.Delta()),
		})
	}
	return answers, moved, nil
}
