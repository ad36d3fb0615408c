// SPDX-License-Identifier: GPL-2.0-only

package harness

import (
	"context"
	"math/rand/v2"
	"slices"

	"kgen/model"
)

// A series that builds an index at run time is asked more: everything again
// inside batches, nested ones, and batches that find no memory; and from many
// threads at once under ThreadSanitizer. The answers must stay the same.

const (
	stormMaps    = 12
	stormThreads = 6
	stormRounds  = 30
	stormKernel  = 4000 // symbols of the whole kernel
)

// threaded is the variant that runs under ThreadSanitizer, which knows 64 bits
// only, if the series and the variants give reason for one.
func (s *session) threaded() (Variant, bool) {
	v := s.opts.Variants[0]
	v.Threads = true
	return v, s.work.Batch && v.Bits == 64
}

// inBatches asks the questions inside two batches, one in the other, then
// again after the inner one has ended, and once when memory ran out.
func inBatches(r *rand.Rand, qs []Query) []Query {
	some := func() []Query {
		var out []Query
		for range min(len(qs), 60) {
			out = append(out, qs[r.IntN(len(qs))])
		}
		return out
	}
	start, starved, end := Query{Op: BatchStart}, Query{Op: BatchStart, B: 1}, Query{Op: BatchEnd}
	stray := Query{Op: BatchEnd, B: 1} // refused: there was no start
	return slices.Concat(
		[]Query{stray}, some(),
		[]Query{start}, some(), []Query{start}, some(), []Query{end}, some(), []Query{end}, some(),
		[]Query{starved}, some(), []Query{end}, some(),
	)
}

// storms lists the jobs with threads.
func (s *session) storms(v Variant) []job {
	var jobs []job
	storm := func(source []model.Symbol) {
		jobs = append(jobs, func(ctx context.Context, wk *worker) error {
			f, err := wk.check(ctx, v, source, wk.s.tools[0], func(t *table) []Query {
				if len(t.symbols) == 0 {
					return nil
				}
				return []Query{{Op: Storm, A: stormThreads, B: stormRounds}}
			})
			return wk.finish(ctx, v, source, f, err)
		})
	}
	if s.opts.replay != nil {
		storm(s.opts.replay)
	}
	if n := len(s.opts.RealMap); n > 0 {
		storm(FitMap(s.opts.RealMap[:min(n, stormKernel)], v))
	}
	for i := range min(s.opts.SmallMaps, stormMaps) {
		storm(SmallMap(s.opts.Seed, i, v.Bits))
	}
	return jobs
}
