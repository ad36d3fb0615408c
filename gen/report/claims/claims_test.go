// SPDX-License-Identifier: GPL-2.0-only

package claims

import (
	"slices"
	"strings"
	"testing"

	"kgen/gen/report"
	"kgen/gen/report/reporttest"
)

// TestAll looks at what every claim has to have.
func TestAll(t *testing.T) {
	threads, all, err := All()
	if err != nil {
		t.Fatal(err)
	}
	of := make(map[string]int)
	for _, c := range all {
		of[c.Thread]++
		if c.Who == "" || c.Says == "" || c.Stated == "" || c.Why == "" {
			t.Errorf("a claim lacks a field: %+v", c)
		}
		if len(c.Rules) == 0 && !strings.HasPrefix(c.Why, "Not ") && c.Stated != "no figure" {
			t.Errorf("%q has no rule and does not say that it is not measured", c.Says)
		}
		for _, r := range c.Rules {
			if measures[r.Measure] == nil {
				t.Errorf("%q: no measure %q", c.Says, r.Measure)
			}
		}
	}
	for _, th := range threads {
		if of[th.Number] == 0 {
			t.Errorf("no claim of thread %s", th.Number)
		}
		delete(of, th.Number)
	}
	if len(of) > 0 {
		t.Errorf("claims of unknown threads: %v", of)
	}
}

// TestAnswer holds answers against the figures of the made-up run.
func TestAnswer(t *testing.T) {
	run := reporttest.Made()
	for i, ns := range map[int]float64{0: 500, 1: 1000, 2: 200, 4: 250} {
		run.Variants[i].Samples["hit-unique"] = slices.Repeat([]float64{ns}, 9)
	}
	run.Variants[2].SetUp, run.Variants[2].TearDown = []float64{80000}, []float64{40000}
	run.Variants[0].Mechanisms = []string{"static-index", "token-match"}
	run.Variants[2].Mechanisms = []string{"token-match", "batch-index", "seq-unroll"}
	run.Variants[4].Mechanisms = []string{"density", "token-match"}
	s := report.Summarize(run)

	dense := Design{Mechanisms: []string{"token-match", "density"}, Params: map[string]int{"shift": 4}}
	batch := Design{Mechanisms: []string{"token-match", "batch-index"}}
	static := Design{Mechanisms: []string{"static-index", "token-match"}}
	for _, tt := range []struct {
		reason string
		rule   Rule
		want   string
	}{
		{"stock, in the main column", Rule{Measure: "time"}, "1,000 ns"},
		{"stock over a design", Rule{Measure: "speedup", Design: dense}, "dense: 4.0 times (1,000 ns to 250 ns)"},
		{"a noisy column", Rule{Measure: "speedup", Design: dense, Column: "walk"}, "dense: 1.00 times? ("},
		{"one design over another", Rule{Measure: "speedup", Design: batch, Against: static}, "batch against wasteful: 2.5 times (500 ns to 200 ns)"},
		{"a design that was not measured", Rule{Measure: "speedup", Design: Design{Mechanisms: []string{"density"}}}, "density: " + missing},
		{"a density that was not measured", Rule{Measure: "rodata", Design: Design{Mechanisms: dense.Mechanisms, Params: map[string]int{"shift": 3}}}, "token-match+density,shift=3: " + missing},
		{"a column that was not measured", Rule{Measure: "time", Column: "p99"}, missing},
		{"saved", Rule{Measure: "saved", Design: dense}, "dense: 750 ns less"},
		{"lost", Rule{Measure: "saved", Design: static, Against: dense}, "wasteful against dense: -250 ns less"},
		{"part of a gain", Rule{Measure: "gain-share", Design: static, Against: dense}, "wasteful against dense: 67% of the time saved (500 ns against 250 ns), 50% of the speed"},
		{"bytes", Rule{Measure: "rodata", Design: dense}, "dense: 400 bytes"},
		{"memory", Rule{Measure: "ram", Design: batch}, "batch: 700 bytes"},
		{"set-up", Rule{Measure: "set-up", Design: batch}, "batch: 80,000 ns"},
		{"teardown", Rule{Measure: "set-up", Design: batch, Teardown: true}, "batch: 40,000 ns"},
		{"set-up of what has none", Rule{Measure: "set-up", Design: dense}, "dense: " + missing},
		{"break-even", Rule{Measure: "break-even", Design: batch}, "batch: 100 lookups without teardown"},
		{"break-even with teardown", Rule{Measure: "break-even", Design: batch, Against: dense, Teardown: true}, "batch against dense: 2,400 lookups"},
		{"counted", Rule{Measure: "hops", Design: dense}, "dense: 250 hops, counted"},
		{"184,000 symbols", Rule{Measure: "computed probes", Numbers: map[string]float64{"symbols": 184000}}, "18 probes"},
		{"184,000 times 4", Rule{Measure: "computed batch", Numbers: map[string]float64{"symbols": 184000}}, "736,000 bytes (718.8 KiB)"},
		{"16:1", Rule{Measure: "computed markers", Numbers: map[string]float64{"symbols": 184000, "shift": 4}}, "10,781 entries more, 43,124 bytes (42.1 KiB)"},
		{"the seed's own numbers", Rule{Measure: "computed break-even", Numbers: map[string]float64{"setup": 1037000, "teardown": 3440000, "slow": 3280, "fast": 246}}, "1,476 lookups"},
		{"and without teardown", Rule{Measure: "computed break-even", Numbers: map[string]float64{"setup": 1037000, "slow": 3280, "fast": 246}}, "342 lookups"},
	} {
		got := Claim{Rules: []Rule{tt.rule}}.Answer(s)[0]
		if !strings.HasPrefix(got, tt.want) {
			t.Errorf("%s: %q, want %q", tt.reason, got, tt.want)
		}
	}
}

// TestAnswerModule wants rules about modules answered by the run in one, and
// others by the other.
func TestAnswerModule(t *testing.T) {
	core, module := report.Summarize(reporttest.Made()), report.Summarize(reporttest.MadeModule())
	index := Design{Mechanisms: []string{"module-index"}}
	array := Design{Mechanisms: []string{"ftrace-module"}, Params: map[string]int{"review": 2}}
	for _, tt := range []struct {
		reason string
		rule   Rule
		want   string
	}{
		{"a column of a module", Rule{Measure: "speedup", Module: true, Column: "lock", Design: array}, "array: 200 times (10,000 us to 50,000 ns)"},
		{"a version that was not measured", Rule{Measure: "speedup", Module: true, Column: "lock", Design: Design{Mechanisms: array.Mechanisms, Params: map[string]int{"review": 1}}}, "ftrace-module,review=1: " + missing},
		{"added", Rule{Measure: "added", Module: true, Column: "load", Design: index}, "index: 300,000 ns more (100,000 ns to 400,000 ns)"},
		{"built", Rule{Measure: "built", Module: true, Design: array}, "array: 1,000 us to build"},
		{"built of the kernel's own symbols", Rule{Measure: "built", Design: array}, "ftrace-module,review=2: " + missing},
		{"10 ms over 4,000 symbols and 1,000 records", Rule{Measure: "step", Module: true, Column: "lock"}, "2.50 ns for each symbol and record"},
		{"the seed's own numbers", Rule{Measure: "computed step", Numbers: map[string]float64{"time": 9368e6, "records": 17282, "symbols": 55332}}, "9.80 ns for each symbol and record, computed"},
		{"not of a module", Rule{Measure: "time", Column: "hit-unique", Numbers: map[string]float64{"times": 50}}, "999 ns, 50 times that is 49,9"},
	} {
		got := Claim{Rules: []Rule{tt.rule}}.Answer(core, module)[0]
		if !strings.HasPrefix(got, tt.want) {
			t.Errorf("%s: %q, want %q", tt.reason, got, tt.want)
		}
	}
	claim := Claim{Rules: []Rule{{Measure: "built", Module: true, Design: array}, {Measure: "computed probes", Numbers: map[string]float64{"symbols": 184000}}}}
	if got := claim.Answer(core)[0]; got != missing {
		t.Errorf("%q without a run in a module, want %q", got, missing)
	}
	if got := claim.Answer(module)[1]; !strings.HasPrefix(got, "18 probes") {
		t.Errorf("%q without a run of the kernel's symbols, want what is computed", got)
	}
}
