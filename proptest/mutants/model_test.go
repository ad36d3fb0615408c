// SPDX-License-Identifier: GPL-2.0-only

//go:build mutants

package mutants

import (
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// modelRuns is how many generated tables each property gets for a fault.
const modelRuns = "30"

// TestModel: every fault in a mechanism of the model is found by a property,
// and the model without a fault is not.
func TestModel(t *testing.T) {
	dir := t.TempDir()
	files, err := exec.Command("git", "-C", "../..", "ls-files", "go.mod", "go.sum", "model", "proptest", "gen", "patches", "templates").Output()
	if err != nil {
		t.Fatalf("git ls-files: %v; run make mutants in a checkout", err)
	}
	for name := range strings.Lines(string(files)) {
		name = strings.TrimSpace(name)
		data, err := os.ReadFile(filepath.Join("../..", name))
		if err != nil {
			t.Fatal(err)
		}
		write(t, filepath.Join(dir, name), data)
	}
	if out, ok := properties(t, dir); !ok {
		t.Fatalf("the properties fail without a fault:\n%s", out)
	}
	for _, group := range slices.Sorted(maps.Keys(modelFaults)) {
		for _, f := range modelFaults[group] {
			t.Run(group+"/"+f.reason, func(t *testing.T) {
				name := filepath.Join(dir, "model", f.file)
				sound, err := os.ReadFile(name)
				if err != nil {
					t.Fatal(err)
				}
				if n := strings.Count(string(sound), f.old); n != 1 {
					t.Fatalf("model/%s has %q %d times, expected once", f.file, f.old, n)
				}
				write(t, name, []byte(strings.Replace(string(sound), f.old, f.new, 1)))
				defer write(t, name, sound)

				o := outcome{group: group, reason: f.reason}
				out, ok := properties(t, dir)
				if strings.Contains(out, "[build failed]") || strings.Contains(out, "[setup failed]") {
					t.Fatalf("the fault does not compile, which finds nothing:\n%s", out)
				}
				if ok {
					t.Error("no property finds it")
				} else {
					o.check, o.found = "property", failed(out)
				}
				record(o)
			})
		}
	}
}

// properties runs those of the copy, and stops at the first that fails. The
// coverage of the generators is not asked for: so few tables have none.
func properties(t *testing.T, dir string) (out string, ok bool) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "go", "test", "-count=1", "-failfast", "-vet=off", "-skip=Coverage", "./proptest")
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "KGEN_PROPTEST_RUNS="+modelRuns)
	text, err := cmd.CombinedOutput()
	return string(text), err == nil
}

// failed is the name of the first test that failed, or "panic".
func failed(out string) string {
	for line := range strings.Lines(out) {
		if name, ok := strings.CutPrefix(strings.TrimSpace(line), "--- FAIL: "); ok {
			name, _, _ = strings.Cut(name, " ")
			return name
		}
	}
	return "panic"
}

func write(t *testing.T, name string, data []byte) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, data, 0o644); err != nil {
		t.Fatal(err)
	}
}
