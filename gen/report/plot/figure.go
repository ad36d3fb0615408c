// SPDX-License-Identifier: GPL-2.0-only

package plot

import (
	"bytes"
	"html"
	"regexp"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"
	"gonum.org/v1/plot/vg/vgsvg"

	"kgen/gen/report"
)

// Figure is one drawing.
type Figure struct {
	Name  string // of its files, without what follows the dot
	Title string // one line
	Alt   string // what there is to be seen, for who cannot see it

	plot   *plot.Plot
	x, y   string // titles of the axes
	legend []entry
}

// entry is one line of a legend.
type entry struct {
	family
	text string
	line *draw.LineStyle // nil for a marker alone
}

// Figures draws all that runs have data for. The first run is the one that the
// figures of a single run are of.
func Figures(runs ...*report.Summary) []Figure {
	s := runs[0]
	figures := []Figure{pareto(s, s.Main(), "bytes")}
	if cold, ok := s.Cold(); ok {
		figures = append(figures, pareto(s, cold, "bytes-cold"))
	}
	if f, ok := density(s); ok {
		figures = append(figures, f)
	}
	if f, ok := growth(runs); ok {
		figures = append(figures, f)
	}
	return figures
}

// draw puts the plot above its legend. The title of the vertical axis stands
// above it, where it can be read without turning the head.
func (f Figure) draw(c draw.Canvas) {
	style := text.Style{Color: black, Font: sans(textSize), Handler: plot.DefaultTextHandler, YAlign: text.YCenter}
	const (
		margin = 8 * vg.Length(1)
		sample = 22 * vg.Length(1)
		gap    = 16 * vg.Length(1)
		line   = 16 * vg.Length(1)
	)
	rows, room := [][]entry{nil}, c.Size().X-2*margin
	used := vg.Length(0)
	for _, e := range f.legend {
		w := sample + style.Width(e.text) + gap
		if used+w > room+gap && used > 0 {
			rows, used = append(rows, nil), 0
		}
		rows[len(rows)-1] = append(rows[len(rows)-1], e)
		used += w
	}
	c.SetColor(f.plot.BackgroundColor)
	c.Fill(c.Rectangle.Path())
	below := line*vg.Length(len(rows)) + margin
	f.plot.Draw(draw.Crop(c, margin, -margin, below+line+margin/2, -line-margin))
	c.FillText(style, vg.Point{X: c.Min.X + margin, Y: c.Max.Y - margin - line/2}, f.y)
	centred := style
	centred.XAlign = text.XCenter
	c.FillText(centred, vg.Point{X: c.Center().X, Y: c.Min.Y + below + line/2}, f.x)
	y := c.Min.Y + below - line/2
	for _, row := range rows {
		x := c.Min.X + margin
		for _, e := range row {
			if e.line != nil {
				c.StrokeLine2(*e.line, x, y, x+sample-4, y)
			}
			if e.shape != nil {
				c.DrawGlyph(e.glyph(), vg.Point{X: x + (sample-4)/2, Y: y})
			}
			c.FillText(style, vg.Point{X: x + sample, Y: y}, e.text)
			x += sample + style.Width(e.text) + gap
		}
		y -= line
	}
}

// PNG draws the figure with two dots a point.
func (f Figure) PNG() ([]byte, error) {
	c := vgimg.PngCanvas{Canvas: vgimg.NewWith(vgimg.UseWH(width, height), vgimg.UseDPI(144))}
	f.draw(draw.New(c))
	var buf bytes.Buffer
	_, err := c.WriteTo(&buf)
	return buf.Bytes(), err
}

var (
	svgOpen = regexp.MustCompile(`(?s)^.*?<svg [^>]*>`)
	svgFont = regexp.MustCompile(`font-family:Liberation Sans`)
)

// SVG draws the figure as an element that stands in a page as well as alone. It
// scales with its place, names what it shows, and asks for fonts of the same
// widths where the one it is measured with is missing.
func (f Figure) SVG() ([]byte, error) {
	c := vgsvg.NewWith(vgsvg.UseWH(width, height))
	f.draw(draw.New(c))
	var buf bytes.Buffer
	if _, err := c.WriteTo(&buf); err != nil {
		return nil, err
	}
	open := `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 576 384" role="img" aria-labelledby="` + f.Name + `-title ` + f.Name + `-desc">` +
		`<title id="` + f.Name + `-title">` + html.EscapeString(f.Title) + `</title>` +
		`<desc id="` + f.Name + `-desc">` + html.EscapeString(f.Alt) + `</desc>`
	svg := svgOpen.ReplaceAllLiteral(buf.Bytes(), []byte(open))
	return svgFont.ReplaceAllLiteral(svg, []byte("font-family:'Liberation Sans',Arial,Helvetica,sans-serif")), nil
}
