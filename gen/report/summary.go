// SPDX-License-Identifier: GPL-2.0-only

package report

import (
	"cmp"
	"slices"

	"golang.org/x/perf/benchmath"

	"kgen/gen/bench/result"
)

// confidence is that of every interval.
const confidence = 0.95

// What differs from stock by less is not called a difference, however certain
// it is: the alignment of code alone does that much.
const (
	warmLimit = 0.05
	coldLimit = 0.15
)

// Summary is what a run says, variant by variant.
type Summary struct {
	Run *result.Run
	// Columns are the measured times, in the order of the run.
	Columns []result.Column
	// Rows has the stock code first, then its control, then the others by the
	// bytes they add, the slower first where they add the same.
	Rows []Row
}

// Row is one variant.
type Row struct {
	*result.Variant
	Cells map[string]Cell // by column name; no entry where it was not measured
	// Front says for each column whether no other variant is both as small and
	// faster, or as fast and smaller.
	Front map[string]bool
}

// Cell is one time of one variant, in the unit of its column.
type Cell struct {
	Median float64
	Lo, Hi float64 // the interval of the median, at 95%
	Rounds int
	// Speedup is the median of stock over this one, both of the same run.
	Speedup float64
	// P is the probability of such a difference to stock if there were none
	// (Mann-Whitney).
	P       float64
	Verdict Verdict
}

// Verdict is how a time compares with that of stock.
type Verdict int

// Unranked says that the machine was too noisy in this column for any ranking.
const (
	Same Verdict = iota
	Faster
	Slower
	Unranked
)

// Bytes is what the variant adds to the tables of stock: in the image for good,
// and in memory for as long as a batch is open, or while a module is loaded.
func (r *Row) Bytes() int64 { return r.Rodata + max(r.RAM, r.Peak) }

// Stock is the row that the others are compared with.
func (s *Summary) Stock() *Row { return &s.Rows[0] }

// Column finds a measured column by its name.
func (s *Summary) Column(name string) (result.Column, bool) {
	i := slices.IndexFunc(s.Columns, func(c result.Column) bool { return c.Name == name })
	if i < 0 {
		return result.Column{}, false
	}
	return s.Columns[i], true
}

// Main is the column that variants are ranked by: hits on names that are all
// different, or the first column of a run that has none. A name that hundreds
// of symbols share would count hundreds of times otherwise.
func (s *Summary) Main() result.Column { return s.first("hit-unique", "hit") }

// Cold is the column of lookups that find the caches cold, if there is one.
func (s *Summary) Cold() (result.Column, bool) {
	for _, name := range []string{"cold8", "dram1"} {
		if c, ok := s.Column(name); ok {
			return c, true
		}
	}
	return result.Column{}, false
}

func (s *Summary) first(names ...string) result.Column {
	for _, name := range names {
		if c, ok := s.Column(name); ok {
			return c
		}
	}
	return s.Columns[0]
}

// Noise is what the control showed in a column, if there was one.
func (s *Summary) Noise(column string) (result.Noise, bool) {
	i := slices.IndexFunc(s.Run.Noise, func(n result.Noise) bool { return n.Column == column })
	if i < 0 {
		return result.Noise{}, false
	}
	return s.Run.Noise[i], true
}

// Summarize computes all of a run that Check accepts.
func Summarize(run *result.Run) *Summary {
	s := &Summary{Run: run}
	stock := slices.IndexFunc(run.Variants, func(v result.Variant) bool { return isStock(&v) })
	for _, c := range run.Columns {
		if len(run.Variants[stock].Samples[c.Name]) > 0 {
			s.Columns = append(s.Columns, c)
		}
	}
	for i := range run.Variants {
		row := Row{Variant: &run.Variants[i], Cells: make(map[string]Cell), Front: make(map[string]bool)}
		for _, c := range s.Columns {
			if samples := row.Samples[c.Name]; len(samples) > 0 {
				row.Cells[c.Name] = s.cell(c, run.Variants[stock].Samples[c.Name], samples, i == stock)
			}
		}
		s.Rows = append(s.Rows, row)
	}
	s.sort()
	for _, c := range s.Columns {
		s.markFront(c.Name)
	}
	return s
}

func (s *Summary) cell(c result.Column, stock, samples []float64, isStock bool) Cell {
	base := benchmath.NewSample(slices.Clone(stock), &benchmath.DefaultThresholds)
	own := benchmath.NewSample(slices.Clone(samples), &benchmath.DefaultThresholds)
	sum := benchmath.AssumeNothing.Summary(own, confidence)
	cell := Cell{Median: sum.Center, Lo: sum.Lo, Hi: sum.Hi, Rounds: len(samples), Speedup: 1, P: 1}
	if isStock {
		return cell
	}
	cell.Speedup = benchmath.AssumeNothing.Summary(base, confidence).Center / cell.Median
	diff := benchmath.AssumeNothing.Compare(base, own)
	cell.P = diff.P
	limit := coldLimit
	if c.Warm {
		limit = warmLimit
	}
	noise, known := s.Noise(c.Name)
	switch {
	case !known || !noise.Rankable:
		cell.Verdict = Unranked
	case diff.P >= diff.Alpha:
	case cell.Speedup > 1+limit:
		cell.Verdict = Faster
	case cell.Speedup < 1/(1+limit):
		cell.Verdict = Slower
	}
	return cell
}

func (s *Summary) sort() {
	main := s.Main().Name
	rank := func(r Row) int {
		switch {
		case isStock(r.Variant):
			return 0
		case r.Control:
			return 1
		}
		return 2
	}
	slices.SortStableFunc(s.Rows, func(a, b Row) int {
		return cmp.Or(
			cmp.Compare(rank(a), rank(b)),
			cmp.Compare(a.Bytes(), b.Bytes()),
			cmp.Compare(b.Cells[main].Median, a.Cells[main].Median),
		)
	})
}

// markFront finds the variants that nothing dominates in one column. The
// control has no say: it is the stock code.
func (s *Summary) markFront(column string) {
	for i := range s.Rows {
		a := &s.Rows[i]
		ta, ok := a.Cells[column]
		if !ok || a.Control {
			continue
		}
		a.Front[column] = !slices.ContainsFunc(s.Rows, func(b Row) bool {
			tb, ok := b.Cells[column]
			if !ok || b.Control {
				return false
			}
			return b.Bytes() <= a.Bytes() && tb.Median <= ta.Median &&
				(b.Bytes() < a.Bytes() || tb.Median < ta.Median)
		})
	}
}
