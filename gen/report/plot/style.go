// SPDX-License-Identifier: GPL-2.0-only

package plot

import (
	"image/color"
	"math"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"kgen/gen/report"
)

// Sizes, in points. At this width a figure fills a page of a document.
const (
	width      = 576 * vg.Length(1)
	height     = 384 * vg.Length(1)
	textSize   = 10.5
	labelSize  = 9.5
	markerSize = 4
)

// The palette of Okabe and Ito, and greys.
var (
	black      = color.NRGBA{0, 0, 0, 255}
	white      = color.NRGBA{255, 255, 255, 255}
	orange     = color.NRGBA{230, 159, 0, 255}
	skyBlue    = color.NRGBA{86, 180, 233, 255}
	green      = color.NRGBA{0, 158, 115, 255}
	blue       = color.NRGBA{0, 114, 178, 255}
	vermillion = color.NRGBA{213, 94, 0, 255}
	purple     = color.NRGBA{204, 121, 167, 255}
	darkGrey   = color.NRGBA{90, 90, 90, 255}
	lightGrey  = color.NRGBA{225, 225, 225, 255}
)

// family is designs that are drawn alike.
type family struct {
	name  string
	color color.Color
	shape draw.GlyphDrawer
}

// families by the mechanism that shapes them most, which is the first of these
// that a variant has.
var families = []family{
	{"hash-order", vermillion, shape{corners: 4, size: 1.3}},
	{"name-offsets", green, shape{corners: 3, size: 1.3}},
	{"batch-index", purple, shape{corners: 4, turn: 0.5, size: 1.35, hollow: true}},
	{"static-index", blue, shape{corners: 3, turn: 0.5, size: 1.4, hollow: true}},
	{"sub-markers", skyBlue, shape{corners: 32, size: 1}},
	{"density", orange, shape{corners: 4, turn: 0.5, size: 1.25}},
	{"token-match", darkGrey, shape{corners: 5, size: 1.2}},
}

var (
	stock = family{"stock", black, shape{corners: 32, size: 1.1, hollow: true}}
	other = family{"other", darkGrey, shape{corners: 6, size: 1.2, hollow: true}}
)

func familyOf(r *report.Row) family {
	if r.Series == "" {
		return stock
	}
	for _, f := range families {
		if slices.Contains(r.Mechanisms, f.name) {
			return f
		}
	}
	return other
}

func (f family) glyph() draw.GlyphStyle {
	return draw.GlyphStyle{Color: f.color, Radius: markerSize, Shape: f.shape}
}

// shape is a regular polygon, which looks like a circle from some corners on.
type shape struct {
	corners int
	turn    float64 // by so many corners, from one that is at the top
	size    float64 // its radius, in radii of the glyph
	hollow  bool
}

// DrawGlyph implements draw.GlyphDrawer. A filled shape has a white rim, so that
// one on top of another can be told from one.
func (s shape) DrawGlyph(c *draw.Canvas, sty draw.GlyphStyle, pt vg.Point) {
	var p vg.Path
	for i := range s.corners {
		angle := math.Pi/2 + 2*math.Pi*(float64(i)+s.turn)/float64(s.corners)
		r := float64(sty.Radius) * s.size
		corner := vg.Point{X: pt.X + vg.Length(r*math.Cos(angle)), Y: pt.Y + vg.Length(r*math.Sin(angle))}
		if i == 0 {
			p.Move(corner)
		} else {
			p.Line(corner)
		}
	}
	p.Close()
	if s.hollow {
		c.SetLineStyle(draw.LineStyle{Color: sty.Color, Width: 1.4})
	} else {
		c.SetColor(sty.Color)
		c.Fill(p)
		c.SetLineStyle(draw.LineStyle{Color: white, Width: 0.6})
	}
	c.Stroke(p)
}

// sans is the one font of a figure.
func sans(size vg.Length) font.Font {
	return font.Font{Typeface: "Liberation", Variant: "Sans", Size: size}
}

// newPlot has the fonts and a grid, under all that is added later. The titles of
// its axes are the figure's to write: the package takes them into account where
// it looks for room, and assumes them to stand at the middle of a linear axis.
func newPlot() *plot.Plot {
	p := plot.New()
	for _, axis := range []*plot.Axis{&p.X, &p.Y} {
		axis.Tick.Label.Font = sans(textSize)
		axis.Padding = 0
		axis.LineStyle.Color = darkGrey
		axis.Tick.LineStyle.Color = darkGrey
	}
	grid := plotter.NewGrid()
	grid.Vertical.Color, grid.Horizontal.Color = lightGrey, lightGrey
	p.Add(grid)
	return p
}

// limits sets the range of an axis: of the values with a margin on either side,
// as a part of the drawn length.
func limits(axis *plot.Axis, scale scale, values []float64, below, above float64) {
	lo, hi := scale.forward(slices.Min(values)), scale.forward(slices.Max(values))
	length := math.Max(hi-lo, 0.3)
	axis.Min, axis.Max = scale.back(lo-below*length), scale.back(hi+above*length)
	axis.Scale, axis.Tick.Marker = scale, scale
}
