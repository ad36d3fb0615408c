// SPDX-License-Identifier: GPL-2.0-only

package report

import (
	"fmt"
	"slices"
	"strings"

	"kgen/gen/bench/result"
)

// MailWidth is how wide a text may be for a mail whose readers quote it twice.
const MailWidth = 72

// Text is the whole report of a run in plain ASCII, no line over width columns.
func (s *Summary) Text(width int) string {
	var b strings.Builder
	para := func(text string) {
		if text != "" {
			b.WriteString(fill(text, width) + "\n")
		}
	}
	para(s.Method())
	para(s.MachineText())
	para(s.Reading())
	para(s.Noisy())
	b.WriteString(s.Table(width, s.Rows, s.Columns))
	if built := s.Buildings(); len(built) > 0 {
		b.WriteString("\n")
		para(BuildingText)
		b.WriteString(buildingTable(built, width))
	}
	if text := s.Differing(); text != "" {
		b.WriteString("\n" + fill(text, width))
	}
	if all := s.BreakEvens(); len(all) > 0 {
		b.WriteString("\n")
		para("A batch pays from so many lookups on (" + s.Main().Name + "), without and with its teardown:")
		b.WriteString(breakEvenTable(all, width))
	}
	return ascii(b.String())
}

// Table sets rows of the summary side by side in ASCII: what they add, the times
// of columns, and what was counted.
func (s *Summary) Table(width int, rows []Row, columns []result.Column) string {
	main := s.Main().Name
	var names []string
	for _, r := range rows {
		mark := "  "
		if r.Front[main] {
			mark = "* "
		}
		names = append(names, mark+r.Name)
	}
	groups := []group{spaceGroup(rows)}
	if s.Run.Module != nil {
		groups[0] = memoryGroup(rows)
	}
	for _, c := range columns {
		groups = append(groups, s.timeGroup(c, rows))
	}
	if g, ok := s.countGroup(rows); ok {
		groups = append(groups, g)
	}
	if g, ok := costGroup(rows); ok {
		groups = append(groups, g)
	}
	return ascii(layOut(names, groups, width))
}

// spaceGroup is the bytes that a variant adds. Memory has a column only where
// some variant takes any.
func spaceGroup(rows []Row) group {
	g := group{title: "added bytes", heads: []string{"rodata"}}
	ram := slices.ContainsFunc(rows, func(r Row) bool { return r.RAM != 0 })
	if ram {
		g.heads = append(g.heads, "RAM")
	}
	for _, r := range rows {
		cells := []string{Comma(r.Rodata)}
		if ram {
			cells = append(cells, Comma(r.RAM))
		}
		g.cells = append(g.cells, cells)
	}
	return g
}

// memoryGroup is the bytes that a variant takes more while a module is loaded,
// and at most at a time.
func memoryGroup(rows []Row) group {
	g := group{title: "added bytes", heads: []string{"kept", "peak"}}
	for _, r := range rows {
		g.cells = append(g.cells, []string{Comma(r.RAM), Comma(r.Peak)})
	}
	return g
}

func (s *Summary) timeGroup(c result.Column, rows []Row) group {
	unit := s.Unit(c.Name)
	g := group{title: c.Title, heads: []string{unit.Name, "+-", "x"}}
	for _, r := range rows {
		cell, ok := r.Cells[c.Name]
		if !ok {
			g.cells = append(g.cells, []string{"-", "", ""})
			continue
		}
		g.cells = append(g.cells, []string{unit.Write(cell.Median), cell.Spread(), r.Times(c.Name)})
	}
	return g
}

// countGroup is what the model counted for the main column.
func (s *Summary) countGroup(rows []Row) (group, bool) {
	main := s.Main()
	g := group{title: "counted, " + main.Name, heads: []string{"probes", "hops", "lines"}}
	some := false
	for _, r := range rows {
		n, ok := r.Counts[main.Name]
		if !ok {
			g.cells = append(g.cells, []string{"-", "-", "-"})
			continue
		}
		some = true
		g.cells = append(g.cells, []string{Figure(n.Probes), Figure(n.Hops), Figure(n.Lines)})
	}
	return g, some
}

// costGroup is what a variant costs beside its tables.
func costGroup(rows []Row) (group, bool) {
	g := group{title: "added code, build", heads: []string{"text", "tool ms"}}
	some := false
	for _, r := range rows {
		tool := "-"
		if len(r.HostTool) > 0 {
			tool = Figure(Median(r.HostTool) / 1e6)
		}
		some = some || r.Text != 0 || tool != "-"
		g.cells = append(g.cells, []string{Comma(r.Text), tool})
	}
	return g, some
}

func breakEvenTable(all []BreakEven, width int) string {
	var names []string
	g := group{title: "lookups", heads: []string{"set-up", "with teardown"}}
	for _, e := range all {
		names = append(names, e.Other)
		cells := []string{"never", "never"}
		if !e.Never {
			cells = []string{Comma(int64(e.Without)), Comma(int64(e.With))}
		}
		g.cells = append(g.cells, cells)
	}
	var b strings.Builder
	for start := 0; start < len(all); {
		end := start
		for end < len(all) && all[end].Batch == all[start].Batch {
			end++
		}
		b.WriteString(fill(fmt.Sprintf("%s: set-up %s us, teardown %s us, against", all[start].Batch,
			Figure(all[start].SetUp/1e3), Figure(all[start].TearDown/1e3)), width))
		b.WriteString(layOut(names[start:end], []group{{g.title, g.heads, g.cells[start:end]}}, width))
		start = end
	}
	return b.String()
}

// ascii replaces what a mail of plain ASCII cannot hold; the names and the
// machine of a run are not ours.
func ascii(text string) string {
	return strings.Map(func(r rune) rune {
		if r > '~' || r < ' ' && r != '\n' {
			return '?'
		}
		return r
	}, text)
}
