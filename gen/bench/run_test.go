// SPDX-License-Identifier: GPL-2.0-only

package bench

import (
	"bytes"
	"errors"
	"slices"
	"strings"
	"testing"

	"golang.org/x/perf/benchfmt"

	"kgen/gen/bench/result"
	"kgen/gen/harness"
	"kgen/gen/tree"
	"kgen/gen/tree/treetest"
)

func openTree(t *testing.T, name string) *tree.Tree {
	t.Helper()
	tr, err := tree.Open(treetest.Dir(t, name))
	if err != nil {
		t.Fatal(err)
	}
	return tr
}

// options measure a small table in as few rounds as there may be.
func options(t *testing.T, tr *tree.Tree, designs ...Design) Options {
	t.Helper()
	return sized(t, 3000, tr, designs...)
}

func sized(t *testing.T, n int, tr *tree.Tree, designs ...Design) Options {
	t.Helper()
	symbols, _ := Resize(realSymbols(t), n)
	return Options{
		Base: tr, Version: tr.Version, Designs: designs, Map: "a test", Symbols: symbols,
		Rounds: 6, ToolRuns: 1, Progress: func(string) {},
	}
}

// TestRun measures one design of each kind on both dialects, and looks at what must
// be there whatever the machine: every column of every variant, exact sizes, and
// answers that were held against the specification.
func TestRun(t *testing.T) {
	for _, tc := range []struct {
		tree    string
		symbols int
		series  []string
	}{
		{"7.3", 3000, []string{"batch", "hash-order,shift=5"}},
		{"6.12", 12000, []string{"batch", "hash-order,shift=5", "ftrace-single"}}, // so many that a walk is long
	} {
		t.Run(tc.tree, func(t *testing.T) {
			tr := openTree(t, tc.tree)
			var designs []Design
			for _, text := range tc.series {
				d, err := FromSeries(tr, text)
				if err != nil {
					t.Fatal(err)
				}
				designs = append(designs, d)
			}
			run, err := Run(t.Context(), sized(t, tc.symbols, tr, designs...))
			if err != nil {
				t.Fatal(err)
			}
			for _, v := range run.Variants {
				for _, c := range run.Columns {
					if len(v.Samples[c.Name]) < 2 || Median(v.Samples[c.Name]) <= 0 {
						t.Errorf("%s: %s: samples %v", v.Name, c.Name, v.Samples[c.Name])
					}
				}
				if v.Counts["hit"].Lines == 0 {
					t.Errorf("%s: nothing is counted", v.Name)
				}
			}
			again, batch, hash := run.Variants[1], run.Variants[2], run.Variants[3]
			if !again.Control || again.Rodata != 0 || again.Text != 0 {
				t.Errorf("the control differs from stock: %+v", again)
			}
			if n := int64(run.Symbols); batch.RAM < 4*n || batch.RAM > 4*n+256 || batch.Rodata != 0 || len(batch.SetUp) != 6 {
				t.Errorf("batch: %d bytes of RAM, %d of .rodata, set up %v, of %d symbols", batch.RAM, batch.Rodata, batch.SetUp, n)
			}
			if hash.RAM != 0 || hash.Rodata != hash.Tables["kallsyms_submarkers"]+hash.Tables["kallsyms_bucket_starts"]+
				hash.Tables["kallsyms_bucket_bases"]+hash.Tables["kallsyms_crowded_starts"] {
				t.Errorf("hash-order adds %d bytes; its tables are %v", hash.Rodata, hash.Tables)
			}
			if stock, hit := Median(run.Variants[0].Samples["hit"]), Median(hash.Samples["hit"]); hit > stock {
				t.Errorf("hash-order takes %.0f ns, stock %.0f", hit, stock)
			}
			if tc.tree == "6.12" {
				isSingle(t, run, &run.Variants[4])
			}
			printed(t, run)
		})
	}
}

// isSingle makes sure that a design changes one name for ftrace and nothing else.
func isSingle(t *testing.T, run *result.Run, single *result.Variant) {
	t.Helper()
	if stock, one := Median(run.Variants[0].Samples["ftrace-one"]), Median(single.Samples["ftrace-one"]); one > stock/50 {
		t.Errorf("ftrace-single takes %.0f ns, stock %.0f", one, stock)
	}
	if single.Text <= 0 || single.Rodata != 0 || single.RAM != 0 || !slices.Equal(single.Mechanisms, []string{"ftrace-single"}) {
		t.Errorf("ftrace-single: %v adds %d bytes of code, %d of .rodata and %d of RAM", single.Mechanisms, single.Text, single.Rodata, single.RAM)
	}
}

// printed looks at a run as people and programs see it.
func printed(t *testing.T, run *result.Run) {
	t.Helper()
	var table, lines bytes.Buffer
	if err := errors.Join(Table(&table, run), GoFormat(&lines, run)); err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(table.String()) {
		line = strings.TrimRight(line, " \n")
		// What the compiler and the processor are called is not the table's.
		if n := len(line); n > 80 && !strings.Contains(line, run.Machine.CPU) && !strings.Contains(line, run.Compiler) {
			t.Errorf("%d columns: %s", n, line)
		}
	}
	reader, samples := benchfmt.NewReader(&lines, "lines"), 0
	for reader.Scan() {
		if r, ok := reader.Result().(*benchfmt.Result); ok {
			samples++
			if r.GetConfig("variant") == "" {
				t.Errorf("%s: no variant", r.Name)
			}
		}
	}
	if want := 6 * len(run.Variants) * 6; reader.Err() != nil || samples < want {
		t.Errorf("%d samples in Go's format, expected at least %d: %v", samples, want, reader.Err())
	}
}

// broken is a tree with a mistake in one file.
type broken struct {
	harness.Tree
	file, right, wrong string
}

func (b broken) ReadFile(name string) ([]byte, error) {
	text, err := b.Tree.ReadFile(name)
	if name == b.file {
		text = bytes.Replace(text, []byte(b.right), []byte(b.wrong), 1)
	}
	return text, err
}

func TestRunRefusesWrongAnswers(t *testing.T) {
	for _, tc := range []struct {
		tree, series, file, right, wrong, call string
	}{
		{"7.3", "density", "kernel/kallsyms.c", "kallsyms_sym_address(get_symbol_seq(i))", "kallsyms_sym_address(get_symbol_seq(i) + 1)", "kallsyms_lookup_name"},
		{"6.12", "ftrace-single", "kernel/trace/ftrace.c", "*found = addr;", "*found = addr + 1;", `ftrace_lookup_symbols("`},
	} {
		tr := openTree(t, tc.tree)
		d, err := FromSeries(tr, tc.series)
		if err != nil {
			t.Fatal(err)
		}
		d.Name, d.Tree = "off by one", broken{d.Tree, tc.file, tc.right, tc.wrong}
		if _, err := Run(t.Context(), options(t, tr, d)); !errors.Is(err, ErrWrong) || !strings.Contains(err.Error(), "off by one answers "+tc.call) {
			t.Errorf("%s: got %v, want %v with the variant and the call", tc.series, err, ErrWrong)
		}
	}
}

func TestDesignErrors(t *testing.T) {
	tr := openTree(t, "7.3")
	for _, tc := range []struct {
		reason string
		make   func() (Design, error)
	}{
		{"no such series", func() (Design, error) { return FromSeries(tr, "nothing") }},
		{"no such parameter", func() (Design, error) { return FromSeries(tr, "density,bucket-shift=4") }},
		{"a parameter without a value", func() (Design, error) { return FromSeries(tr, "density,shift") }},
		{"a value out of range", func() (Design, error) { return FromSeries(tr, "density,shift=9") }},
		{"mechanisms that exclude each other", func() (Design, error) { return FromList(tr, "density=4,sub-markers=4") }},
		{"a series that is not measured", func() (Design, error) { return FromSeries(tr, "module-index") }},
		{"mechanisms that are not measured", func() (Design, error) { return FromList(tr, "ftrace-module,module-scan") }},
		{"no such folder", func() (Design, error) { return FromFolder(t.Context(), tr, t.TempDir()+"/none") }},
	} {
		t.Run(tc.reason, func(t *testing.T) {
			if _, err := tc.make(); !IsUsage(err) {
				t.Errorf("got %v, expected an error of usage", err)
			}
		})
	}
}

func TestSweepCanBeMade(t *testing.T) {
	for _, name := range []string{"7.3", "6.12"} {
		designs, err := Sweep(openTree(t, name))
		if err != nil {
			t.Fatal(err)
		}
		seen := map[string]bool{}
		for _, d := range designs {
			if seen[d.Choice.String()+d.Name] || d.Choice == nil {
				t.Errorf("%s is there twice, or the model does not know it", d.Name)
			}
			seen[d.Choice.String()+d.Name] = true
		}
	}
}

func TestNoise(t *testing.T) {
	column := []result.Column{{Name: "hit", Warm: true}, {Name: "cold8"}}
	stock := []float64{100, 101, 99, 100, 102, 98, 100}
	scaled := func(by float64) (out []float64) {
		for _, v := range stock {
			out = append(out, v*by)
		}
		return out
	}
	for _, tc := range []struct {
		reason     string
		by         float64
		warm, cold bool
	}{
		{"no difference", 1, true, true},
		{"4% are within either limit", 1.04, true, true},
		{"10% are within that of cold columns", 1.1, false, true},
		{"faster counts as well", 0.9, false, true},
		{"20% are beyond both", 1.2, false, false},
	} {
		t.Run(tc.reason, func(t *testing.T) {
			run := &result.Run{Columns: column, Variants: []result.Variant{
				{Samples: map[string][]float64{"hit": stock, "cold8": stock}},
				{Samples: map[string][]float64{"hit": scaled(tc.by), "cold8": scaled(tc.by)}},
			}}
			n := Noise(run)
			if n[0].Rankable != tc.warm || n[1].Rankable != tc.cold {
				t.Errorf("got %+v", n)
			}
			if significant := n[0].P < 0.05; significant != (tc.by != 1) {
				t.Errorf("p = %g", n[0].P)
			}
		})
	}
}

// A tree without the code that every run measures is told as such.
func TestRunRefusesTrees(t *testing.T) {
	tr := openTree(t, "7.3")
	o := options(t, tr)
	o.Base = broken{tr, "kernel/trace/ftrace.c", "int ftrace_lookup_symbols(", "int ftrace_find_symbols("}
	_, err := Run(t.Context(), o)
	if !errors.Is(err, tree.ErrUnsupported) || !strings.Contains(err.Error(), "defines no ftrace_lookup_symbols") {
		t.Errorf("%v, want ErrUnsupported with what is missing", err)
	}
}

// Figures of two designs under one name could be taken for each other's.
func TestRunRefusesNames(t *testing.T) {
	tr := openTree(t, "7.3")
	for _, names := range [][]string{{"stock"}, {"stock again"}, {"density", "token-match", "density"}} {
		var designs []Design
		for _, name := range names {
			designs = append(designs, Design{Name: name, Tree: tr})
		}
		if _, err := Run(t.Context(), options(t, tr, designs...)); !errors.Is(err, ErrNames) || !strings.Contains(err.Error(), "./"+names[0]) {
			t.Errorf("%s: %v, want ErrNames and what to do", names, err)
		}
	}
	if got := ListName("token-match,\n density=6"); got != "token-match,density=6" {
		t.Errorf("a list with spaces is called %q", got)
	}
}
