// SPDX-License-Identifier: GPL-2.0-only

package plot

import (
	"fmt"
	"slices"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"kgen/gen/bench/result"
	"kgen/gen/report"
)

// pareto draws the time of one column against the bytes that a design adds.
func pareto(s *report.Summary, column result.Column, name string) Figure {
	unit := s.Unit(column.Name)
	p := newPlot()

	rows := slices.DeleteFunc(slices.Clone(s.Rows), func(r report.Row) bool {
		_, ok := r.Cells[column.Name]
		return !ok
	})
	var xs, ys []float64
	for _, r := range rows {
		xs, ys = append(xs, float64(r.Bytes())), append(ys, r.Cells[column.Name].Median)
	}
	limits(&p.X, bytesScale{}, xs, 0.04, 0.04)
	limits(&p.Y, timeScale{unit}, ys, 0.25, 0.05) // below the front is room for labels

	// The front first, so that markers lie above its line. It is a staircase:
	// between two designs there is none.
	write := &labels{}
	var stairs plotter.XYs
	front := front(rows, column.Name)
	for i, r := range front {
		x, y := float64(r.Bytes()), r.Cells[column.Name].Median
		if i > 0 {
			stairs = append(stairs, plotter.XY{X: x, Y: stairs[len(stairs)-1].Y})
		}
		stairs = append(stairs, plotter.XY{X: x, Y: y})
		write.all = append(write.all, label{x, y, wrapName(r.Name)})
	}
	stairs = append(stairs, plotter.XY{X: p.X.Max, Y: stairs[len(stairs)-1].Y})
	style := draw.LineStyle{Color: darkGrey, Width: 1, Dashes: []vg.Length{4, 3}}
	line := &plotter.Line{XYs: stairs, LineStyle: style}
	p.Add(line)

	figure := Figure{
		Name: name, plot: p,
		x: "added bytes: .rodata, and memory while a batch is open",
		y: timeTitle(column, unit),
	}
	points(p, rows, xs, ys, &figure)
	for i := range rows {
		write.avoid = append(write.avoid, label{xs[i], ys[i], ""})
	}
	for _, q := range stairs {
		write.line = append(write.line, label{x: q.X, y: q.Y})
	}
	slices.Reverse(write.all) // the fastest is the one to be labelled by all means
	p.Add(write)
	figure.legend = append(figure.legend, entry{text: "no design is smaller and faster", line: &style})

	figure.Title = fmt.Sprintf("Time (%s) against added bytes, %s symbols", column.Title, report.Comma(int64(s.Run.Symbols)))
	var list []string
	for _, r := range front {
		list = append(list, fmt.Sprintf("%s (%s bytes, %s %s)", r.Name, report.Comma(r.Bytes()), unit.Write(r.Cells[column.Name].Median), unit.Name))
	}
	figure.Alt = fmt.Sprintf("Scatter plot of %d designs. Both axes are logarithmic. Designs that none beats in both: %s.", len(rows), strings.Join(list, ", "))
	return figure
}

// front lists the variants on the front of a column, the smallest first. Of
// several of one size and time, the first stands for all.
func front(rows []report.Row, column string) []report.Row {
	var list []report.Row
	for _, r := range rows {
		if r.Front[column] {
			list = append(list, r)
		}
	}
	slices.SortStableFunc(list, func(a, b report.Row) int { return int(a.Bytes() - b.Bytes()) })
	return slices.CompactFunc(list, func(a, b report.Row) bool { return a.Bytes() == b.Bytes() })
}

// points adds a marker for each row and a legend entry for each family.
func points(p *plot.Plot, rows []report.Row, xs, ys []float64, f *Figure) {
	byFamily := make(map[string]plotter.XYs)
	for i := range rows {
		name := familyOf(&rows[i]).name
		byFamily[name] = append(byFamily[name], plotter.XY{X: xs[i], Y: ys[i]})
	}
	for _, fam := range slices.Concat([]family{stock}, families, []family{other}) {
		if pts := byFamily[fam.name]; pts != nil {
			p.Add(&plotter.Scatter{XYs: pts, GlyphStyle: fam.glyph()})
			f.legend = append(f.legend, entry{family: fam, text: fam.name})
		}
	}
}

// timeTitle is the title of an axis of times.
func timeTitle(column result.Column, unit report.Unit) string {
	return column.Title + ", " + unit.Name + ", in userspace"
}

// wrapName breaks a long name of a design in two lines of similar length.
func wrapName(name string) string {
	if len(name) < 24 {
		return name
	}
	best := -1
	for i, c := range name {
		if (c == ' ' || c == '+' || c == ',') && (best < 0 || abs(i-len(name)/2) < abs(best-len(name)/2)) {
			best = i
		}
	}
	if best <= 0 {
		return name
	}
	if name[best] == '+' {
		return name[:best] + "\n" + name[best:]
	}
	return name[:best+1] + "\n" + name[best+1:]
}

func abs(n int) int { return max(n, -n) }
