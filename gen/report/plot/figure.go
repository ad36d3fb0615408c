// SPDX-License-Identifier: GPL-2.0-only

package plot

import (
	"bytes"
	"fmt"
	"html"
	"regexp"
	"slices"
	"strconv"
	"strings"

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
// figures of a single run are of. Runs in a module are left out: their designs
// are few, and a table shows them.
func Figures(runs ...*report.Summary) []Figure {
	runs = slices.DeleteFunc(slices.Clone(runs), func(s *report.Summary) bool { return s.Run.Module != nil })
	if len(runs) == 0 {
		return nil
	}
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
	svgText = regexp.MustCompile(`<text ([^>]*?font-size:([0-9.]+)px[^>]*)>([^<]*)</text>`)
	svgFont = strings.NewReplacer("font-family:Liberation Sans", "font-family:'Liberation Sans',Arial,Helvetica,sans-serif")
)

// SVG draws the figure as an element that stands in a page as well as alone. It
// scales with its place and names what it shows. Each text is given the width
// that room was made for, whatever font the reader's machine has.
func (f Figure) SVG() ([]byte, error) {
	c := vgsvg.NewWith(vgsvg.UseWH(width, height))
	f.draw(draw.New(c))
	var buf bytes.Buffer
	if _, err := c.WriteTo(&buf); err != nil {
		return nil, err
	}
	open := fmt.Sprintf(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %g %g" role="img" aria-labelledby="%[3]s-title %[3]s-desc">`+
		`<title id="%[3]s-title">%[4]s</title><desc id="%[3]s-desc">%[5]s</desc>`,
		width.Points(), height.Points(), f.Name, html.EscapeString(f.Title), html.EscapeString(f.Alt))
	svg := svgOpen.ReplaceAllLiteralString(buf.String(), open)
	svg = svgText.ReplaceAllStringFunc(svg, func(s string) string {
		m := svgText.FindStringSubmatch(s)
		size, err := strconv.ParseFloat(m[2], 64)
		if err != nil {
			return s // no number after all, so no size to know
		}
		style := text.Style{Font: sans(vg.Length(size)), Handler: plot.DefaultTextHandler}
		return fmt.Sprintf(`<text textLength="%.1f" lengthAdjust="spacingAndGlyphs" %s>%s</text>`, style.Width(html.UnescapeString(m[3])).Points(), m[1], m[3])
	})
	return []byte(svgFont.Replace(svg)), nil
}
