// SPDX-License-Identifier: GPL-2.0-only

package plot

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"kgen/gen/report"
)

// mostLines is how many lines of one drawing can still be told apart.
const mostLines = 7

// curve is one design at several densities.
type curve struct {
	name   string
	family family
	rows   []report.Row // the densest first
}

// density draws the main column against how far apart the markers, or
// sub-markers, of a design are. It needs a design that was measured at more
// than one density.
func density(s *report.Summary) (Figure, bool) {
	curves := curvesOf(s)
	if len(curves) == 0 {
		return Figure{}, false
	}
	column := s.Main()
	unit := s.Unit(column.Name)
	p := newPlot()
	figure := Figure{
		Name: "density", plot: p, x: "symbols for each marker or sub-marker", y: timeTitle(column, unit),
		Title: fmt.Sprintf("Time (%s) against marker density, %s symbols", column.Title, report.Comma(int64(s.Run.Symbols))),
	}
	stockTime := s.Stock().Cells[column.Name].Median
	xs, ys := []float64{256}, []float64{stockTime}
	used := make(map[string]int)
	var told []string
	for _, c := range curves {
		var pts plotter.XYs
		for _, r := range c.rows {
			x, y := float64(int(1)<<r.Params["shift"]), r.Cells[column.Name].Median
			xs, ys, pts = append(xs, x), append(ys, y), append(pts, plotter.XY{X: x, Y: y})
		}
		style := lineOf(c.family, used[c.family.name])
		used[c.family.name]++
		p.Add(&plotter.Line{XYs: pts, LineStyle: style}, &plotter.Scatter{XYs: pts, GlyphStyle: c.family.glyph()})
		figure.legend = append(figure.legend, entry{family: c.family, text: c.name, line: &style})
		best := slices.MinFunc(c.rows, func(a, b report.Row) int {
			return cmp.Compare(a.Cells[column.Name].Median, b.Cells[column.Name].Median)
		})
		told = append(told, fmt.Sprintf("%s is fastest at one for %d (%s %s)", c.name, 1<<best.Params["shift"], unit.Write(best.Cells[column.Name].Median), unit.Name))
	}
	at := plotter.XYs{{X: 256, Y: stockTime}}
	p.Add(&plotter.Scatter{XYs: at, GlyphStyle: stock.glyph()})
	figure.legend = append(figure.legend, entry{family: stock, text: "stock"})

	limits(&p.X, powerScale{}, xs, 0.04, 0.04)
	limits(&p.Y, timeScale{unit}, ys, 0.08, 0.08)
	figure.Alt = fmt.Sprintf("Line chart with logarithmic axes. Stock has a marker for 256 symbols and takes %s %s; %s.", unit.Write(stockTime), unit.Name, strings.Join(told, "; "))
	return figure, true
}

// curvesOf groups the variants that differ in nothing but the density. Where
// there are too many groups, those of the most densities stay.
func curvesOf(s *report.Summary) []curve {
	column := s.Main().Name
	byKey := make(map[string]*curve)
	for _, r := range s.Rows {
		_, measured := r.Cells[column]
		if _, ok := r.Params["shift"]; !ok || !measured {
			continue
		}
		mechanisms := slices.Sorted(slices.Values(r.Mechanisms))
		key := fmt.Sprint(mechanisms, otherParams(&r))
		if byKey[key] == nil {
			f := familyOf(&r)
			name := f.name + otherParams(&r)
			if f.name == "density" || f.name == "sub-markers" {
				name += " alone"
				if slices.Contains(mechanisms, "token-match") {
					name = f.name + " and token-match"
				}
			}
			byKey[key] = &curve{name: name, family: f}
		}
		byKey[key].rows = append(byKey[key].rows, r)
	}
	var list []curve
	for _, key := range slices.Sorted(maps.Keys(byKey)) {
		c := *byKey[key]
		if len(c.rows) < 2 {
			continue
		}
		slices.SortStableFunc(c.rows, func(a, b report.Row) int { return a.Params["shift"] - b.Params["shift"] })
		list = append(list, c)
	}
	slices.SortStableFunc(list, func(a, b curve) int { return len(b.rows) - len(a.rows) })
	return list[:min(len(list), mostLines)]
}

// otherParams are those that do not say the density.
func otherParams(r *report.Row) string {
	var b strings.Builder
	for _, name := range slices.Sorted(maps.Keys(r.Params)) {
		if name != "shift" {
			b.WriteString(" " + name + "=" + strconv.Itoa(r.Params[name]))
		}
	}
	return b.String()
}

// lineOf is the line of the n-th curve of a family.
func lineOf(f family, n int) draw.LineStyle {
	dashes := [][]vg.Length{nil, {6, 3}, {2, 2}, {8, 3, 2, 3}}
	return draw.LineStyle{Color: f.color, Width: 1.3, Dashes: dashes[n%len(dashes)]}
}
