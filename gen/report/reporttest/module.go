// SPDX-License-Identifier: GPL-2.0-only

package reporttest

import (
	"slices"

	"kgen/gen/bench/result"
)

// MadeModule is a made-up run in a module of 4,000 symbols and 1,000 records, in
// which stock takes 100,000 ns to load it and 10,000,000 to enable it, and:
//
//	        load      enable     of it locked  lookup   bytes kept, peak
//	index   +300,000  50,000     all of it     100      16,000, 32,000
//	array   as stock  1,050,000  50,000        as stock 0, 8,000
//	sorted  +200,000  as index                          0, 4,000
//
// A lookup takes stock 10,000 ns. sorted changes answers.
func MadeModule() *result.Run {
	run := Made()
	run.Map, run.Symbols, run.Stream, run.Verified = "made.ko", 4000, 0, 40000
	run.Module = &result.Module{Name: "made", Records: 1000, Valid: 990}
	run.Columns, run.Noise = nil, nil
	for _, name := range []string{"load+enable", "load", "enable", "lock", "lookup"} {
		run.Columns = append(run.Columns, result.Column{Name: name, Title: name, Meaning: "made up", Unit: "ns", Warm: true})
		run.Noise = append(run.Noise, result.Noise{Column: name, Ratio: 1, P: 1, Rankable: true})
	}
	variant := func(name, mechanism string, load, enable, lock, lookup float64, kept, peak int64) result.Variant {
		v := result.Variant{Name: name, Series: mechanism, RAM: kept, Peak: peak, Asked: 8000, Samples: map[string][]float64{}}
		if mechanism != "" {
			v.Mechanisms = []string{mechanism}
		}
		for i, ns := range []float64{load + enable, load, enable, lock, lookup} {
			v.Samples[run.Columns[i].Name] = slices.Repeat([]float64{ns}, Rounds)
		}
		return v
	}
	run.Variants = []result.Variant{
		variant("stock", "", 1e5, 1e7, 1e7, 1e4, 0, 0),
		variant("stock again", "", 1e5, 1e7, 1e7, 1e4, 0, 0),
		variant("index", "module-index", 4e5, 5e4, 5e4, 100, 16000, 32000),
		variant("array", "ftrace-module", 1e5, 1.05e6, 5e4, 1e4, 0, 8000),
		variant("sorted", "module-sort", 3e5, 5e4, 5e4, 100, 0, 4000),
	}
	run.Variants[1].Control = true
	run.Variants[3].Params = map[string]int{"review": 2}
	run.Variants[4].Differ, run.Variants[4].Verdicts = 300, 7
	return run
}
