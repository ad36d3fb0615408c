// SPDX-License-Identifier: GPL-2.0-only

package series

import (
	"errors"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"kgen/gen/check"
	"kgen/gen/manifest"
	"kgen/gen/report/reporttest"
)

// TestMeasured records a run in a generated series and generates it again: the
// cover letter has the times for as long as the code is the one that was
// measured.
func TestMeasured(t *testing.T) {
	out := filepath.Join(t.TempDir(), "out")
	o := options(t, "7.3", out, 4)
	o.SignOff = true
	generate := func() (*manifest.Series, string) {
		t.Helper()
		m, err := Generate(t.Context(), o)
		if err != nil {
			t.Fatal(err)
		}
		return m, read(t, out)["0000-cover-letter.patch"]
	}
	first, cover := generate()
	if !strings.Contains(cover, "Timing: not measured.") {
		t.Fatalf("a series that nobody measured does not say so:\n%s", cover)
	}

	run := reporttest.Made()
	run.Tree = first.Tree.Version
	if err := manifest.RecordRun(out, run, "dense"); err != nil {
		t.Fatal(err)
	}
	if run.Variants[4].Name != "dense" {
		t.Error("recording a run renames a variant of the caller's")
	}
	o.Force = true
	again, cover := generate()
	for _, want := range []string{"Timing: measured in userspace only", "Userspace figures: the patched C ran in a process", "gcc 12.2.0",
		"Made-up CPU", "  * this series ", "stock (again)", "Too noisy to rank: walk", "What this series costs over stock: 400 bytes of .rodata"} {
		if !strings.Contains(strings.Join(strings.Fields(cover), " "), strings.Join(strings.Fields(want), " ")) {
			t.Errorf("the cover letter lacks %q:\n%s", want, cover)
		}
	}
	for i, line := range strings.Split(cover, "\n") {
		if len(line) > lineWidth && !strings.HasPrefix(line, "From ") {
			t.Errorf("line %d of the cover letter has %d columns: %s", i+1, len(line), line)
		}
	}
	if again.Measured == nil || again.Code != first.Code {
		t.Error("the manifest lost the measurement")
	}
	climb(t, o, check.Style, out)
	files := read(t, out)
	generate()
	if !maps.Equal(files, read(t, out)) {
		t.Error("the same measurement gives other bytes")
	}

	// Other words are the same code, another density is not.
	o.Prefix = "RFC PATCH"
	if _, cover := generate(); !strings.Contains(cover, "measured in userspace only") {
		t.Error("another prefix dropped the times")
	}
	var warned []string
	o.Warn = func(text string) { warned = append(warned, text) }
	o.Values = map[string]string{"shift": "5"}
	if m, cover := generate(); m.Measured != nil || !strings.Contains(cover, "Timing: not measured.") {
		t.Error("the times of another density are in the cover letter")
	}
	if len(warned) != 1 || !strings.Contains(warned[0], "was measured with other code") {
		t.Errorf("warned %q", warned)
	}
}

// TestRecordRun refuses runs that are not of the series.
func TestRecordRun(t *testing.T) {
	out := filepath.Join(t.TempDir(), "out")
	m, err := Generate(t.Context(), options(t, "7.3", out, 4))
	if err != nil {
		t.Fatal(err)
	}
	refused := func(reason, variant, says string, tree string) {
		t.Helper()
		run := reporttest.Made()
		run.Tree = tree
		if err := manifest.RecordRun(out, run, variant); !errors.Is(err, manifest.ErrNotMeasured) || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v, want ErrNotMeasured with %q", reason, err, says)
		}
	}
	refused("another tree", "dense", "measured on Linux 6.12.1", "6.12.1")
	refused("a run of others", "out/mine", `no variant "out/mine"`, m.Tree.Version)
	name := filepath.Join(out, m.Patches[1].File)
	if err := os.WriteFile(name, []byte("edited\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	refused("an edited patch", "dense", "was edited", m.Tree.Version)
	if m, err := manifest.Read(out); err != nil || m.Measured != nil {
		t.Errorf("a refused run is in the manifest: %v", err)
	}
}
