// SPDX-License-Identifier: GPL-2.0-only

package modbench

import (
	"errors"
	"os"
	"slices"
	"strings"
	"testing"

	"kgen/gen/bench"
	"kgen/gen/modharness"
	"kgen/gen/realmap"
	"kgen/gen/realmap/realmaptest"
	"kgen/gen/report"
	"kgen/gen/tree"
	"kgen/gen/tree/treetest"
	"kgen/model"
)

func openTree(t *testing.T, name string) *tree.Tree {
	t.Helper()
	tr, err := tree.Open(treetest.Dir(t, name))
	if err != nil {
		t.Fatal(err)
	}
	return tr
}

// options measure a real module in as few rounds as there may be.
func options(t *testing.T, tr *tree.Tree, module string, designs ...Design) Options {
	t.Helper()
	i := slices.IndexFunc(realmap.Modules, func(f realmap.File) bool { return f.Name() == module })
	file := realmaptest.Path(t, realmap.Modules[i])
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	o, err := model.ReadModule(f)
	if err != nil {
		t.Fatal(err)
	}
	return Options{Base: tr, Version: tr.Version, Designs: designs, File: module + ".ko", Object: o, Rounds: 2, Progress: func(string) {}}
}

// TestSweep measures every design on both dialects, and looks at what must be
// there whatever the machine.
func TestSweep(t *testing.T) {
	for _, version := range []string{"7.3", "6.12"} {
		t.Run(version, func(t *testing.T) {
			tr := openTree(t, version)
			designs, err := Sweep(tr)
			if err != nil {
				t.Fatal(err)
			}
			run, err := Run(t.Context(), options(t, tr, "dm-mod", designs...))
			if err != nil {
				t.Fatal(err)
			}
			if err := report.Check(run); err != nil {
				t.Fatal(err)
			}
			var names []string
			for _, v := range run.Variants {
				names = append(names, v.Name)
				for _, c := range run.Columns {
					if len(v.Samples[c.Name]) < 2 || slices.Min(v.Samples[c.Name]) <= 0 {
						t.Errorf("%s: %s: samples %v", v.Name, c.Name, v.Samples[c.Name])
					}
				}
				if (v.Differ > 0) != (v.Name == "module-sort") {
					t.Errorf("%s: %d of %d answers differ; only module-sort's do", v.Name, v.Differ, v.Asked)
				}
				// Only an index stays; what sorts takes memory for a while.
				kept, peak := v.Name == "module-index", v.Name == "module-index" || v.Name == "module-sort" || strings.HasPrefix(v.Name, "ftrace-")
				if (v.RAM > 0) != kept || (v.Peak > 0) != peak || v.Peak < v.RAM {
					t.Errorf("%s: %d bytes kept, %d at most", v.Name, v.RAM, v.Peak)
				}
			}
			want := []string{"stock", "stock again", "module-scan", "module-index", "module-sort", "ftrace-module:review=1", "ftrace-module", "ftrace-bitmap"}
			if !slices.Equal(names, want) || !run.Variants[1].Control || len(run.Columns) != len(columns) {
				t.Errorf("variants %v in %d columns, expected %v in %d", names, len(run.Columns), want, len(columns))
			}
			if m := run.Module; m.Name != "dm_mod" || m.Records == 0 || m.Valid == 0 || m.Valid > m.Records || run.Symbols < m.Records {
				t.Errorf("%+v of %d symbols", m, run.Symbols)
			}
		})
	}
}

// TestNothingToTrace measures a module without records and without init: columns
// of what there is none of are left out.
func TestNothingToTrace(t *testing.T) {
	tr := openTree(t, "7.3")
	d, err := FromList(tr, "module-index")
	if err != nil {
		t.Fatal(err)
	}
	run, err := Run(t.Context(), options(t, tr, "nls_ucs2_utils", d))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range run.Columns {
		if c.Name == modharness.TimeLookup {
			t.Error("lookups of records are timed, of which there are none")
		}
	}
	if text := report.Summarize(run).Text(report.MailWidth); strings.Contains(text, "NaN") || strings.Contains(text, "Inf") {
		t.Error(text)
	}
}

// TestFromListRefuses says what cannot be measured in a module.
func TestFromListRefuses(t *testing.T) {
	tr := openTree(t, "7.3")
	for _, list := range []string{"density=4", "nothing", "module-index,module-sort", "perf-test"} {
		if _, err := FromList(tr, list); !errors.Is(err, bench.ErrSeries) {
			t.Errorf("%s: %v, expected ErrSeries", list, err)
		}
	}
}

// TestRunRefuses does not time a design that answers otherwise and does not say
// so.
func TestRunRefuses(t *testing.T) {
	tr := openTree(t, "7.3")
	d, err := FromList(tr, "module-sort")
	if err != nil {
		t.Fatal(err)
	}
	d.Changes = false
	_, err = Run(t.Context(), options(t, tr, "dm-mod", d))
	if !errors.Is(err, modharness.ErrDiffers) || !strings.Contains(err.Error(), "module-sort: ") {
		t.Errorf("%v, expected ErrDiffers", err)
	}
}
