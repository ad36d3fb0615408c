// SPDX-License-Identifier: GPL-2.0-only

package check

import (
	"fmt"
	"io"
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"

	"kgen/gen/manifest"
	"kgen/gen/visible"
)

// WriteTable prints a row for each patch and a column for each rung up to the
// one asked for, and below it what the rungs have to say. The table is at most
// tableWidth wide: outcomes are broken between words where they must be, and
// names of patches where they are. Colour is for a terminal.
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
		row := table.Row{visible.Text(patch)}
		for i := range head[1:] {
			row = append(row, r.cell(head[i+1].(string), patch, colour))
		}
		t.AppendRow(row)
	}
	t.SetColumnConfigs(columns(r, head))
	t.Render()

	for _, c := range r.Checks {
		for _, res := range c.Results {
			if len(res.Messages) == 0 {
				continue
			}
			name := visible.Text(res.Patch)
			if name == "" {
				name = "the tree without the series"
			}
			fmt.Fprintf(w, "\n%s, %s: %s\n", c.Rung, name, res.Summary)
			for _, m := range res.Messages {
				text := "  " + visible.Lines(m)
				if c.Rung == string(Style) { // no source lines, and nothing to paste
					text = visible.Wrap(text, "      ")
				}
				fmt.Fprintln(w, text)
			}
		}
	}
}

// tableWidth is what a table takes at most, and outcomeWidth what an outcome takes
// where all of them cannot have as much as they want. Between columns, and at both
// ends, is a line with blanks.
const (
	tableWidth   = visible.Width
	outcomeWidth = 11
	roomForName  = 20 // or else outcomes are broken
)

// columns gives outcomes the room they want or, where too little is left for the
// names, outcomeWidth at most, and names the rest.
func columns(r *Report, head table.Row) []table.ColumnConfig {
	left, least := tableWidth-4, tableWidth-4
	var outcomes []int
	for _, h := range head[1:] {
		width := len(h.(string))
		for _, patch := range r.Patches {
			width = max(width, len(r.cell(h.(string), patch, false)))
		}
		outcomes = append(outcomes, width)
		left -= width + 3
		least -= min(width, outcomeWidth) + 3
	}
	if left < roomForName {
		left = least
		for i, width := range outcomes {
			outcomes[i] = min(width, outcomeWidth)
		}
	}
	configs := []table.ColumnConfig{{Number: 1, WidthMax: left, WidthMaxEnforcer: breakName}}
	for i, width := range outcomes {
		configs = append(configs, table.ColumnConfig{Number: i + 2, WidthMax: width, WidthMaxEnforcer: text.WrapSoft})
	}
	return configs
}

// breakName breaks a name behind its hyphens, into lines of a width.
func breakName(name string, width int) string {
	var lines []string
	for len(name) > width {
		at := strings.LastIndexByte(name[:width], '-') + 1
		if at == 0 {
			at = width
		}
		lines = append(lines, name[:at])
		name = name[at:]
	}
	return strings.Join(append(lines, name), "\n")
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
