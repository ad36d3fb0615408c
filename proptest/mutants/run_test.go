// SPDX-License-Identifier: GPL-2.0-only

//go:build mutants

package mutants

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"kgen/gen/harness"
	"kgen/gen/realmap"
	"kgen/gen/realmap/realmaptest"
	"kgen/gen/series"
	"kgen/gen/tree"
	"kgen/gen/tree/treetest"
	"kgen/model"
	"kgen/templates"
)

// smallMaps is how many generated tables each fault is tried on.
const smallMaps = 100

// outcome is what became of a fault.
type outcome struct {
	group, reason string
	check         string // empty: nothing found it
	found         string // in the check's words
}

var outcomes struct {
	sync.Mutex
	all []outcome
}

func record(o outcome) {
	outcomes.Lock()
	defer outcomes.Unlock()
	outcomes.all = append(outcomes.all, o)
}

// faulty is a kernel tree with a series in and a fault on top.
type faulty struct {
	base  *tree.Tree
	files map[string][]byte
}

func (f faulty) ReadFile(name string) ([]byte, error) {
	if data, ok := f.files[name]; ok {
		return data, nil
	}
	return f.base.ReadFile(name)
}

// edited applies a composition to the tree of Linux 7.3.
func edited(t *testing.T, compose string) faulty {
	t.Helper()
	s, values, err := series.Compose(templates.FS, compose)
	if err != nil {
		t.Fatal(err)
	}
	base, err := tree.Open(treetest.Dir(t, "7.3"))
	if err != nil {
		t.Fatal(err)
	}
	files, err := series.Edited(series.Options{Series: s, Values: values, Tree: base, Templates: templates.FS, Warn: func(string) {}})
	if err != nil {
		t.Fatal(err)
	}
	return faulty{base, files}
}

// agree compares a tree with the specification: in the first variant, where
// nearly all faults show, and unless only that is wanted, in all of them and on
// a whole kernel.
func agree(t *testing.T, f faulty, firstOnly bool) (*harness.Report, error) {
	t.Helper()
	w, err := harness.Prepare(t.TempDir(), harness.Source{Patched: f, Base: f.base})
	if err != nil {
		t.Fatal(err)
	}
	o := harness.Options{Seed: 1, SmallMaps: smallMaps, ReplayDir: t.TempDir(), Timeout: 3 * time.Second, Brief: true}
	o.Variants = w.Variants()[:1]
	rep, err := w.Agree(t.Context(), o)
	if err != nil || len(rep.Findings) > 0 || firstOnly {
		return rep, err
	}
	o.Variants = nil
	o.RealMap = wholeKernel(t)
	return w.Agree(t.Context(), o)
}

// wholeKernel is the fetched System.map.
func wholeKernel(t *testing.T) []model.Symbol {
	t.Helper()
	f, err := os.Open(realmaptest.Path(t, realmap.SystemMap))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	m, err := model.ReadText(f)
	if err != nil {
		t.Fatal(err)
	}
	return m.Symbols
}

// TestC: every fault in the C of a series is found by comparing it with the
// specification, and the code without the fault is not.
func TestC(t *testing.T) {
	sound := make(map[string]bool)
	for _, group := range slices.Sorted(maps.Keys(cFaults)) {
		for _, fault := range cFaults[group] {
			if !sound[fault.series] {
				sound[fault.series] = true
				t.Run("sound/"+fault.series, func(t *testing.T) {
					rep, err := agree(t, edited(t, fault.series), true)
					if err != nil {
						t.Fatal(err)
					}
					for _, f := range rep.Findings {
						t.Errorf("found without a fault: %v", f)
					}
				})
			}
			t.Run(group+"/"+fault.reason, func(t *testing.T) {
				f := edited(t, fault.series)
				text, err := f.ReadFile(fault.file)
				if err != nil {
					t.Fatal(err)
				}
				if n := strings.Count(string(text), fault.old); n != 1 {
					t.Fatalf("%s has %q %d times, expected once", fault.file, fault.old, n)
				}
				f.files = maps.Clone(f.files)
				f.files[fault.file] = []byte(strings.Replace(string(text), fault.old, fault.new, 1))

				rep, err := agree(t, f, false)
				o := outcome{group: group, reason: fault.reason}
				switch {
				case errors.Is(err, harness.ErrCompile):
					t.Fatalf("the fault does not compile, which finds nothing: %v", err)
				case err != nil:
					t.Fatal(err)
				case len(rep.Findings) > 0:
					o.check, o.found = "agree", string(rep.Findings[0].Kind)
				default:
					t.Errorf("not found: %s", rep.Summary())
				}
				record(o)
			})
		}
	}
}

// TestMain writes docs/mutants.md after the tests, which make mutants asks for.
func TestMain(m *testing.M) {
	code := m.Run()
	if to := os.Getenv("MUTANTS_TABLE"); to != "" {
		if err := writeTable(to); err != nil {
			fmt.Fprintln(os.Stderr, err)
			code = 1
		}
	}
	os.Exit(code)
}

func writeTable(to string) error {
	var b strings.Builder
	b.WriteString("# Seeded faults and what finds them\n\nWritten by `make mutants`. Each fault is seeded in the C that a series leaves in the\ntree of Linux 7.3, or in the Go model; the check is run on the faulty code. A fault\nthat nothing finds fails the run.\n\n")
	slices.SortFunc(outcomes.all, func(a, b outcome) int {
		return cmp.Or(cmp.Compare(a.group, b.group), cmp.Compare(a.reason, b.reason))
	})
	fmt.Fprintf(&b, "%d faults.\n\n| code | fault | check | as |\n|---|---|---|---|\n", len(outcomes.all))
	for _, o := range outcomes.all {
		fmt.Fprintf(&b, "| %s | %s | %s | %s |\n", o.group, o.reason, cmp.Or(o.check, "**none**"), o.found)
	}
	tmp := to + ".tmp"
	if err := os.WriteFile(tmp, []byte(b.String()), 0o644); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	abs, err := filepath.Abs(to)
	if err != nil {
		return err
	}
	return os.Rename(tmp, abs)
}
