// SPDX-License-Identifier: GPL-2.0-only

package plot

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"image/png"
	"io"
	"strings"
	"testing"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"

	"kgen/gen/bench/result"
	"kgen/gen/report"
	"kgen/gen/report/reporttest"
)

// runs are two made-up ones of different size, the first with designs at three
// densities.
func runs() []*report.Summary {
	small, large := reporttest.Made(), reporttest.Made()
	large.Symbols *= 8
	dense := small.Variants[4]
	for shift := 1; shift <= 3; shift++ {
		v := dense
		v.Name = fmt.Sprintf("dense %d", shift)
		v.Params = map[string]int{"shift": shift}
		v.Rodata = dense.Rodata << (4 - shift)
		small.Variants = append(small.Variants, v)
	}
	for _, run := range []*result.Run{small, large} {
		for i, v := range run.Variants {
			if v.Series != "" {
				run.Variants[i].Mechanisms = []string{v.Series}
			}
		}
	}
	return []*report.Summary{report.Summarize(small), report.Summarize(large)}
}

// TestFigures draws all there is and reads it back.
func TestFigures(t *testing.T) {
	var names []string
	for _, f := range Figures(runs()...) {
		names = append(names, f.Name)
		data, err := f.PNG()
		if err != nil {
			t.Fatal(err)
		}
		img, err := png.Decode(bytes.NewReader(data))
		if err != nil {
			t.Fatal(err)
		}
		if got := img.Bounds().Size(); got.X != 1152 || got.Y != 768 {
			t.Errorf("%s.png is %v, want 1152 by 768", f.Name, got)
		}
		svg, err := f.SVG()
		if err != nil {
			t.Fatal(err)
		}
		checkSVG(t, f, svg)
		if again, _ := f.SVG(); !bytes.Equal(svg, again) {
			t.Errorf("%s: two drawings differ", f.Name)
		}
	}
	if got := strings.Join(names, " "); got != "bytes bytes-cold density growth" {
		t.Errorf("figures %s", got)
	}
	if got := len(Figures(report.Summarize(reporttest.Made()))); got != 2 {
		t.Errorf("%d figures of a run with one density, want 2", got)
	}
}

// checkSVG wants XML that names what it shows and refers to nothing outside.
func checkSVG(t *testing.T, f Figure, svg []byte) {
	t.Helper()
	dec := xml.NewDecoder(bytes.NewReader(svg))
	texts := make(map[string]string)
	element := ""
	for {
		tok, err := dec.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatalf("%s.svg: %v", f.Name, err)
		}
		switch tok := tok.(type) {
		case xml.StartElement:
			element = tok.Name.Local
			for _, a := range tok.Attr {
				if strings.Contains(a.Name.Local, "href") || strings.Contains(a.Value, "url(") {
					t.Errorf("%s.svg refers to %s", f.Name, a.Value)
				}
			}
		case xml.CharData:
			texts[element] += string(tok)
		}
	}
	if !strings.Contains(texts["title"], f.Title) || !strings.Contains(texts["desc"], f.Alt) {
		t.Errorf("%s.svg does not say what it shows", f.Name)
	}
	if !strings.Contains(texts["text"], "userspace") {
		t.Errorf("%s.svg does not say where the times are from", f.Name)
	}
}

// TestLabels crowds points and wants every label clear of all of them, of the
// line and of the other labels.
func TestLabels(t *testing.T) {
	p := newPlot()
	p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = 0, 100, 0, 100
	c := draw.New(vgimg.NewWith(vgimg.UseWH(width, height)))
	l := &labels{line: []label{{x: 0, y: 50}, {x: 100, y: 50}}}
	for i := range 8 {
		q := label{40 + 3*float64(i%3), 45 + 3*float64(i), "a name of a design\nin two lines"}
		l.all, l.avoid = append(l.all, q), append(l.avoid, q)
	}
	done := l.arrange(c, p)
	if len(done) < 7 {
		t.Errorf("%d of 8 labels found a place", len(done))
	}
	for i, a := range done {
		for _, q := range l.avoid {
			pt := vg.Point{X: c.X(p.X.Norm(q.x)), Y: c.Y(p.Y.Norm(q.y))}
			if hits(a.box, []vg.Rectangle{around(pt, markerSize)}) {
				t.Errorf("label %d covers the point at %v", i, pt)
			}
		}
		if y := c.Y(0.5); a.box.Min.Y < y && y < a.box.Max.Y {
			t.Errorf("label %d covers the line", i)
		}
		own := distance(nearest(a.box, a.point), a.point)
		for _, q := range l.avoid {
			pt := vg.Point{X: c.X(p.X.Norm(q.x)), Y: c.Y(p.Y.Norm(q.y))}
			if !a.leader && pt != a.point && distance(nearest(a.box, pt), pt) < own {
				t.Errorf("label %d is nearer to another point, and no line leads to its own", i)
			}
		}
		for j, b := range done[:i] {
			if hits(a.box, []vg.Rectangle{b.box}) {
				t.Errorf("labels %d and %d cover each other", j, i)
			}
		}
	}
}

func TestScales(t *testing.T) {
	for _, s := range []scale{bytesScale{}, timeScale{report.UnitFor(1)}, powerScale{}} {
		for _, v := range []float64{1, 37, 20480, 652820} {
			if got := s.back(s.forward(v)); got < v*0.999 || got > v*1.001 {
				t.Errorf("%T: back(forward(%v)) = %v", s, v, got)
			}
			if got := s.Normalize(1, v+1, v+1); got != 1 {
				t.Errorf("%T: the end of the axis is at %v", s, got)
			}
		}
	}
	if got := (bytesScale{}).back((bytesScale{}).forward(-135763)); got > -135000 || got < -136000 {
		t.Errorf("what a design saves is drawn at %v", got)
	}
	labels := ""
	for _, tick := range (bytesScale{}).Ticks(-2000, 1100000) {
		labels += tick.Label + ";"
	}
	if labels != "-1 KiB;1 KiB;;4 KiB;;16 KiB;;64 KiB;;256 KiB;;1 MiB;0;" {
		t.Errorf("ticks %s", labels)
	}
}
