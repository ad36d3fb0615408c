// SPDX-License-Identifier: GPL-2.0-only

package report

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"kgen/gen/bench/result"
)

// What a figure of a run can be. Times are in ns: from the thousandth of one, of
// which the clock knows nothing, to eleven days. Within these, ratios of two and
// products with what is counted keep to 64 bits, and all that a report divides by
// is above 0.
const (
	leastTime = 1e-3
	most      = 1e15
	mostShift = 16 // a marker for 65,536 symbols
	mostTitle = 12 // characters, as result.Column has it
)

// building are the columns of a run in a module that Buildings compares.
var building = []string{"load", "enable", "lock"}

// Check refuses a run whose figures would be wrong, cannot be compared or can be
// those of no machine, so that whoever prints a run need not look again. The error
// matches ErrRun.
func Check(run *result.Run) error {
	if run.Format != format {
		return fmt.Errorf("%w: layout %d, this kgen reads layout %d", ErrRun, run.Format, format)
	}
	c := checker{}
	c.columns(run)
	c.stock(run)
	c.count("symbols", int64(run.Symbols), 1)
	c.count("stream", int64(run.Stream), 0)
	c.count("verified", run.Verified, 0)
	if m := run.Module; m != nil {
		c.texts("module", m.Name)
		c.count("records of the module", int64(m.Records), 0)
		c.count("valid records of the module", int64(m.Valid), 0)
	}
	c.count("cores", int64(run.Machine.Cores), 0)
	c.figure("load of the machine", run.Machine.Load, 0)
	m := run.Machine
	c.texts("machine", append([]string{m.CPU, m.HugePages, m.OS}, m.Notes...)...)
	c.texts("kgen, tree, map, compiler and its flags", append([]string{run.Kgen, run.Tree, run.Map, run.Compiler}, run.Flags...)...)
	for i := range run.Variants {
		c.variant(run, &run.Variants[i])
	}
	for _, n := range run.Noise {
		c.figure("the control's ratio in "+n.Column, n.Ratio, 0)
		c.figure("the control's p in "+n.Column, n.P, 0)
	}
	return c.err
}

// checker remembers the first thing that is wrong.
type checker struct{ err error }

func (c *checker) wrong(text string, args ...any) {
	if c.err == nil {
		c.err = fmt.Errorf("%w: "+text, append([]any{ErrRun}, args...)...)
	}
}

func (c *checker) count(what string, n, least int64) {
	if n < least || n > most {
		c.wrong("%s: %d, expected %d to %.0e", what, n, least, most)
	}
}

// texts are of one line, and cannot steer a terminal.
func (c *checker) texts(what string, list ...string) {
	for _, text := range list {
		if strings.ContainsFunc(text, unicode.IsControl) {
			c.wrong("%s: %q, expected text without control characters", what, text)
		}
	}
}

func (c *checker) figure(what string, v, least float64) {
	if !(v >= least && v <= most) { // neither holds of what is not a number
		c.wrong("%s: %v, expected %v to %v", what, v, least, most)
	}
}

func (c *checker) figures(what string, samples []float64, least float64) {
	for i, v := range samples {
		c.figure(fmt.Sprintf("%s, round %d", what, i+1), v, least)
	}
}

func (c *checker) columns(run *result.Run) {
	if len(run.Columns) == 0 {
		c.wrong("no column was measured")
	}
	seen := make(map[string]bool)
	for _, col := range run.Columns {
		if n := utf8.RuneCountInString(col.Title); col.Name == "" || n == 0 || n > mostTitle {
			c.wrong("a column %q with the title %q, expected a name, and a title of 1 to %d characters", col.Name, col.Title, mostTitle)
		}
		c.texts("column", col.Name, col.Title, col.Meaning, col.Unit)
		if seen[col.Name] {
			c.wrong("two columns are called %q", col.Name)
		}
		seen[col.Name] = true
	}
}

// stock wants one variant to compare with, and something to compare.
func (c *checker) stock(run *result.Run) {
	var stock []*result.Variant
	seen := make(map[string]bool)
	for i := range run.Variants {
		v := &run.Variants[i]
		if v.Name == "" {
			c.wrong("variant %d has no name", i+1)
		}
		if seen[v.Name] {
			c.wrong("two variants are called %q", v.Name)
		}
		seen[v.Name] = true
		if isStock(v) {
			stock = append(stock, v)
		}
	}
	if len(stock) != 1 {
		c.wrong("%d variants are the stock code, expected 1 to compare with", len(stock))
		return
	}
	if !slices.ContainsFunc(run.Columns, func(col result.Column) bool { return len(stock[0].Samples[col.Name]) > 0 }) {
		c.wrong("%s, the stock code, has no sample in any column", stock[0].Name)
	}
}

func (c *checker) variant(run *result.Run, v *result.Variant) {
	for _, name := range slices.Sorted(maps.Keys(v.Samples)) {
		c.figures(v.Name+", column "+name, v.Samples[name], leastTime)
	}
	for _, name := range slices.Sorted(maps.Keys(v.Instructions)) {
		c.figures(v.Name+", instructions of "+name, v.Instructions[name], 0)
	}
	for _, name := range building {
		if run.Module != nil && run.Module.Records > 0 && len(v.Samples[name]) == 0 {
			c.wrong("%s: no sample in column %s, which every variant in a module has", v.Name, name)
		}
	}
	c.texts("variant", append([]string{v.Name, v.Series}, v.Mechanisms...)...)
	c.texts("parameters and tables of "+v.Name, slices.Concat(slices.Collect(maps.Keys(v.Params)), slices.Collect(maps.Keys(v.Tables)))...)
	c.figures(v.Name+", setup", v.SetUp, 0)
	c.figures(v.Name+", teardown", v.TearDown, 0)
	c.figures(v.Name+", hosttool", v.HostTool, 0)
	// What is more than stock's may be less.
	c.count(v.Name+", rodata", v.Rodata, -most)
	c.count(v.Name+", ram", v.RAM, -most)
	c.count(v.Name+", peak", v.Peak, -most)
	c.count(v.Name+", text", v.Text, -most)
	c.count(v.Name+", asked", v.Asked, 0)
	c.count(v.Name+", differ", v.Differ, 0)
	c.count(v.Name+", verdicts", v.Verdicts, 0)
	for _, name := range slices.Sorted(maps.Keys(v.Tables)) {
		c.count(v.Name+", table "+name, v.Tables[name], 0)
	}
	for _, name := range slices.Sorted(maps.Keys(v.Counts)) {
		n := v.Counts[name]
		for i, f := range []float64{n.Probes, n.Hops, n.Bytes, n.Tokens, n.Lines, n.Decodes} {
			c.figure(v.Name+", "+[]string{"probes", "hops", "bytes", "tokens", "lines", "decodes"}[i]+" of "+name, f, 0)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(v.Params)) {
		if n := v.Params[name]; n < 0 || name == "shift" && n > mostShift {
			c.wrong("%s, parameter %s: %d, expected 0 or more, and of shift at most %d", v.Name, name, n, mostShift)
		}
	}
}
