// SPDX-License-Identifier: GPL-2.0-only

package bench

import (
	"math"
	"slices"

	"golang.org/x/perf/benchmath"

	"kgen/gen/bench/result"
)

// The difference between stock and stock again that a column may show and still
// rank variants, as a part of the whole.
const (
	warmLimit = 0.05
	coldLimit = 0.15
)

// thresholds are benchmath's: a difference is significant with p below 0.05.
var thresholds = benchmath.DefaultThresholds

// Noise compares stock with stock again, column by column.
func Noise(run *result.Run) []result.Noise {
	stock, again := run.Variants[0], run.Variants[1]
	var out []result.Noise
	for _, c := range run.Columns {
		a, b := stock.Samples[c.Name], again.Samples[c.Name]
		limit := coldLimit
		if c.Warm {
			limit = warmLimit
		}
		n := result.Noise{Column: c.Name, Ratio: Median(b) / Median(a), P: difference(a, b)}
		n.Rankable = math.Abs(n.Ratio-1) <= limit
		out = append(out, n)
	}
	return out
}

// difference is the probability of what two columns show if they were one.
func difference(a, b []float64) float64 {
	return benchmath.AssumeNothing.Compare(sampleOf(a), sampleOf(b)).P
}

// sampleOf copies values, which benchmath sorts.
func sampleOf(values []float64) *benchmath.Sample {
	return benchmath.NewSample(slices.Clone(values), &thresholds)
}

// Median of measured values; not a number without any.
func Median(values []float64) float64 {
	if len(values) == 0 {
		return math.NaN()
	}
	return benchmath.AssumeNothing.Summary(sampleOf(values), 0.95).Center
}
