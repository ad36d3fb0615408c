// SPDX-License-Identifier: GPL-2.0-only

package modharness

import (
	"os"
	"slices"
	"strings"
	"testing"

	"kgen/gen/harness"
	"kgen/gen/realmap"
	"kgen/gen/realmap/realmaptest"
	"kgen/gen/series"
	"kgen/gen/tree"
	"kgen/gen/tree/treetest"
	"kgen/model"
	"kgen/templates"
)

// patched is a kernel tree with a series in it, all in memory.
type patched struct {
	base  *tree.Tree
	files map[string][]byte
}

func (p patched) ReadFile(name string) ([]byte, error) {
	if data, ok := p.files[name]; ok {
		return data, nil
	}
	return p.base.ReadFile(name)
}

// source is a composition on the tree of a version, or the tree as it is.
func source(t testing.TB, version, compose string) harness.Source {
	t.Helper()
	base, err := tree.Open(treetest.Dir(t, version))
	if err != nil {
		t.Fatal(err)
	}
	if compose == "" {
		return harness.Source{Patched: base, Base: base}
	}
	s, values, err := series.Compose(templates.FS, compose)
	if err != nil {
		t.Fatal(err)
	}
	files, err := series.Edited(series.Options{Series: s, Values: values, Tree: base, Templates: templates.FS, AcceptSemanticChange: true, Warn: func(string) {}})
	if err != nil {
		t.Fatal(err)
	}
	return harness.Source{Patched: patched{base, files}, Base: base}
}

// modules are the fetched ones, each of a kernel that is not the tree's.
func modules(t testing.TB, files ...realmap.File) []*model.Object {
	t.Helper()
	var all []*model.Object
	for _, file := range files {
		f, err := os.Open(realmaptest.Path(t, file))
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		o, err := model.ReadModule(f)
		if err != nil {
			t.Fatalf("%s: %v", f.Name(), err)
		}
		all = append(all, o)
	}
	return all
}

// The kernel as it is, and every series that claims to change no answer, agree
// with the specification: each on one tree, on both in TestWholeModulesAgree.
func TestAgrees(t *testing.T) {
	tests := []struct{ name, version, compose string }{
		{"stock", "6.12", ""}, {"stock", "7.3", ""},
		{"module-scan", "7.3", "module-scan"}, {"module-index", "7.3", "module-index"},
		{"ftrace-single", "6.12", "ftrace-single"}, {"ftrace-module v2", "6.12", "ftrace-module"},
		{"ftrace-bitmap", "7.3", "ftrace-bitmap"},
	}
	for _, tt := range tests {
		t.Run(tt.name+"/"+tt.version, func(t *testing.T) {
			rep, err := Agree(t.Context(), t.TempDir(), source(t, tt.version, tt.compose),
				Options{Seed: 1, Scenes: 40, Real: modules(t, realmap.Modules[len(realmap.Modules)-2:]...), ReplayDir: t.TempDir()})
			if err != nil {
				t.Fatal(err)
			}
			t.Log(rep.Summary())
			for _, f := range rep.Findings {
				t.Error(f)
			}
			if rep.Lookups < 100_000 {
				t.Errorf("%d lookups, expected 100,000 or more", rep.Lookups)
			}
		})
	}
}

// Eight real modules in both states: all their symbols, boundaries and records, or
// some.
func TestRealModulesAgree(t *testing.T) {
	tests := []struct {
		compose string
		whole   bool // else a sample, as linear scans take minutes
		lookups int64
	}{{"", false, 40_000}, {"ftrace-module", false, 40_000}, {"module-index", true, 650_000}}
	for _, tt := range tests {
		t.Run(tt.compose, func(t *testing.T) {
			rep, err := Agree(t.Context(), t.TempDir(), source(t, "7.3", tt.compose),
				Options{Seed: 1, Real: modules(t, realmap.Modules...), Whole: tt.whole, Variants: Variants()[:1], ReplayDir: t.TempDir()})
			if err != nil {
				t.Fatal(err)
			}
			t.Log(rep.Summary())
			for _, f := range rep.Findings {
				t.Error(f)
			}
			if rep.Lookups < tt.lookups {
				t.Errorf("%d lookups, expected %d or more", rep.Lookups, tt.lookups)
			}
		})
	}
}

// A series that changes answers is found to, in all the ways that it declares;
// nothing dies. Its replay files show their failures again.
func TestModuleSortDiffers(t *testing.T) {
	src := source(t, "7.3", "module-sort")
	rep, err := Agree(t.Context(), t.TempDir(), src, Options{Seed: 1, Scenes: 60, Variants: Variants()[:1], ReplayDir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]bool{}
	for _, f := range rep.Findings {
		t.Log(f)
		found[f.Op] = true
		if f.Kind != harness.Disagreement {
			t.Errorf("%s, expected disagreements only", f.Kind)
		}
		if f.Symbols > 4 {
			t.Errorf("modules of %d symbols for %s, expected at most 4", f.Symbols, f.Op)
		}
	}
	for _, op := range []string{"module_address_lookup", "module_kallsyms_lookup_name", "module_get_kallsym", "module_kallsyms_on_each_symbol", "ftrace_module_enable"} {
		if !found[op] {
			t.Errorf("%s agrees, expected another answer", op)
		}
	}
	if t.Failed() {
		return
	}
	for _, f := range []Finding{rep.Findings[0], rep.Findings[len(rep.Findings)-1]} {
		again, err := Replay(t.Context(), t.TempDir(), src, f.File, Options{Variants: Variants()[:1]})
		if err != nil {
			t.Fatal(err)
		}
		if !slices.ContainsFunc(again.Findings, func(g Finding) bool { return g.Op == f.Op }) {
			t.Errorf("%s: %s agrees when replayed", f.File, f.Op)
		}
	}
	if !IsReplay(rep.Findings[0].File) || IsReplay("agree_test.go") {
		t.Error("replay files are not told from others")
	}
}

// The first version of ftrace-module takes memory for a module without records,
// and says so; nothing else is wrong with its answers.
func TestReviewOneWastesMemory(t *testing.T) {
	rep, err := Agree(t.Context(), t.TempDir(), source(t, "7.3", "ftrace-module:review=1"), Options{Seed: 1, Scenes: 60, Variants: Variants()[:1], ReplayDir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	if len(rep.Findings) != 1 || rep.Findings[0].Op != "ftrace_module_enable" || !strings.Contains(rep.Findings[0].Got, "1 allocations") {
		t.Errorf("%+v, expected an allocation for a module without records", rep.Findings)
	}
}
