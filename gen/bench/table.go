// SPDX-License-Identifier: GPL-2.0-only

package bench

import (
	"encoding/json"
	"fmt"
	"io"
	"math"
	"strings"

	"golang.org/x/perf/benchfmt"

	"kgen/gen/bench/result"
)

// tableColumns are those that fit a terminal. The others are in the JSON.
var tableColumns = []struct{ name, head string }{
	{"hit", "hit"}, {"miss", "miss"}, {"address", "addr"}, {"walk", "walk"},
	{"duplicates", "dups"}, {"ftrace-one", "trace"}, {"cold8", "cold"}, {"p99", "p99"},
}

// nameWidth is the width of a variant's name in a table; a longer one has a line of
// its own.
const nameWidth = 17

// Table prints the medians of stock, and for every variant the bytes it adds and
// how many times faster than stock it is, at most 80 columns wide.
func Table(w io.Writer, run *result.Run) error {
	var b strings.Builder
	fmt.Fprintf(&b, "Linux %s, %d symbols, in userspace: %s\n", run.Tree, run.Symbols, run.Machine.CPU)
	fmt.Fprintf(&b, "%s; CPU %d of %d; %s\n", run.Compiler, run.Machine.Pinned, run.Machine.Cores, run.Machine.HugePages)
	fmt.Fprintf(&b, "%d answers verified. Stock in ns, others in times faster; bytes of .rodata.\n\n", run.Verified)
	fmt.Fprintf(&b, "%-*s%7s", nameWidth, "", "bytes")
	for _, c := range tableColumns {
		fmt.Fprintf(&b, " %5s%s", c.head, mark(run, c.name))
	}
	b.WriteByte('\n')
	stock := &run.Variants[0]
	for i := range run.Variants {
		v := &run.Variants[i]
		if len(v.Name) >= nameWidth {
			fmt.Fprintf(&b, "%s\n%*s", v.Name, nameWidth, "")
		} else {
			fmt.Fprintf(&b, "%-*s", nameWidth, v.Name)
		}
		fmt.Fprintf(&b, "%7d", v.Rodata)
		for _, c := range tableColumns {
			value := Median(v.Samples[c.name])
			if i > 0 {
				value = Median(stock.Samples[c.name]) / value
			}
			fmt.Fprintf(&b, " %s ", short(value))
		}
		b.WriteByte('\n')
	}
	footnotes(&b, run)
	_, err := io.WriteString(w, b.String())
	return err
}

// mark says that a column ranks nothing.
func mark(run *result.Run, column string) string {
	for _, n := range run.Noise {
		if n.Column == column && !n.Rankable {
			return "*"
		}
	}
	return " "
}

func title(run *result.Run, column string) string {
	for _, c := range run.Columns {
		if c.Name == column {
			return c.Title
		}
	}
	return column
}

// short prints a number in five characters.
func short(v float64) string {
	switch {
	case math.IsNaN(v):
		return "    -"
	case v >= 1e6:
		return fmt.Sprintf("%4.1fM", v/1e6)
	case v >= 99999.5:
		return fmt.Sprintf("%4.0fk", v/1e3)
	case v >= 1000:
		return fmt.Sprintf("%5.0f", v)
	case v >= 99.95:
		return fmt.Sprintf("%5.0f", v)
	case v >= 9.995:
		return fmt.Sprintf("%5.1f", v)
	}
	return fmt.Sprintf("%5.2f", v)
}

func footnotes(b *strings.Builder, run *result.Run) {
	b.WriteByte('\n')
	noisy := false
	for _, n := range run.Noise {
		if !n.Rankable {
			noisy = true
			fmt.Fprintf(b, "* %s: stock differs from itself by %.0f%%; the column ranks nothing\n", title(run, n.Column), 100*math.Abs(n.Ratio-1))
		}
	}
	if noisy {
		b.WriteString("  The machine was too noisy: run again when it has less to do.\n")
	}
	for i := range run.Variants {
		v := &run.Variants[i]
		if len(v.SetUp) == 0 {
			continue
		}
		fmt.Fprintf(b, "%s: %d bytes of memory while a batch is open, set up in %.0f us\n", v.Name, v.RAM, Median(v.SetUp)/1e3)
	}
	for _, n := range run.Machine.Notes {
		fmt.Fprintf(b, "%s\n", n)
	}
}

// GoFormat prints every sample as a line of the Go benchmark format, as benchstat
// reads it: benchstat -col variant -row .fullname shows variants side by side.
func GoFormat(w io.Writer, run *result.Run) error {
	out := benchfmt.NewWriter(w)
	for i := range run.Variants {
		v := &run.Variants[i]
		for _, c := range run.Columns {
			for _, value := range v.Samples[c.Name] {
				r := &benchfmt.Result{
					Config: []benchfmt.Config{
						{Key: "tree", Value: []byte(run.Tree), File: true},
						{Key: "cpu", Value: []byte(run.Machine.CPU), File: true},
						{Key: "variant", Value: []byte(v.Name), File: true},
					},
					Name: benchfmt.Name("Lookup/column=" + c.Name), Iters: 1,
					Values: []benchfmt.Value{{Value: value, Unit: "ns/op"}},
				}
				if err := out.Write(r); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// Write writes a run as JSON.
func Write(w io.Writer, run *result.Run) error {
	enc := json.NewEncoder(w)
	enc.SetIndent("", " ")
	return enc.Encode(run)
}
