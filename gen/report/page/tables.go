// SPDX-License-Identifier: GPL-2.0-only

package page

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"kgen/gen/report"
)

// timeTable has every time of every variant: the median, its interval and the
// ratio to stock.
func timeTable(s *report.Summary) table {
	t := table{Groups: []groupHead{{"Added bytes", 2, ""}}, Heads: byteHeads(s)}
	for _, c := range s.Columns {
		unit := s.Unit(c.Name)
		// Paper has no room for the intervals; what is left out there must not be
		// spanned by the title.
		t.Groups = append(t.Groups, groupHead{c.Title, 2, "first"}, groupHead{"", 1, "interval"})
		t.Heads = append(t.Heads, head{unit.Name, "first"}, head{"x", ""}, head{"95% interval", "interval"})
	}
	for i := range s.Rows {
		r := &s.Rows[i]
		row := tableRow{Name: r.Name, Front: r.Front[s.Main().Name]}
		row.Cells = append(row.Cells, byteCells(s, r)...)
		for _, c := range s.Columns {
			own, ok := r.Cells[c.Name]
			if !ok {
				row.Cells = append(row.Cells, cell{"-", "first"}, cell{"", ""}, cell{"", "interval"})
				continue
			}
			unit := s.Unit(c.Name)
			class := map[report.Verdict]string{report.Faster: "faster", report.Slower: "slower", report.Unranked: "unranked"}[own.Verdict]
			row.Cells = append(row.Cells, cell{unit.Write(own.Median), "first"},
				cell{r.Times(c.Name), class}, cell{own.Interval(unit), "interval"})
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

// byteHeads and byteCells are what a design adds: to the image and in memory, or
// while a module is loaded and at most.
func byteHeads(s *report.Summary) []head {
	if s.Run.Module != nil {
		return []head{{"kept", ""}, {"peak", ""}}
	}
	return []head{{"rodata", ""}, {"RAM", ""}}
}

func byteCells(s *report.Summary, r *report.Row) []cell {
	if s.Run.Module != nil {
		return []cell{{report.Comma(r.RAM), ""}, {report.Comma(r.Peak), ""}}
	}
	return []cell{{report.Comma(r.Rodata), ""}, {report.Comma(r.RAM), ""}}
}

// buildingTable has, for each design in a module, what it builds and when that
// pays.
func buildingTable(s *report.Summary) table {
	var t table
	for _, b := range s.Buildings() {
		row := tableRow{Name: b.Name}
		for _, text := range b.Cells() {
			row.Cells = append(row.Cells, cell{text, ""})
		}
		t.Rows = append(t.Rows, row)
	}
	t.Groups = []groupHead{{"What is built", len(report.BuildingHeads), ""}}
	for _, text := range report.BuildingHeads {
		t.Heads = append(t.Heads, head{text, ""})
	}
	return t
}

// spaceTable has what does not vary: the size of tables and code, what the model
// counted, and what making the tables costs.
func spaceTable(s *report.Summary) table {
	if s.Run.Module != nil { // whose table of times has all there is
		return table{}
	}
	main := s.Main()
	t := table{
		Groups: []groupHead{{"Counted for " + main.Title, 5, ""}, {"Costs", 2, "first"}},
		Heads: []head{{"probes", ""}, {"hops", ""}, {"tokens", ""}, {"cache lines", ""}, {"decodes", ""},
			{"added code bytes", "first"}, {"host tool, ms", ""}},
	}
	names, stock := make(map[string]bool), s.Stock().Tables
	for _, r := range s.Rows {
		for _, tables := range []map[string]int64{r.Tables, stock} {
			for name := range tables {
				if r.Tables[name] != stock[name] {
					names[name] = true
				}
			}
		}
	}
	changed := slices.Sorted(maps.Keys(names))
	if len(changed) > 0 {
		t.Groups = append(t.Groups, groupHead{"Bytes of the kallsyms tables that are not as in stock", len(changed), "first"})
	}
	for i, name := range changed {
		class := ""
		if i == 0 {
			class = "first"
		}
		t.Heads = append(t.Heads, head{strings.ReplaceAll(strings.TrimPrefix(name, "kallsyms_"), "_", " "), class})
	}
	for i := range s.Rows {
		r := &s.Rows[i]
		row := tableRow{Name: r.Name, Front: r.Front[main.Name]}
		if n, ok := r.Counts[main.Name]; ok {
			for _, v := range []float64{n.Probes, n.Hops, n.Tokens, n.Lines, n.Decodes} {
				row.Cells = append(row.Cells, cell{report.Figure(v), ""})
			}
		} else {
			row.Cells = append(row.Cells, slices.Repeat([]cell{{"-", ""}}, 5)...)
		}
		tool := "-"
		if ns := report.Median(r.HostTool); ns > 0 {
			tool = report.Figure(ns / 1e6)
		}
		row.Cells = append(row.Cells, cell{report.Comma(r.Text), "first"}, cell{tool, ""})
		for i, name := range changed {
			c := cell{"", t.Heads[7+i].Class}
			if size, ok := r.Tables[name]; ok {
				c.Text = report.Comma(size)
			}
			row.Cells = append(row.Cells, c)
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

// breakEvenTable has, for each batch, from how many lookups on it pays.
func breakEvenTable(s *report.Summary) table {
	all := s.BreakEvens()
	if len(all) == 0 {
		return table{}
	}
	t := table{
		Groups: []groupHead{{"", 2, ""}, {"Lookups to break even", 2, "first"}},
		Heads:  []head{{"batch", "text"}, {"saved, ns", ""}, {"set-up alone", "first"}, {"with teardown", ""}},
	}
	slices.SortStableFunc(all, func(a, b report.BreakEven) int { return cmp.Compare(a.Batch, b.Batch) })
	for _, e := range all {
		batch := fmt.Sprintf("%s (%s us, teardown %s us)", e.Batch, report.Figure(e.SetUp/1e3), report.Figure(e.TearDown/1e3))
		row := tableRow{Name: e.Other, Cells: []cell{{batch, "text"}}}
		if e.Never {
			row.Cells = append(row.Cells, cell{"none", ""}, cell{"never", "first"}, cell{"never", ""})
		} else {
			row.Cells = append(row.Cells, cell{report.Figure(e.Saved), ""}, cell{report.Comma(int64(e.Without)), "first"}, cell{report.Comma(int64(e.With)), ""})
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}
