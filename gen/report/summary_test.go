// SPDX-License-Identifier: GPL-2.0-only

package report_test

import (
	"errors"
	"math"
	"slices"
	"testing"

	"kgen/gen/bench/result"
	"kgen/gen/report"
	"kgen/gen/report/reporttest"
)

func row(t *testing.T, s *report.Summary, name string) *report.Row {
	t.Helper()
	for i := range s.Rows {
		if s.Rows[i].Name == name {
			return &s.Rows[i]
		}
	}
	t.Fatalf("no row %q", name)
	return nil
}

func TestSummarize(t *testing.T) {
	s := report.Summarize(reporttest.Made())
	var order []string
	for _, r := range s.Rows {
		order = append(order, r.Name)
	}
	if want := []string{"stock", "stock (again)", "dense", "batch", "wasteful"}; !slices.Equal(order, want) {
		t.Errorf("rows %q, want %q", order, want)
	}
	if len(s.Columns) != 3 {
		t.Errorf("%d columns, want 3: one has no samples", len(s.Columns))
	}
	for _, tt := range []struct {
		reason, variant, column string
		speedup                 float64
		verdict                 report.Verdict
		front                   bool
	}{
		{"stock is on its own front", "stock", "hit-unique", 1, report.Same, true},
		{"the control is the stock code", "stock (again)", "hit-unique", 1, report.Same, false},
		{"four times as fast for 400 bytes", "dense", "hit-unique", 4, report.Faster, true},
		{"faster than stock, but larger and slower than dense", "wasteful", "hit-unique", 2, report.Faster, false},
		{"largest but one, and the fastest", "batch", "hit-unique", 5, report.Faster, true},
		{"a column whose control was off", "dense", "walk", 1, report.Unranked, false},
	} {
		r := row(t, s, tt.variant)
		c := r.Cells[tt.column]
		if math.Abs(c.Speedup/tt.speedup-1) > 0.02 || c.Verdict != tt.verdict {
			t.Errorf("%s: %s in %s: %.2f times as fast, verdict %v; want %.2f, %v", tt.reason, tt.variant, tt.column, c.Speedup, c.Verdict, tt.speedup, tt.verdict)
		}
		if tt.column == "hit-unique" && r.Front[tt.column] != tt.front {
			t.Errorf("%s: %s on the front: %v", tt.reason, tt.variant, !tt.front)
		}
		if c.Lo > c.Median || c.Hi < c.Median || c.Rounds != reporttest.Rounds {
			t.Errorf("%s: %+v, want an interval around the median of %d rounds", tt.variant, c, reporttest.Rounds)
		}
	}
	if noisy := s.Unrankable(); len(noisy) != 1 || noisy[0].Column != "walk" {
		t.Errorf("unrankable: %+v, want walk alone", noisy)
	}
}

// TestFront looks at ties, which the made-up run has none of.
func TestFront(t *testing.T) {
	run := reporttest.Made()
	exactly := func(i int, ns float64) { run.Variants[i].Samples["hit-unique"] = slices.Repeat([]float64{ns}, 3) }
	exactly(0, 500)
	exactly(1, 1000)
	exactly(3, 900) // the control, faster by chance
	run.Variants[0].Rodata = 0
	s := report.Summarize(run)
	for _, tt := range []struct {
		reason, variant string
		front           bool
	}{
		{"as small and faster than stock", "wasteful", true},
		{"another is as small and faster", "stock", false},
		{"the control is no design", "stock (again)", false},
	} {
		if row(t, s, tt.variant).Front["hit-unique"] != tt.front {
			t.Errorf("%s: %s on the front: %v", tt.reason, tt.variant, !tt.front)
		}
	}

	run.Variants[0].Rodata = 800
	if s := report.Summarize(run); !row(t, s, "stock").Front["hit-unique"] || row(t, s, "stock (again)").Front["hit-unique"] {
		t.Error("a control that was faster by chance takes the place of stock")
	}
}

// TestVerdict moves one variant around the limits of what counts.
func TestVerdict(t *testing.T) {
	for _, tt := range []struct {
		reason string
		factor float64 // of the variant's time over stock's
		column string
		want   report.Verdict
	}{
		{"3% in a warm column is the alignment of code", 1.03, "hit-unique", report.Same},
		{"8% slower", 1.08, "hit-unique", report.Slower},
		{"8% faster", 1 / 1.08, "hit-unique", report.Faster},
		{"8% with cold caches", 1.08, "cold8", report.Same},
		{"20% with cold caches", 1.2, "cold8", report.Slower},
	} {
		run := reporttest.Made()
		dense, stock := &run.Variants[4], &run.Variants[1]
		for i, ns := range stock.Samples[tt.column] {
			dense.Samples[tt.column][i] = ns * tt.factor
		}
		if got := row(t, report.Summarize(run), "dense").Cells[tt.column].Verdict; got != tt.want {
			t.Errorf("%s: verdict %v, want %v", tt.reason, got, tt.want)
		}
	}

	// So far apart in the middle and yet not certain: two rounds are none.
	run := reporttest.Made()
	for i := range run.Variants {
		for c, s := range run.Variants[i].Samples {
			run.Variants[i].Samples[c] = s[:2]
		}
	}
	if got := row(t, report.Summarize(run), "dense").Cells["hit-unique"].Verdict; got != report.Same {
		t.Errorf("two rounds: verdict %v, want none", got)
	}

	// Without a control nothing is known about the machine.
	run = reporttest.Made()
	run.Noise = nil
	if got := row(t, report.Summarize(run), "dense").Cells["hit-unique"].Verdict; got != report.Unranked {
		t.Errorf("no control: verdict %v, want unranked", got)
	}
}

func TestBreakEvens(t *testing.T) {
	run := reporttest.Made()
	exactly := func(i int, ns float64) { run.Variants[i].Samples["hit-unique"] = slices.Repeat([]float64{ns}, 3) }
	exactly(1, 1000)
	exactly(2, 200)
	exactly(4, 150)
	run.Variants[2].SetUp, run.Variants[2].TearDown = []float64{80000}, []float64{40000}
	found := make(map[string]report.BreakEven)
	for _, b := range report.Summarize(run).BreakEvens() {
		found[b.Other] = b
	}
	if b := found["stock"]; b.Without != 100 || b.With != 150 || b.Never {
		t.Errorf("against stock: %+v, want 100 lookups and 150 with teardown", b)
	}
	if b := found["dense"]; !b.Never {
		t.Errorf("against what is faster: %+v, want never", b)
	}
	if _, ok := found["stock (again)"]; ok || len(found) != 3 {
		t.Errorf("%d designs, want stock, dense and wasteful", len(found))
	}
}

func TestComma(t *testing.T) {
	for n, want := range map[int64]string{
		0: "0", -7: "-7", 999: "999", -999: "-999", 1000: "1,000", -123456: "-123,456", math.MinInt64: "-9,223,372,036,854,775,808",
	} {
		if got := report.Comma(n); got != want {
			t.Errorf("Comma(%d) = %s, want %s", n, got, want)
		}
	}
}

func TestCheck(t *testing.T) {
	for _, tt := range []struct {
		reason string
		harm   func(*result.Run)
	}{
		{"another layout", func(r *result.Run) { r.Format = 2 }},
		{"nothing measured", func(r *result.Run) { r.Columns = nil }},
		{"no stock code", func(r *result.Run) { r.Variants[1].Control = true }},
		{"two stocks", func(r *result.Run) { r.Variants[3].Control = false }},
		{"two of one name", func(r *result.Run) { r.Variants[0].Name = "dense" }},
		{"a time of 0", func(r *result.Run) { r.Variants[0].Samples["walk"][3] = 0 }},
		{"a time that is none", func(r *result.Run) { r.Variants[0].Samples["walk"][3] = math.NaN() }},
		{"a ratio that no number holds", func(r *result.Run) { r.Variants[0].Samples["walk"][3] = 1e-300 }},
		{"a variant that is none", func(r *result.Run) { r.Variants[0] = result.Variant{} }},
		{"nothing to compare with", func(r *result.Run) { r.Variants[1].Samples = nil }},
		{"a shift that no number has", func(r *result.Run) { r.Variants[4].Params["shift"] = -1 }},
		{"a marker for 2^70 symbols", func(r *result.Run) { r.Variants[4].Params["shift"] = 70 }},
		{"hops without end", func(r *result.Run) { r.Variants[1].Counts["hit-unique"] = result.Counts{Hops: 1e308} }},
		{"bytes without end", func(r *result.Run) { r.Variants[0].Rodata = math.MinInt64 }},
		{"no symbols", func(r *result.Run) { r.Symbols = 0 }},
		{"a column without a name", func(r *result.Run) { r.Columns[0].Name = "" }},
		{"two columns of one name", func(r *result.Run) { r.Columns[1].Name = r.Columns[0].Name }},
		{"a title too wide for a table", func(r *result.Run) { r.Columns[0].Title = "of more than twelve" }},
		{"what steers a terminal", func(r *result.Run) { r.Machine.Notes = []string{"\x1b[31mred"} }},
		{"a module that stock did not enable", func(r *result.Run) {
			*r = *reporttest.MadeModule()
			delete(r.Variants[0].Samples, "enable")
		}},
	} {
		run := reporttest.Made()
		if err := report.Check(run); err != nil {
			t.Fatal(err)
		}
		tt.harm(run)
		if err := report.Check(run); !errors.Is(err, report.ErrRun) {
			t.Errorf("%s: %v, want ErrRun", tt.reason, err)
		}
	}
}
