// SPDX-License-Identifier: GPL-2.0-only

package report

import (
	"math"
	"slices"

	"kgen/gen/bench/result"
	"kgen/model"
)

// BreakEven is from how many lookups on a batch index beats another design.
type BreakEven struct {
	Batch, Other string // names of variants
	// SetUp and TearDown are what a batch costs beside its lookups, and Saved
	// what each lookup saves, in ns.
	SetUp, TearDown, Saved float64
	// Without and With teardown. Never, where a lookup saves nothing.
	Without, With uint64
	Never         bool
}

// BreakEvens holds each variant that has to be set up against each that has
// not, by the lookups of the main column.
func (s *Summary) BreakEvens() []BreakEven {
	main := s.Main().Name
	var all []BreakEven
	for _, batch := range s.Rows {
		fast, ok := batch.Cells[main]
		if !ok || len(batch.SetUp) == 0 {
			continue
		}
		for _, other := range s.Rows {
			slow, ok := other.Cells[main]
			if !ok || other.Control || len(other.SetUp) > 0 {
				continue
			}
			all = append(all, breakEven(batch.Variant, other.Variant, slow.Median, fast.Median))
		}
	}
	return all
}

func breakEven(batch, other *result.Variant, slow, fast float64) BreakEven {
	b := BreakEven{
		Batch: batch.Name, Other: other.Name,
		SetUp: Median(batch.SetUp), TearDown: Median(batch.TearDown), Saved: slow - fast,
	}
	// In picoseconds, so that rounding to whole numbers loses nothing.
	ps := func(ns float64) uint64 { return uint64(math.Round(ns * 1000)) }
	without, ok := model.BreakEven(ps(b.SetUp), 0, ps(slow), ps(fast))
	with, _ := model.BreakEven(ps(b.SetUp), ps(b.TearDown), ps(slow), ps(fast))
	b.Without, b.With, b.Never = without, with, !ok
	return b
}

// Median of samples, 0 of none.
func Median(samples []float64) float64 {
	if len(samples) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(samples))
	n := len(sorted)
	return (sorted[(n-1)/2] + sorted[n/2]) / 2
}
