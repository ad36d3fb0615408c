// SPDX-License-Identifier: GPL-2.0-only

package modharness

import (
	"context"
	"slices"
	"time"

	"kgen/gen/harness"
	"kgen/model"
)

// shrinkTime bounds the search for a smaller scene; what was found by then is
// reported.
const shrinkTime = 15 * time.Second

// shrinkHang is the patience with a child that is known to hang.
const shrinkHang = time.Second

// nearby is how many symbols on either side of a failing address are tried
// first, where a module has many.
const nearby = 40

// shrink looks for the smallest scene in which the same interface fails in the
// same manner.
func (wk *worker) shrink(ctx context.Context, v Variant, sc *scene, f *failure) (*scene, *failure, error) {
	s := &shrinker{wk: wk, variant: v, deadline: time.Now().Add(shrinkTime), best: sc, failure: f, timeout: wk.s.opts.Timeout}
	if f.kind == harness.Hang {
		s.timeout = shrinkHang
	}
	wk.drop(v)
	defer wk.drop(v)
	for _, step := range []func(context.Context) error{s.window, s.modules, s.symbols, s.rest, s.symbols} {
		if err := step(ctx); err != nil {
			return nil, nil, err
		}
	}
	return s.best, s.failure, nil
}

type shrinker struct {
	wk       *worker
	variant  Variant
	deadline time.Time
	timeout  time.Duration
	best     *scene
	failure  *failure
}

// try keeps a smaller scene if it still fails in the same manner. Disagreements
// of other interfaces are passed over.
func (s *shrinker) try(ctx context.Context, smaller *scene) (bool, error) {
	if time.Now().After(s.deadline) {
		return false, nil
	}
	want := s.failure
	f, err := s.wk.play(ctx, s.variant, smaller, s.timeout, func(op harness.Op) bool { return op != want.query.Op || want.kind != harness.Disagreement })
	if err != nil || f == nil || f.kind != want.kind || f.query.Op != want.query.Op {
		return false, err
	}
	s.best, s.failure = smaller, f
	return true, nil
}

// with is the best scene with the n-th module's symbols replaced.
func (s *shrinker) with(n int, symbols []model.ElfSymbol) *scene {
	sc := *s.best
	o := *sc.objects[n]
	o.Symbols = symbols
	o.Sections = slices.Clone(o.Sections)
	sc.objects = slices.Clone(sc.objects)
	sc.objects[n] = finish(&o)
	return &sc
}

// window cuts a large module down to the symbols near the failing address.
func (s *shrinker) window(ctx context.Context) error {
	if s.best.step == 0 {
		return nil
	}
	for n, o := range s.best.objects {
		im := newImage(o, s.variant.rules(), s.variant.Arch.bits(), n)
		order := make([]int, 0, len(o.Symbols))
		for i := range o.Symbols[1:] {
			order = append(order, i+1)
		}
		values := im.module.Init.Symbols
		slices.SortStableFunc(order, func(a, b int) int {
			switch va, vb := values[a].Value, values[b].Value; {
			case va < vb:
				return -1
			case va > vb:
				return 1
			}
			return 0
		})
		at, _ := slices.BinarySearchFunc(order, s.failure.query.A, func(i int, addr uint64) int {
			if values[i].Value < addr {
				return -1
			}
			return 1
		})
		near := slices.Clone(order[max(0, at-nearby):min(len(order), at+nearby)])
		slices.Sort(near)
		symbols := []model.ElfSymbol{o.Symbols[0]}
		for _, i := range near {
			symbols = append(symbols, o.Symbols[i])
		}
		small := s.with(n, symbols)
		small.step, small.part, small.parts = 0, 0, 0
		small.objects[n].CallSites = nil
		if _, err := s.try(ctx, small); err != nil {
			return err
		}
	}
	return nil
}

// modules drops whole modules, the first ones first.
func (s *shrinker) modules(ctx context.Context) error {
	for n := 0; n < len(s.best.objects) && len(s.best.objects) > 1; {
		sc := *s.best
		sc.objects = slices.Delete(slices.Clone(sc.objects), n, n+1)
		ok, err := s.try(ctx, &sc)
		if err != nil {
			return err
		}
		if !ok {
			n++
		}
	}
	return nil
}

// symbols drops runs of symbols, half of them first, then ever shorter ones.
func (s *shrinker) symbols(ctx context.Context) error {
	for n := range s.best.objects {
		for size := len(s.best.objects[n].Symbols) / 2; size > 0; size /= 2 {
			for at := 1; at < len(s.best.objects[n].Symbols); {
				have := s.best.objects[n].Symbols
				ok, err := s.try(ctx, s.with(n, slices.Delete(slices.Clone(have), at, min(at+size, len(have)))))
				if err != nil {
					return err
				}
				if !ok {
					at += size
				}
			}
		}
	}
	return nil
}

// rest drops what else a scene has: symbols of the core kernel, records, want of
// memory, a failing init.
func (s *shrinker) rest(ctx context.Context) error {
	simpler := []func(*scene){
		func(sc *scene) { sc.core, sc.records = nil, nil },
		func(sc *scene) { sc.starved = false },
		func(sc *scene) { sc.failing = false },
		func(sc *scene) { sc.seed = 0 },
	}
	for i := range s.best.objects {
		simpler = append(simpler, func(sc *scene) {
			o := *sc.objects[i]
			o.CallSites = nil
			sc.objects = slices.Clone(sc.objects)
			sc.objects[i] = &o
		})
	}
	for _, change := range simpler {
		sc := *s.best
		change(&sc)
		if _, err := s.try(ctx, &sc); err != nil {
			return err
		}
	}
	return nil
}
