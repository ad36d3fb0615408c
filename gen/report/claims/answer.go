// SPDX-License-Identifier: GPL-2.0-only

package claims

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"kgen/gen/report"
	"kgen/model"
)

// missing is the answer where a run lacks what a rule asks for.
const missing = "not in this run"

// Answer is what runs say about a claim, one text for each rule. Of each kind,
// of the kernel's own symbols and in a module, the first run that has the designs
// answers, or else the first; its kernel is named where that is another one's.
func (c Claim) Answer(runs ...*report.Summary) []string {
	var texts []string
	for _, r := range c.Rules {
		ofKind := func(s *report.Summary) bool { return (s.Run.Module != nil) == r.Module }
		i := slices.IndexFunc(runs, func(s *report.Summary) bool {
			return ofKind(s) && find(s, r.Design) != nil && find(s, r.Against) != nil
		})
		first, where := slices.IndexFunc(runs, ofKind), ""
		if i < 0 {
			i = first
		} else if tree := runs[i].Run.Tree; tree != runs[first].Run.Tree {
			where = "Linux " + tree + ", "
		}
		switch {
		case i >= 0:
			texts = append(texts, where+r.of(runs[i])+measures[r.Measure](runs[i], r))
		case strings.HasPrefix(r.Measure, "computed"):
			texts = append(texts, measures[r.Measure](nil, r))
		default:
			texts = append(texts, missing)
		}
	}
	return texts
}

// of names the variants that an answer is about, as a heading of it; stock goes
// without saying.
func (r Rule) of(s *report.Summary) string {
	name := func(d Design) string {
		if v := find(s, d); v != nil {
			return v.Name
		}
		return d.String()
	}
	switch {
	case len(r.Design.Mechanisms) == 0:
		return ""
	case len(r.Against.Mechanisms) == 0:
		return name(r.Design) + ": "
	}
	return name(r.Design) + " against " + name(r.Against) + ": "
}

// String is for a design that a run has no name for.
func (d Design) String() string {
	text := strings.Join(d.Mechanisms, "+")
	for _, p := range slices.Sorted(maps.Keys(d.Params)) {
		text += fmt.Sprintf(",%s=%d", p, d.Params[p])
	}
	return text
}

// measures are the ways to answer a claim, by their names in claims.toml.
var measures = map[string]func(*report.Summary, Rule) string{
	"time":       answerTime,
	"speedup":    answerSpeedup,
	"saved":      answerSaved,
	"added":      answerAdded,
	"built":      answerBuilt,
	"step":       answerStep,
	"gain-share": answerGainShare,
	"rodata":     answerRodata,
	"ram":        answerRAM,
	"set-up":     answerSetUp,
	"break-even": answerBreakEven,
	"hops":       answerHops,
	"probes":     answerProbes,

	"computed probes": func(_ *report.Summary, r Rule) string {
		return count(model.MaxProbes(r.n()), "probes at most, computed")
	},
	"computed hops": computedHops,
	"computed step": func(_ *report.Summary, r Rule) string {
		return step(r.Numbers["time"], r.Numbers["records"]*r.Numbers["symbols"]) + ", computed from the stated figures"
	},
	"computed break-even": computedBreakEven,
	"computed batch": func(_ *report.Summary, r Rule) string {
		return size(int64(model.BatchIndexBytes(r.n()))) + ", computed"
	},
	"computed markers": func(_ *report.Summary, r Rule) string {
		shift := uint(r.Numbers["shift"])
		return fmt.Sprintf("%s entries more, %s, computed",
			report.Comma(int64(model.MarkerCount(r.n(), shift)-model.MarkerCount(r.n(), model.StockMarkerShift))),
			size(int64(model.AddedMarkerBytes(r.n(), shift))))
	},
	"computed static index": func(_ *report.Summary, r Rule) string {
		return size(int64(model.StaticIndexBytes(r.n())-model.MarkerBytes(r.n(), model.StockMarkerShift))) + ", computed"
	},
}

// n is the number of symbols that a figure is computed for.
func (r Rule) n() int { return int(r.Numbers["symbols"]) }

// find the variant that a rule describes. seq-unroll has no effect that could be
// measured and does not tell designs apart.
func find(s *report.Summary, d Design) *report.Row {
	if len(d.Mechanisms) == 0 {
		return s.Stock()
	}
	want := slices.Sorted(slices.Values(d.Mechanisms))
	i := slices.IndexFunc(s.Rows, func(r report.Row) bool {
		have := slices.DeleteFunc(slices.Sorted(slices.Values(r.Mechanisms)), func(m string) bool { return m == "seq-unroll" })
		return slices.Equal(have, want) && !slices.ContainsFunc(slices.Collect(maps.Keys(d.Params)), func(p string) bool {
			return r.Params[p] != d.Params[p]
		})
	})
	if i < 0 {
		return nil
	}
	return &s.Rows[i]
}

// cells finds the time of a rule's design, and of what it is held against.
func cells(s *report.Summary, r Rule) (own, against report.Cell, ok bool) {
	a, b := find(s, r.Design), find(s, r.Against)
	if a == nil || b == nil {
		return own, against, false
	}
	own, okOwn := a.Cells[column(s, r)]
	against, okAgainst := b.Cells[column(s, r)]
	return own, against, okOwn && okAgainst
}

func column(s *report.Summary, r Rule) string {
	if r.Column == "" {
		return s.Main().Name
	}
	return r.Column
}

// nanoseconds writes a time with the unit that suits it.
func nanoseconds(ns float64) string {
	u := report.UnitFor(math.Abs(ns))
	if ns < 0 {
		return "-" + u.Write(-ns) + " " + u.Name
	}
	return u.Write(ns) + " " + u.Name
}

func answerTime(s *report.Summary, r Rule) string {
	own, _, ok := cells(s, r)
	if !ok {
		return missing
	}
	if n := r.Numbers["times"]; n > 0 {
		return fmt.Sprintf("%s, %s times that is %s", nanoseconds(own.Median), report.Comma(int64(n)), nanoseconds(n*own.Median))
	}
	return nanoseconds(own.Median)
}

func answerSpeedup(s *report.Summary, r Rule) string {
	own, against, ok := cells(s, r)
	if !ok {
		return missing
	}
	return fmt.Sprintf("%s times%s (%s to %s)", report.Ratio(against.Median/own.Median), own.Verdict.Sign(), nanoseconds(against.Median), nanoseconds(own.Median))
}

func answerSaved(s *report.Summary, r Rule) string {
	own, against, ok := cells(s, r)
	if !ok {
		return missing
	}
	return nanoseconds(against.Median-own.Median) + " less"
}

func answerAdded(s *report.Summary, r Rule) string {
	own, against, ok := cells(s, r)
	if !ok {
		return missing
	}
	return fmt.Sprintf("%s more (%s to %s)", nanoseconds(own.Median-against.Median), nanoseconds(against.Median), nanoseconds(own.Median))
}

// answerBuilt is the time that a design in a module takes to build what it needs.
func answerBuilt(s *report.Summary, r Rule) string {
	v := find(s, r.Design)
	if v != nil {
		for _, b := range s.Buildings() {
			if b.Name == v.Name {
				return nanoseconds(b.Built) + " to build"
			}
		}
	}
	return missing
}

// answerStep is the time of a column by records and symbols: what a linear scan
// spends on a symbol.
func answerStep(s *report.Summary, r Rule) string {
	own, _, ok := cells(s, r)
	if !ok || s.Run.Module.Records == 0 {
		return missing
	}
	return step(own.Median, float64(s.Run.Module.Records)*float64(s.Run.Symbols))
}

func step(ns, steps float64) string {
	return report.Figure(ns/steps) + " ns for each symbol and record"
}

// answerGainShare says how much of what Against gains over stock Design gains.
func answerGainShare(s *report.Summary, r Rule) string {
	own, against, ok := cells(s, r)
	if !ok {
		return missing
	}
	stock := s.Stock().Cells[column(s, r)].Median
	if against.Median >= stock {
		return fmt.Sprintf("no time is saved (%s to %s)", nanoseconds(stock), nanoseconds(against.Median))
	}
	return fmt.Sprintf("%.0f%% of the time saved (%s against %s), %.0f%% of the speed", 100*(stock-own.Median)/(stock-against.Median),
		nanoseconds(own.Median), nanoseconds(against.Median), 100*against.Median/own.Median)
}

func answerRodata(s *report.Summary, r Rule) string {
	if v := find(s, r.Design); v != nil {
		return size(v.Rodata)
	}
	return missing
}

func answerRAM(s *report.Summary, r Rule) string {
	if v := find(s, r.Design); v != nil {
		return size(v.RAM)
	}
	return missing
}

func answerSetUp(s *report.Summary, r Rule) string {
	e, ok := breakEven(s, r)
	if !ok {
		return missing
	}
	if r.Teardown {
		return nanoseconds(e.TearDown)
	}
	return nanoseconds(e.SetUp)
}

func answerBreakEven(s *report.Summary, r Rule) string {
	e, ok := breakEven(s, r)
	switch {
	case !ok:
		return missing
	case e.Never:
		return "never"
	case r.Teardown:
		return report.Comma(int64(e.With)) + " lookups"
	}
	return report.Comma(int64(e.Without)) + " lookups without teardown"
}

func breakEven(s *report.Summary, r Rule) (report.BreakEven, bool) {
	a, b := find(s, r.Design), find(s, r.Against)
	if a == nil || b == nil {
		return report.BreakEven{}, false
	}
	for _, e := range s.BreakEvens() {
		if e.Batch == a.Name && e.Other == b.Name {
			return e, true
		}
	}
	return report.BreakEven{}, false
}

func answerHops(s *report.Summary, r Rule) string {
	if v := find(s, r.Design); v != nil {
		if c, ok := v.Counts[column(s, r)]; ok {
			return report.Figure(c.Hops) + " hops, counted"
		}
	}
	return missing
}

func answerProbes(s *report.Summary, r Rule) string {
	if v := find(s, r.Design); v != nil {
		if c, ok := v.Counts[column(s, r)]; ok {
			return report.Figure(c.Probes) + " probes on average, counted"
		}
	}
	return missing
}

// computedHops is a search of the most probes with walks of mean length.
func computedHops(_ *report.Summary, r Rule) string {
	hops := float64(model.MaxProbes(r.n())) * model.MeanHops(uint(r.Numbers["shift"]))
	return count(int(math.Round(hops)), "hops for the most probes, computed")
}

// computedBreakEven takes the claim's own times, in ns.
func computedBreakEven(_ *report.Summary, r Rule) string {
	arg := func(name string) uint64 { return uint64(r.Numbers[name]) }
	n, ok := model.BreakEven(arg("setup"), arg("teardown"), arg("slow"), arg("fast"))
	if !ok {
		return "never, computed"
	}
	return count(int(n), "lookups, computed from the stated times")
}

func count(n int, what string) string { return report.Comma(int64(n)) + " " + what }

// size writes bytes, in KiB as well where that is shorter.
func size(n int64) string {
	if n < 1024 {
		return report.Comma(n) + " bytes"
	}
	return report.Comma(n) + " bytes (" + strconv.FormatFloat(float64(n)/1024, 'f', 1, 64) + " KiB)"
}
