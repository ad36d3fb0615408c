// SPDX-License-Identifier: GPL-2.0-only

package plot

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"gonum.org/v1/plot/plotter"

	"kgen/gen/report"
)

// growth draws the main column against the number of symbols, for the fastest
// design of each family that all runs have. It needs runs of different numbers with a design in common.
func growth(runs []*report.Summary) (Figure, bool) {
	first := runs[0]
	runs = slices.SortedStableFunc(slices.Values(runs), func(a, b *report.Summary) int {
		return cmp.Compare(a.Run.Symbols, b.Run.Symbols)
	})
	last := runs[len(runs)-1]
	if runs[0].Run.Symbols == last.Run.Symbols {
		return Figure{}, false
	}
	column := first.Main()
	rows := fastest(runs, first, column.Name)
	if len(rows) == 0 {
		return Figure{}, false
	}
	unit := last.Unit(column.Name)
	p := newPlot()
	figure := Figure{
		Name: "growth", plot: p, x: "symbols", y: timeTitle(column, unit),
		Title: "Time (" + column.Title + ") against the number of symbols",
	}
	var xs, ys []float64
	var told []string
	for _, r := range rows {
		var pts plotter.XYs
		for _, s := range runs {
			pts = append(pts, plotter.XY{X: float64(s.Run.Symbols), Y: find(s, r.Name).Cells[column.Name].Median})
		}
		f := familyOf(r)
		style := lineOf(f, 0)
		figure.legend = append(figure.legend, entry{family: f, text: r.Name, line: &style})
		p.Add(&plotter.Line{XYs: pts, LineStyle: style}, &plotter.Scatter{XYs: pts, GlyphStyle: f.glyph()})
		for _, q := range pts {
			xs, ys = append(xs, q.X), append(ys, q.Y)
		}
		told = append(told, fmt.Sprintf("%s from %s to %s", r.Name, unit.Write(pts[0].Y), unit.Write(pts[len(pts)-1].Y)))
	}
	limits(&p.X, powerScale{ticks: slices.Compact(slices.Sorted(slices.Values(xs)))}, xs, 0.06, 0.06)
	limits(&p.Y, timeScale{unit}, ys, 0.08, 0.08)
	figure.Alt = fmt.Sprintf("Line chart with logarithmic axes, in %s, from %s to %s symbols: %s.", unit.Name,
		report.Comma(int64(runs[0].Run.Symbols)), report.Comma(int64(last.Run.Symbols)), strings.Join(told, "; "))
	return figure, true
}

// fastest lists the stock code and, of each other family, the variant that is
// the fastest in a column of the first run, among those that all runs have.
func fastest(runs []*report.Summary, first *report.Summary, column string) []*report.Row {
	best := make(map[string]*report.Row)
	for i := range first.Rows {
		r := &first.Rows[i]
		everywhere := !r.Control
		for _, s := range runs {
			other := find(s, r.Name)
			everywhere = everywhere && other != nil && other.Cells[column].Rounds > 0
		}
		f := familyOf(r).name
		if everywhere && (best[f] == nil || r.Cells[column].Median < best[f].Cells[column].Median) {
			best[f] = r
		}
	}
	var list []*report.Row
	for _, f := range slices.Concat([]family{stock}, families, []family{other}) {
		if best[f.name] != nil {
			list = append(list, best[f.name])
		}
	}
	return list
}

// find the row of a variant, nil if a run has none of that name.
func find(s *report.Summary, name string) *report.Row {
	i := slices.IndexFunc(s.Rows, func(r report.Row) bool { return r.Name == name })
	if i < 0 {
		return nil
	}
	return &s.Rows[i]
}
