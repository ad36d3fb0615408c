// SPDX-License-Identifier: GPL-2.0-only

package page

import (
	"fmt"
	"strings"

	"kgen/gen/report"
)

// Markdown makes the text of docs/results.md.
func Markdown(runs ...*report.Summary) ([]byte, error) {
	v, err := newView(runs)
	if err != nil {
		return nil, err
	}
	var b strings.Builder
	line := func(format string, args ...any) {
		for i, arg := range args {
			if text, ok := arg.(string); ok {
				args[i] = plain.Replace(text)
			}
		}
		fmt.Fprintf(&b, format+"\n", args...)
	}
	para := func(format string, args ...any) { line(format+"\n", args...) }

	para("# Results")
	para("Made by `kgen report --format md`; do not edit.")
	para("**%s**", v.Userspace)
	for _, text := range v.Lead {
		line("- %s", text)
	}
	b.WriteByte('\n')
	for i, s := range runs {
		r := v.Runs[i]
		para("## %s", r.Heading)
		if r.Noisy != "" {
			para("**%s**", r.Noisy)
		}
		para("%s", r.Reading)
		writeTable(&b, "design", brief(s))
		if len(r.Space.Rows) > 0 {
			para("### Counts and costs")
			para("Counted by the model; the same in every run.")
			writeTable(&b, "design", r.Space)
		}
		if r.Differing != "" {
			para("%s", r.Differing)
		}
		if len(r.Buildings.Rows) > 0 {
			para("### What is built, and when it pays")
			para("%s", r.Building)
			writeTable(&b, "design", r.Buildings)
		}
		if len(r.BreakEvens.Rows) > 0 {
			para("### Break-even of a batch")
			para("From how many lookups on it pays to set a batch up, against each design that needs none. The teardown is without the grace period that a kernel waits for.")
			writeTable(&b, "against", r.BreakEvens)
		}
		para("### How it was measured")
		para("%s", r.Method)
		para("%s Measured %s.", r.Machine, r.When)
		b.WriteString("| column | what is timed | stock twice |\n|---|---|---|\n")
		for _, c := range r.Columns {
			fmt.Fprintf(&b, "| %s | %s | %s |\n", escape(c.Title), escape(c.Meaning), escape(c.Control))
		}
		b.WriteByte('\n')
	}
	para("## What was claimed on the list")
	para("Figures from threads on the mailing lists, in our words, beside what the first run of the design says about the same thing; what is about modules, beside the first run in a module.")
	for _, t := range v.Threads {
		para("### Thread %s: %s", t.Number, t.Subject)
		b.WriteString("| claim | stated | here | why they differ |\n|---|---|---|---|\n")
		for _, c := range t.Claims {
			stated := c.Stated
			if c.Where != "" {
				stated += " (" + c.Where + ")"
			}
			fmt.Fprintf(&b, "| %s | %s | %s | %s |\n", escape(c.Who+": "+c.Says), escape(stated), escape(claimAnswers(c)), escape(c.Why))
		}
		b.WriteByte('\n')
	}
	return []byte(strings.TrimRight(b.String(), "\n") + "\n"), nil
}

// brief is the table of times without intervals, which would make a page of
// Markdown too wide: the wider side of each stands behind its time.
func brief(s *report.Summary) table {
	t := table{Heads: byteHeads(s)}
	for _, c := range s.Columns {
		t.Heads = append(t.Heads, head{c.Title + ", " + s.Unit(c.Name).Name, ""}, head{"x", ""})
	}
	for i := range s.Rows {
		r := &s.Rows[i]
		row := tableRow{Name: r.Name, Front: r.Front[s.Main().Name], Cells: byteCells(s, r)}
		for _, c := range s.Columns {
			own, ok := r.Cells[c.Name]
			if !ok {
				row.Cells = append(row.Cells, cell{"-", ""}, cell{"", ""})
				continue
			}
			row.Cells = append(row.Cells, cell{s.Unit(c.Name).Write(own.Median) + " +-" + own.Spread(), ""},
				cell{r.Times(c.Name), ""})
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

// writeTable writes a table whose numbers are set right. Groups of columns,
// which Markdown has none of, are left out.
func writeTable(b *strings.Builder, first string, t table) {
	fmt.Fprintf(b, "| %s |", first)
	for _, h := range t.Heads {
		fmt.Fprintf(b, " %s |", escape(h.Text))
	}
	b.WriteString("\n|---|")
	for _, h := range t.Heads {
		if h.Class == "text" {
			b.WriteString("---|")
		} else {
			b.WriteString("--:|")
		}
	}
	b.WriteByte('\n')
	for _, r := range t.Rows {
		name := escape(r.Name)
		if r.Front {
			name = "**\\* " + name + "**"
		}
		fmt.Fprintf(b, "| %s |", name)
		for _, c := range r.Cells {
			fmt.Fprintf(b, " %s |", escape(c.Text))
		}
		b.WriteByte('\n')
	}
	b.WriteByte('\n')
}

// plain keeps names in a paragraph from making elements, links, images or code.
var plain = strings.NewReplacer("<", "&lt;", "[", "\\[", "`", "\\`")

// escape keeps a cell's text from being taken for markup.
func escape(text string) string {
	return plain.Replace(strings.NewReplacer("|", "\\|", "*", "\\*", "~", "\\~", "\n", " ").Replace(text))
}
