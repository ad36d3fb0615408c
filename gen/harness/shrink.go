// SPDX-License-Identifier: GPL-2.0-only

package harness

import (
	"context"
	"time"

	"kgen/model"
)

// shrinkTime bounds the search for a smaller map; what was found by then is
// reported.
const shrinkTime = 30 * time.Second

// largeMap is the size above which shrinking asks only around the failing
// query, because asking everything would take longer than the host tool.
const largeMap = 3000

// shrink looks for the smallest map that fails in the same manner: first
// fewer symbols, then shorter names, then smaller addresses. It returns the
// failure as the small map shows it.
func (wk *worker) shrink(ctx context.Context, v Variant, source []model.Symbol, f *failure) ([]model.Symbol, *failure, error) {
	s := &shrinker{wk: wk, variant: v, deadline: time.Now().Add(shrinkTime), best: source, failure: f}
	for _, step := range []func(context.Context) error{s.fewer, s.shorter, s.fewer} {
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
	best     []model.Symbol
	failure  *failure
}

// try keeps a smaller map if it still fails in the same manner.
func (s *shrinker) try(ctx context.Context, smaller []model.Symbol) (bool, error) {
	if time.Now().After(s.deadline) {
		return false, nil
	}
	first := s.failure.query
	f, err := s.wk.check(ctx, s.variant, smaller, func(t *table) []Query {
		var qs []Query
		if first != nil && (first.Op != SymAddress || first.A < uint64(len(t.symbols))) && len(t.symbols) > 0 {
			qs = append(qs, *first)
		}
		if len(t.symbols) <= largeMap {
			qs = append(qs, s.wk.questions(0, t)...)
		}
		return qs
	})
	if err != nil {
		return false, err
	}
	if f == nil || f.kind != s.failure.kind {
		return false, nil
	}
	s.best, s.failure = smaller, f
	return true, nil
}

// fewer drops runs of symbols, half of them first, then ever shorter ones.
func (s *shrinker) fewer(ctx context.Context) error {
	for size := (len(s.best) + 1) / 2; size > 0; size /= 2 {
		for at := 0; at < len(s.best); {
			smaller := append(append([]model.Symbol(nil), s.best[:at]...), s.best[min(at+size, len(s.best)):]...)
			ok, err := s.try(ctx, smaller)
			if err != nil {
				return err
			}
			if !ok {
				at += size
			}
		}
	}
	return nil
}

// shorter cuts each name as far as the failure allows.
func (s *shrinker) shorter(ctx context.Context) error {
	for i := range s.best {
		for cut := len(s.best[i].Name) / 2; cut > 0; {
			name := s.best[i].Name
			if cut > len(name) {
				cut = len(name)
				continue
			}
			smaller := append([]model.Symbol(nil), s.best...)
			smaller[i].Name = name[:len(name)-cut]
			ok, err := s.try(ctx, smaller)
			if err != nil {
				return err
			}
			if !ok {
				cut /= 2
			}
		}
	}
	return nil
}
