// SPDX-License-Identifier: GPL-2.0-only

package check

import (
	"strings"
	"testing"

	"kgen/gen/harness"
	"kgen/gen/manifest"
	"kgen/gen/modharness"
	"kgen/gen/tree/treetest"
)

// A patch that is wrong about modules fails, the one that mends it does not, and
// the command that is printed shows the failure again.
func TestAgreeModules(t *testing.T) {
	const file, stock, wrong = "kernel/module/kallsyms.c", "thisval <= addr && thisval > bestval", "thisval <= addr && thisval >= bestval"
	dir := treetest.Dir(t, "7.3")
	s := load(t, makePatches(t, dir, []string{file}, []edit{
		{"module: Take the last alias", replace(t, file, stock, wrong)},
		{"module: Take the first alias", replace(t, file, wrong, stock)},
	}))
	o := options(t, s, dir, Agree)
	o.Only = true
	all := wholeModules
	t.Cleanup(func() { wholeModules = all })
	wholeModules = all[len(all)-3:]
	got := results(t, run(t, o), Agree)
	if got[0].OK || !strings.Contains(strings.Join(got[0].Messages, "\n"), "modules of 2 symbols") {
		t.Errorf("the wrong patch: %+v", got[0])
	}
	if !got[1].OK || !strings.HasSuffix(got[1].Summary, "lookups in modules agree") {
		t.Errorf("the right patch: %+v", got[1])
	}
	_, o.Replay, _ = strings.Cut(got[0].Messages[len(got[0].Messages)-1], "--replay ")
	again := results(t, run(t, o), Agree)
	if again[0].OK || !again[1].OK {
		t.Errorf("replayed: %+v, expected the first patch alone to fail", again)
	}
}

func TestDeclaredChangesDoNotFail(t *testing.T) {
	differs := modharness.Finding{Kind: harness.Disagreement, Op: "module_get_kallsym"}
	crashes := modharness.Finding{Kind: harness.CrashKind, Op: "module_get_kallsym"}
	tests := []struct {
		name     string
		findings []modharness.Finding
		declared bool
		ok       bool
		summary  string
	}{
		{"agreement", nil, true, true, "7 lookups in modules agree"},
		{"declared", []modharness.Finding{differs}, true, true, "7 lookups in modules; differences as declared, of 1 kind"},
		{"not declared", []modharness.Finding{differs}, false, false, "1 failure"},
		{"a crash cannot be declared", []modharness.Finding{differs, crashes}, true, false, "1 failure"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := modulesResult(Options{}, &modharness.Report{Lookups: 7, Findings: tt.findings}, tt.declared)
			if got.OK != tt.ok || got.Summary != tt.summary || len(got.Messages) != 1+len(tt.findings) {
				t.Errorf("%+v, expected %v, %q and a message for each finding", got, tt.ok, tt.summary)
			}
		})
	}
}

func TestDeclaresChanges(t *testing.T) {
	s := &Series{manifest: &manifest.Series{Patches: []manifest.Patch{{Mechanism: "module-scan"}, {Mechanism: "module-sort"}}}}
	for n, want := range []bool{false, false, true} {
		if got, err := s.declaresChanges(n); got != want || err != nil {
			t.Errorf("the first %d patches: %v, %v, expected %v", n, got, err, want)
		}
	}
	if got, err := new(Series).declaresChanges(1); got || err != nil {
		t.Errorf("a foreign series: %v, %v, expected nothing to be declared", got, err)
	}
}
