// SPDX-License-Identifier: GPL-2.0-only

// Package page puts all that is to be said of runs into one file: HTML that asks
// for nothing outside of itself, or Markdown.
//
//	report.Summary... ─┬─ figures (plot) ──┐
//	                   ├─ tables           ├─► view ──► page.html.tmpl ──► HTML
//	                   ├─ claims           │        └─► Markdown
//	                   └─ raw samples ─────┘
//
// Both say first that the times are of a process and not of a kernel.
package page

import (
	"bytes"
	_ "embed"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"html/template"
	"slices"
	"strings"

	"kgen/gen/bench/result"
	"kgen/gen/report"
	"kgen/gen/report/claims"
	"kgen/gen/report/plot"
)

var (
	//go:embed page.html.tmpl
	pageText string
	//go:embed page.css
	style string

	page = template.Must(template.New("page").Funcs(template.FuncMap{
		"style": func() template.CSS { return template.CSS(style) },
		"comma": report.Comma,
	}).Parse(pageText))
)

// view is what the template shows.
type view struct {
	Title     string
	Userspace string
	Lead      []string
	Figures   []figure
	Runs      []runView
	Threads   []threadView
}

type figure struct {
	Name, Title string
	SVG         template.HTML
}

// runView is one run's tables.
type runView struct {
	Number           int
	Heading          string
	Noisy            string
	Reading          string
	Method           string
	Machine          string
	When             string
	Times, Space     table
	BreakEvens       table
	Building         string // what the table of what is built shows
	Buildings        table
	Differing        string
	Columns          []column
	Data             template.URL // the run itself, as a link
	DataName, DataKB string
}

// labelled is what the template of a table needs.
type labelled struct {
	Table        table
	First, Label string // heading of the first column, name for screen readers
}

func (r runView) TimesArgs() labelled {
	return labelled{r.Times, "Design", "Times with " + r.Heading}
}

func (r runView) SpaceArgs() labelled {
	return labelled{r.Space, "Design", "Counts and costs with " + r.Heading}
}

func (r runView) BreakEvenArgs() labelled {
	return labelled{r.BreakEvens, "Against", "Break-even of a batch with " + r.Heading}
}

func (r runView) BuildingArgs() labelled {
	return labelled{r.Buildings, "Design", "What is built with " + r.Heading}
}

type column struct{ Title, Meaning, Control string }

// table is headings in two rows and cells.
type table struct {
	Groups []groupHead
	Heads  []head
	Rows   []tableRow
}

type groupHead struct {
	Title string
	Span  int
	Class string
}

type head struct{ Text, Class string }

type tableRow struct {
	Name  string
	Front bool
	Cells []cell
}

type cell struct{ Text, Class string }

type threadView struct {
	Number, Subject string
	Claims          []claimView
}

type claimView struct {
	claims.Claim
	Answers []string
}

// HTML makes the page of runs, of which the first is the one that figures of a
// single run and claims are about.
func HTML(runs ...*report.Summary) ([]byte, error) {
	v, err := newView(runs)
	if err != nil {
		return nil, err
	}
	for _, f := range plot.Figures(runs...) {
		svg, err := f.SVG()
		if err != nil {
			return nil, fmt.Errorf("figure %s: %w", f.Name, err)
		}
		v.Figures = append(v.Figures, figure{f.Name, f.Title, template.HTML(svg)})
	}
	var buf bytes.Buffer
	if err := page.Execute(&buf, v); err != nil {
		return nil, err
	}
	return buf.Bytes(), nil
}

func newView(runs []*report.Summary) (*view, error) {
	v := &view{
		Title:     "Symbol lookups of Linux " + runs[0].Run.Tree + ", measured",
		Userspace: report.Userspace,
	}
	v.Lead = lead(runs)
	for i, s := range runs {
		data, err := json.Marshal(s.Run)
		if err != nil {
			return nil, err
		}
		r := runView{
			Number:  i + 1,
			Heading: heading(s.Run),
			Noisy:   s.Noisy(), Reading: s.Reading(), Method: s.Method(), Machine: s.MachineText(),
			When:  s.Run.When.UTC().Format("2006-01-02 15:04 UTC"),
			Times: timeTable(s), Space: spaceTable(s), BreakEvens: breakEvenTable(s),
			Building: report.BuildingText, Buildings: buildingTable(s), Differing: s.Differing(),
			Data:     template.URL("data:application/json;base64," + base64.StdEncoding.EncodeToString(data)),
			DataName: fmt.Sprintf("run-%d.json", i+1), DataKB: report.Comma(int64(len(data)+1023) / 1024),
		}
		for _, c := range s.Columns {
			shown := column{Title: c.Title, Meaning: c.Meaning, Control: "no control"}
			if n, ok := s.Noise(c.Name); ok {
				shown.Control = fmt.Sprintf("stock again took %.3f times as long, p = %.2g", n.Ratio, n.P)
			}
			r.Columns = append(r.Columns, shown)
		}
		v.Runs = append(v.Runs, r)
	}
	threads, all, err := claims.All()
	if err != nil {
		return nil, err
	}
	for _, th := range threads {
		t := threadView{Number: th.Number, Subject: th.Subject}
		for _, c := range all {
			if c.Thread == th.Number {
				t.Claims = append(t.Claims, claimView{c, c.Answer(runs...)})
			}
		}
		v.Threads = append(v.Threads, t)
	}
	return v, nil
}

// heading is what a run is of.
func heading(r *result.Run) string {
	if m := r.Module; m != nil {
		return fmt.Sprintf("The module %s: %s symbols, %s records (%s), Linux %s", m.Name, report.Comma(int64(r.Symbols)), report.Comma(int64(m.Records)), r.Map, r.Tree)
	}
	return fmt.Sprintf("%s symbols (%s), Linux %s", report.Comma(int64(r.Symbols)), r.Map, r.Tree)
}

// lead says in sentences what the first run of each kind found.
func lead(runs []*report.Summary) []string {
	var list []string
	for _, module := range []bool{false, true} {
		if i := slices.IndexFunc(runs, func(s *report.Summary) bool { return (s.Run.Module != nil) == module }); i >= 0 {
			list = append(list, found(runs[i])...)
		}
	}
	return list
}

// found is the stock code's time, and what each design of the front makes of it.
func found(s *report.Summary) []string {
	main := s.Main()
	unit := s.Unit(main.Name)
	stock := s.Stock().Cells[main.Name]
	what := "for a lookup"
	if m := s.Run.Module; m != nil {
		what = "for a life of the module " + m.Name
	}
	list := []string{fmt.Sprintf("The stock code takes %s %s %s (%s).", unit.Write(stock.Median), unit.Name, what, main.Title)}
	for _, r := range s.Rows {
		if !r.Front[main.Name] || r.Series == "" {
			continue
		}
		c := r.Cells[main.Name]
		list = append(list, fmt.Sprintf("%s: %s times as fast (%s %s) for %s.", r.Name, r.Times(main.Name), unit.Write(c.Median), unit.Name, cost(s, r)))
	}
	return list
}

// cost is the bytes that a design is had for.
func cost(s *report.Summary, r report.Row) string {
	if s.Run.Module != nil {
		return fmt.Sprintf("%s bytes of memory while the module is loaded, %s at most", report.Comma(r.RAM), report.Comma(r.Peak))
	}
	text := report.Comma(r.Rodata) + " bytes of .rodata"
	if r.RAM != 0 {
		text += " and " + report.Comma(r.RAM) + " of memory while a batch is open"
	}
	return text
}

// claimAnswers is one text of all that a run says to a claim.
func claimAnswers(c claimView) string {
	if len(c.Answers) == 0 {
		return "not measured"
	}
	return strings.Join(c.Answers, "; ")
}
