// SPDX-License-Identifier: GPL-2.0-only

package harness

import (
	"context"
	"time"

	"kgen/model"
)

// shrinkTime bounds the search for a smaller map; what was found by then is
// reported.
const shrinkTime = 20 * time.Second

// shrinkHang is the patience with a child that is known to hang, on maps that
// are answered in milliseconds.
const shrinkHang = time.Second

// largeMap is the size above which shrinking asks a little about each symbol,
// because asking everything would take longer than the host tool.
const largeMap = 64

// wholeMap is the size above which the host tool takes so long that a map can
// hardly be shrunk in time: a small map that fails too is looked for instead.
const wholeMap = 10_000

// insteadMaps is how many small maps are tried in place of a whole one.
const insteadMaps = 200

// shrink looks for the smallest map that fails in the same manner: first
// fewer symbols, then shorter names. It returns the failure as the small map
// shows it.
func (wk *worker) shrink(ctx context.Context, v Variant, source []model.Symbol, f *failure) ([]model.Symbol, *failure, error) {
	s := &shrinker{wk: wk, variant: v, deadline: time.Now().Add(shrinkTime), best: source, failure: f}
	if f.kind == Hang {
		wk.timeout = shrinkHang
		defer func() { wk.timeout = wk.s.opts.Timeout; wk.drop(v) }()
	}
	for _, step := range []func(context.Context) error{s.instead, s.fewer, s.shorter, s.fewer} {
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
	f, err := s.wk.check(ctx, s.variant, smaller, s.wk.s.tools[0], s.again, s.around)
	if err != nil {
		return false, err
	}
	if f == nil || f.kind != s.failure.kind {
		return false, nil
	}
	s.best, s.failure = smaller, f
	return true, nil
}

// again asks what failed last.
func (s *shrinker) again(t *table) []Query {
	q := s.failure.query
	if q == nil || len(t.symbols) == 0 || q.Op == SymAddress && q.A >= uint64(len(t.symbols)) {
		return nil
	}
	return []Query{*q}
}

// around asks what else may fail on the map.
func (s *shrinker) around(t *table) []Query {
	if len(t.symbols) <= largeMap {
		return s.wk.questions(0, t)
	}
	var qs []Query
	for i := range t.symbols {
		qs = append(qs, Query{Op: LookupName, Name: t.symbols[i].Name}, Query{Op: LookupSymbolName, A: t.symbols[i].Addr})
	}
	return qs
}

// late says that the time is over.
func (s *shrinker) late() bool { return time.Now().After(s.deadline) }

// instead looks for a small map that fails in the manner of a whole one.
func (s *shrinker) instead(ctx context.Context) error {
	if len(s.best) < wholeMap {
		return nil
	}
	for i := 0; i < insteadMaps && !s.late(); i++ {
		if ok, err := s.try(ctx, SmallMap(s.wk.s.opts.Seed, i, s.variant.Bits)); ok || err != nil {
			return err
		}
	}
	return nil
}

// fewer drops runs of symbols, half of them first, then ever shorter ones.
func (s *shrinker) fewer(ctx context.Context) error {
	for size := (len(s.best) + 1) / 2; size > 0; size /= 2 {
		for at := 0; at < len(s.best) && !s.late(); {
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
		for cut := len(s.best[i].Name) / 2; cut > 0 && !s.late(); {
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
