// SPDX-License-Identifier: GPL-2.0-only

package plot

import (
	"math"
	"slices"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// label is a text that belongs to a point, in the units of the axes. Its lines
// are broken by \n.
type label struct {
	x, y float64
	text string
}

// labels is a plotter that writes labels near their points, in places where they
// cover neither a point, nor a line, nor each other. What finds no place at all
// is left out: the table has it.
type labels struct {
	all []label
	// avoid are points, and line the corners of a line, to keep clear of.
	avoid []label
	line  []label
}

// placed is a label in its place.
type placed struct {
	label
	point  vg.Point
	box    vg.Rectangle
	leader bool // a line leads there, since it is far or near another point
}

// Plot implements plot.Plotter.
func (l *labels) Plot(c draw.Canvas, p *plot.Plot) {
	style := labelStyle()
	height := style.Height("Ag")
	for _, q := range l.arrange(c, p) {
		if q.leader {
			end := nearest(q.box, q.point)
			c.StrokeLine2(draw.LineStyle{Color: darkGrey, Width: 0.5}, q.point.X, q.point.Y, end.X, end.Y)
		}
		for i, line := range strings.Split(q.text, "\n") {
			c.FillText(style, vg.Point{X: q.box.Min.X + 1, Y: q.box.Max.Y - height*vg.Length(i+1)}, line)
		}
	}
}

// arrange finds the places, in the order of the labels: the first has most choice.
func (l *labels) arrange(c draw.Canvas, p *plot.Plot) []placed {
	at := func(q label) vg.Point {
		return vg.Point{X: c.X(p.X.Norm(q.x)), Y: c.Y(p.Y.Norm(q.y))}
	}
	var taken []vg.Rectangle
	for _, q := range l.avoid {
		taken = append(taken, around(at(q), markerSize+1.5))
	}
	for i := 1; i < len(l.line); i++ {
		taken = append(taken, beads(at(l.line[i-1]), at(l.line[i]))...)
	}
	var done []placed
	for _, q := range l.all {
		pt := at(q)
		box, ok := place(c, pt, q.text, taken)
		if !ok {
			continue
		}
		own := distance(nearest(box, pt), pt)
		leader := own > leaderFrom || slices.ContainsFunc(l.avoid, func(q label) bool {
			other := at(q)
			return other != pt && distance(nearest(box, other), other) < 2*own
		})
		done = append(done, placed{q, pt, box, leader})
		taken = append(taken, box)
		if leader {
			taken = append(taken, beads(pt, nearest(box, pt))...)
		}
	}
	return done
}

func labelStyle() text.Style {
	return text.Style{Color: black, Font: sans(labelSize), Handler: plot.DefaultTextHandler, XAlign: text.XLeft, YAlign: text.YBottom}
}

// place finds the nearest free box for a text around a point.
func place(c draw.Canvas, pt vg.Point, s string, taken []vg.Rectangle) (vg.Rectangle, bool) {
	style := labelStyle()
	w, h := vg.Length(0), vg.Length(0)
	for _, line := range strings.Split(s, "\n") {
		w = max(w, style.Width(line))
		h += style.Height("Ag")
	}
	w += 2
	for away := vg.Length(7); away < 120; away += 5 {
		for turn := range 16 {
			// Right of the point first, then alternately up and down.
			angle := float64((turn+1)/2) * math.Pi / 8
			if turn%2 == 1 {
				angle = -angle
			}
			x := pt.X + away*vg.Length(math.Cos(angle))
			y := pt.Y + away*vg.Length(math.Sin(angle))
			// The side that faces the point is where the angle is measured to.
			x -= w * vg.Length(1-math.Cos(angle)) / 2
			y -= h * vg.Length(1-math.Sin(angle)) / 2
			box := vg.Rectangle{Min: vg.Point{X: x, Y: y}, Max: vg.Point{X: x + w, Y: y + h}}
			if box.Min.X < c.Min.X || box.Max.X > c.Max.X || box.Min.Y < c.Min.Y+1 || box.Max.Y > c.Max.Y {
				continue
			}
			// A long way from its point, a line leads there; that must not run
			// through what is around it. What covers the point itself it may leave.
			end := nearest(box, pt)
			blocked := distance(end, pt) > leaderFrom && slices.ContainsFunc(beads(pt, end), func(b vg.Rectangle) bool {
				return distance(b.Min, pt) > 3*markerSize && hits(b, taken)
			})
			if !blocked && !hits(box, taken) {
				return box, true
			}
		}
	}
	return vg.Rectangle{}, false
}

func hits(box vg.Rectangle, taken []vg.Rectangle) bool {
	for _, t := range taken {
		if box.Min.X < t.Max.X && t.Min.X < box.Max.X && box.Min.Y < t.Max.Y && t.Min.Y < box.Max.Y {
			return true
		}
	}
	return false
}

func around(pt vg.Point, r vg.Length) vg.Rectangle {
	return vg.Rectangle{Min: vg.Point{X: pt.X - r, Y: pt.Y - r}, Max: vg.Point{X: pt.X + r, Y: pt.Y + r}}
}

// leaderFrom is the distance from which on a line leads from a point to its label.
const leaderFrom = 3 * markerSize

func distance(a, b vg.Point) float64 { return math.Hypot(float64(b.X-a.X), float64(b.Y-a.Y)) }

// beads covers a line with small boxes.
func beads(a, b vg.Point) []vg.Rectangle {
	n := int(distance(a, b)/3) + 1
	var boxes []vg.Rectangle
	for i := range n + 1 {
		f := vg.Length(i) / vg.Length(n)
		boxes = append(boxes, around(vg.Point{X: a.X + f*(b.X-a.X), Y: a.Y + f*(b.Y-a.Y)}, 1.5))
	}
	return boxes
}

// nearest point of a box to another.
func nearest(box vg.Rectangle, pt vg.Point) vg.Point {
	return vg.Point{
		X: min(max(pt.X, box.Min.X), box.Max.X),
		Y: min(max(pt.Y, box.Min.Y), box.Max.Y),
	}
}
