// SPDX-License-Identifier: GPL-2.0-only

// Package reporttest gives tests of the report packages runs to report: a made-up
// one whose every figure a test can foretell, and those that docs/results.md is
// made of.
package reporttest

import (
	"math/rand/v2"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"kgen/gen/bench/result"
	"kgen/gen/report"
)

// Recorded are the runs under docs/runs/, as they were measured.
func Recorded(t testing.TB) []*report.Summary {
	t.Helper()
	_, here, _, _ := runtime.Caller(0)
	names, err := filepath.Glob(filepath.Join(filepath.Dir(here), "../../../docs/runs/*.json"))
	if err != nil || names == nil {
		t.Fatalf("no run is recorded under docs/runs: %v; kgen sweep --json makes one", err)
	}
	var runs []*report.Summary
	for _, name := range names {
		run, err := report.Load(name)
		if err != nil {
			t.Fatal(err)
		}
		runs = append(runs, report.Summarize(run))
	}
	return runs
}

// Rounds of a made-up run.
const Rounds = 21

// Made is a made-up run of five variants in three columns: "hit-unique" (warm),
// "cold8" (cold) and "walk" (warm, in which the machine is said to be too noisy).
//
//	            bytes          ns in hit-unique
//	stock       0              1000
//	control     0              1003
//	dense       400            250
//	wasteful    800            500, dominated by dense
//	batch       0, 700 of RAM  200, dominated by none
//
// Samples lie within 1% of those.
func Made() *result.Run {
	rng := rand.New(rand.NewPCG(1, 2))
	samples := func(ns float64) []float64 {
		s := make([]float64, Rounds)
		for i := range s {
			s[i] = ns * (0.99 + 0.02*rng.Float64())
		}
		return s
	}
	variant := func(name, series string, ns float64, rodata, ram int64) result.Variant {
		return result.Variant{
			Name: name, Series: series, Rodata: rodata, RAM: ram,
			Tables: map[string]int64{"kallsyms_markers": 400 + rodata},
			Counts: map[string]result.Counts{"hit-unique": {Probes: 17.4, Hops: ns, Lines: ns / 10}},
			Samples: map[string][]float64{
				"hit-unique": samples(ns), "cold8": samples(2 * ns), "walk": samples(2e6),
			},
			HostTool: samples(8e8),
		}
	}
	run := &result.Run{
		Format: 1, Kgen: "test", When: time.Unix(1764374400, 0).UTC(),
		Machine:  result.Machine{CPU: "Made-up CPU", Cores: 2, Pinned: 1, HugePages: "2 MiB pages back all tables", OS: "Linux 6.1", Load: 0.1},
		Compiler: "gcc 12.2.0", Flags: []string{"-O2"}, Tree: "7.3.4",
		Map: "made-up symbols", Symbols: 25600, Stream: 300000, Verified: 51200,
		Columns: []result.Column{
			{Name: "hit-unique", Title: "hit", Meaning: "a name that is there", Unit: "ns", Warm: true},
			{Name: "cold8", Title: "cold", Meaning: "a name that is there, caches cold", Unit: "ns"},
			{Name: "walk", Title: "full walk", Meaning: "all symbols once", Unit: "ns", Warm: true},
			{Name: "never", Title: "never", Meaning: "a column without samples", Unit: "ns"},
		},
		Variants: []result.Variant{
			variant("wasteful", "static-index", 500, 800, 0),
			variant("stock", "", 1000, 0, 0),
			variant("batch", "batch", 200, 0, 700),
			variant("stock (again)", "", 1003, 0, 0),
			variant("dense", "density", 250, 400, 0),
		},
		Noise: []result.Noise{
			{Column: "hit-unique", Ratio: 1.003, P: 0.4, Rankable: true},
			{Column: "cold8", Ratio: 1.003, P: 0.4, Rankable: true},
			{Column: "walk", Ratio: 1.3, P: 0.001},
		},
	}
	run.Variants[3].Control = true
	run.Variants[4].Params = map[string]int{"shift": 4}
	run.Variants[2].SetUp = samples(80000)
	run.Variants[2].TearDown = samples(40000)
	return run
}
