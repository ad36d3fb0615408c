// SPDX-License-Identifier: GPL-2.0-only

package check

import (
	"fmt"
	"io"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"

	"kgen/gen/manifest"
)

// WriteTable prints a row for each patch and a column for each rung up to the
// one asked for, and below it what the rungs have to say. Colour is for a
// terminal.
func (r *Report) WriteTable(w io.Writer, colour bool) {
	t := table.NewWriter()
	t.SetOutputMirror(w)
	t.SetStyle(table.StyleLight)
	t.Style().Format.Header = text.FormatDefault

	head := table.Row{"patch"}
	for _, rung := range Rungs {
		head = append(head, string(rung))
		if rung == r.To {
			break
		}
	}
	t.AppendHeader(head)
	for _, patch := range r.Patches {
		row := table.Row{patch}
		for i := range head[1:] {
			row = append(row, r.cell(head[i+1].(string), patch, colour))
		}
		t.AppendRow(row)
	}
	t.Render()

	for _, c := range r.Checks {
		for _, res := range c.Results {
			if len(res.Messages) == 0 {
				continue
			}
			name := res.Patch
			if name == "" {
				name = "the tree without the series"
			}
			fmt.Fprintf(w, "\n%s, %s: %s\n", c.Rung, name, res.Summary)
			for _, m := range res.Messages {
				fmt.Fprintf(w, "  %s\n", m)
			}
		}
	}
}

// cell is the outcome of a rung for a patch.
func (r *Report) cell(rung, patch string, colour bool) string {
	for _, c := range r.Checks {
		for _, res := range c.Results {
			if c.Rung == rung && res.Patch == patch {
				return paint(res, colour)
			}
		}
	}
	return "not run"
}

func paint(res manifest.Result, colour bool) string {
	switch {
	case !colour || res.Summary == notReached:
		return res.Summary
	case res.OK:
		return text.FgGreen.Sprint(res.Summary)
	default:
		return text.FgRed.Sprint(res.Summary)
	}
}
