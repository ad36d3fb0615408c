// SPDX-License-Identifier: GPL-2.0-only

package gomodel

import (
	"fmt"
	"strings"
)

// usualSymbols is the number of symbols of a distribution's kernel, for which
// the texts of series state their figures.
const usualSymbols = 184000

// size adds up what the tables that depend on the design take for n symbols.
// Where that is not fixed by n, ok is false.
func (d *design) size(n int) (bytes int, ok bool) {
	for _, p := range d.parts() {
		for _, s := range p.sizes {
			if s.figure == nil {
				return 0, false
			}
			bytes += s.figure(n)
		}
	}
	return bytes, true
}

// sizeFunctions tell the size of the tables.
func (d *design) sizeFunctions() []function {
	var is, hasToBe []string
	for _, p := range d.parts() {
		for _, s := range p.sizes {
			is = append(is, s.is)
			hasToBe = append(hasToBe, s.hasToBe)
		}
	}
	all := []function{method("Bytes", "", "int",
		"Bytes is the size of the tables in the image that depend on the design.",
		"return "+strings.Join(is, " + "))}
	if _, fixed := d.size(0); fixed {
		all = append(all, function{name: "TableBytes", params: "n int", results: "int",
			doc:  "TableBytes is what Bytes has to be for n symbols, whatever they are.",
			body: "return " + strings.Join(hasToBe, " + ")})
	}
	return all
}

var checkSize = property("the tables take the bytes that their number of symbols says", "checkSize",
	"checkSize holds the size of the tables against TableBytes, which texts compute with.", `
if got, want := t.Bytes(), TableBytes(len(symbols)); got != want {
	return fmt.Sprintf("the tables of %d symbols have %d bytes, expected %d", len(symbols), got, want)
}
return ""`)

// figures is a test of the size that the series' texts state.
func (d *design) figures() []function {
	bytes, fixed := d.size(usualSymbols)
	if !fixed {
		return nil
	}
	stock := &design{locator: markers(8), order: nameOrder()}
	before, _ := stock.size(usualSymbols)
	return []function{{name: "TestFigures", params: "tt *testing.T",
		doc: "TestFigures: the bytes of a usual kernel's tables, and what the series adds to the stock ones, as its texts have them.",
		body: fmt.Sprintf(`
const stock, added = %d, %d
if got := TableBytes(%d) - stock; got != added {
	tt.Errorf("%d symbols take %%d bytes more than stock, expected %%d", got, added)
}`, before, bytes-before, usualSymbols, usualSymbols)}}
}
