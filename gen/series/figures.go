// SPDX-License-Identifier: GPL-2.0-only

package series

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"text/template"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"

	"kgen/model"
)

// figureFuncs are the functions by which the texts compute what they state.
// Each is a formula of the model: no figure stands in a text as a literal.
func figureFuncs(symbols int) template.FuncMap {
	return template.FuncMap{
		"comma":          comma,
		"kib":            kib,
		"plural":         plural,
		"item":           item,
		"areas":          areas,
		"stock":          func() int { return model.StockMarkerShift },
		"spacing":        func(shift int) int { return 1 << shift },
		"worst":          func(shift int) int { return worst(symbols, shift) },
		"mean":           func(shift int) string { return meanText(symbols, shift) },
		"markers":        func(n, shift int) int { return model.MarkerCount(n, uint(shift)) },
		"added":          func(n, shift int) int { return model.AddedMarkerBytes(n, uint(shift)) },
		"addedPerKilo":   func(shift int) int { return model.AddedMarkerBytes(1024, uint(shift)) },
		"subMarkers":     func(n, shift int) int { return model.SubMarkerCount(n, uint(shift)) },
		"subMarkerBytes": func(n, shift int) int { return model.SubMarkerBytes(n, uint(shift)) },
		"staticAdded":    func(n int) int { return model.StaticIndexBytes(n) - model.MarkerBytes(n, model.StockMarkerShift) },
		"batchBytes":     model.BatchIndexBytes,
		"bucketBytes":    func(n, shift, bits int) int { return model.BucketStartBytes(n, uint(shift), uint(bits)) },
		// Per 1024 symbols of a large table: a small one has an entry more.
		"bucketPerKilo": func(shift, bits int) int { return model.BucketStartBytes(1<<20, uint(shift), uint(bits)) >> 10 },
		"probes":        model.MaxProbes,
		"hops":          hops,
		"densityTable":  func() string { return densityTable(symbols) },
	}
}

// worst is the longest walk to a symbol, in a table of n if n is not 0: one that
// is smaller than a block of the markers has no longer walk than itself.
func worst(n, shift int) int {
	if n > 0 {
		return min(model.WorstHops(uint(shift)), n-1)
	}
	return model.WorstHops(uint(shift))
}

// meanHops is the mean walk, in such a table.
func meanHops(n, shift int) float64 {
	if n > 0 && n < 1<<shift {
		return float64(n-1) / 2
	}
	return model.MeanHops(uint(shift))
}

// hops is how many records a search of the most probes walks past when each
// walk is of mean length.
func hops(n, shift int) int {
	return int(math.Round(float64(model.MaxProbes(n)) * meanHops(n, shift)))
}

func meanText(n, shift int) string {
	return strconv.FormatFloat(meanHops(n, shift), 'f', -1, 64)
}

// densityTable sets every marker density side by side, for a table of n
// symbols, or per 1024 symbols and per walk where n is 0. It is indented, so
// that it survives as it is in a text.
func densityTable(n int) string {
	w := table.NewWriter()
	if n > 0 {
		w.AppendHeader(table.Row{"density", "entries", "added KiB", "most hops\na walk", "mean hops\na search"})
	} else {
		w.AppendHeader(table.Row{"density", "entries", "added bytes", "most hops\na walk", "mean hops\na walk"})
	}
	for shift := model.StockMarkerShift; shift >= 0; shift-- {
		s := uint(shift)
		row := table.Row{fmt.Sprintf("%d:1", 1<<s)}
		if n > 0 {
			row = append(row, comma(model.MarkerCount(n, s)), kib(model.AddedMarkerBytes(n, s)),
				worst(n, shift), comma(hops(n, shift)))
		} else {
			row = append(row, model.MarkerCount(1024, s), model.AddedMarkerBytes(1024, s),
				worst(n, shift), meanText(n, shift))
		}
		w.AppendRow(row)
	}
	style := table.Style{Box: table.BoxStyle{PaddingLeft: "", PaddingRight: "  ", MiddleHorizontal: "-"}}
	style.Format.Header = text.FormatDefault
	style.Options.SeparateHeader = false
	w.SetStyle(style)
	var columns []table.ColumnConfig
	for i := 1; i <= 5; i++ {
		columns = append(columns, table.ColumnConfig{Number: i, Align: text.AlignRight, AlignHeader: text.AlignRight})
	}
	w.SetColumnConfigs(columns)
	lines := strings.Split(w.Render(), "\n")
	for i := range lines {
		lines[i] = "  " + strings.TrimRight(lines[i], " ")
	}
	return strings.Join(lines, "\n") + "\n"
}
