// SPDX-License-Identifier: GPL-2.0-only

package series

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"kgen/gen/manifest"
	"kgen/gen/tree"
	"kgen/gen/tree/treetest"
	"kgen/patches"
	"kgen/templates"
)

// options are those of a plain run of the density series on a fetched tree.
func options(t testing.TB, treeName, out string, shift int) Options {
	t.Helper()
	tr, err := tree.Open(treetest.Dir(t, treeName))
	if err != nil {
		t.Fatal(err)
	}
	s, err := Load(patches.FS, templates.FS, "density")
	if err != nil {
		t.Fatal(err)
	}
	return Options{
		Series: s, Values: map[string]string{"shift": strconv.Itoa(shift)},
		Tree: tr, Out: out,
		Author: Ident{"A. Developer", "a@example.org"}, Date: time.Unix(1764374400, 0).UTC(),
		Prefix: "PATCH", Version: 1, Kgen: "test",
		Patches: patches.FS, Templates: templates.FS,
		Warn: func(text string) { t.Errorf("warned: %s", text) },
	}
}

// read returns the files below a folder by their path in it.
func read(t testing.TB, dir string) map[string]string {
	t.Helper()
	files := make(map[string]string)
	err := filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(name)
		rel, _ := filepath.Rel(dir, name)
		files[rel] = string(data)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// TestGenerate makes every density on both trees, twice, and looks at what the
// files say.
func TestGenerate(t *testing.T) {
	for _, name := range []string{"6.12", "7.3"} {
		for shift := 0; shift <= 8; shift++ {
			t.Run(fmt.Sprintf("%s/%d", name, shift), func(t *testing.T) {
				t.Parallel()
				dir := t.TempDir()
				o := options(t, name, filepath.Join(dir, "a"), shift)
				o.Scale = Scale{Symbols: 184000}
				m, err := Generate(t.Context(), o)
				if err != nil {
					t.Fatal(err)
				}
				a := read(t, o.Out)
				o.Out = filepath.Join(dir, "b")
				if _, err := Generate(t.Context(), o); err != nil {
					t.Fatal(err)
				}
				if diff := cmp.Diff(a, read(t, o.Out)); diff != "" {
					t.Errorf("two runs differ:\n%s", diff)
				}
				checkDensity(t, m, a, shift)
			})
		}
	}
}

func checkDensity(t *testing.T, m *manifest.Series, files map[string]string, shift int) {
	t.Helper()
	if want := len(m.Patches) + len(m.Model) + 2; len(m.Patches) != 4 || len(files) != want {
		t.Fatalf("%d patches in %d files, want 4 in %d", len(m.Patches), len(files), want)
	}
	if got := files["model/model.go"]; !strings.Contains(got, "MarkerShift") {
		t.Error("model/model.go knows no MarkerShift")
	}
	patch := files[m.Patches[2].File]
	if want := fmt.Sprintf("+#define KALLSYMS_MARKER_SHIFT\t%d\n", shift); !strings.Contains(patch, want) {
		t.Errorf("%s has no line %q", m.Patches[2].File, want)
	}
	for _, left := range []string{"-", "+"} {
		for _, line := range strings.Split(patch, "\n") {
			if strings.HasPrefix(line, left) && strings.Contains(line, "0xFF") && left == "+" {
				t.Errorf("a bare 0xFF is left: %s", line)
			}
		}
	}
	if got := files["0000-cover-letter.patch"]; !strings.Contains(got, "Timing: not measured.") {
		t.Error("the cover letter states a timing that nobody measured")
	}
	for name, text := range files {
		if filepath.Ext(name) != ".patch" {
			continue
		}
		body, _, _ := strings.Cut(text, "\n---\n")
		for _, line := range strings.Split(body, "\n") {
			if len(line) > lineWidth+4 && !strings.HasPrefix(line, "From") {
				t.Errorf("%s: %d columns: %s", name, len(line), line)
			}
		}
		if strings.Contains(text, "<no value>") || strings.Contains(text, "{{") {
			t.Errorf("%s: a template shows through", name)
		}
	}
}

// TestGenerateLeavesTree compares the touched files and their folders before
// and after, times included.
func TestGenerateLeavesTree(t *testing.T) {
	o := options(t, "7.3", filepath.Join(t.TempDir(), "out"), 4)
	stat := func() map[string]string {
		seen := make(map[string]string)
		for _, rel := range []string{".", "kernel", "kernel/kallsyms.c", "kernel/kallsyms_internal.h", "lib", "lib/Kconfig.debug", "lib/Makefile", "scripts", "scripts/kallsyms.c", "MAINTAINERS"} {
			info, err := os.Stat(filepath.Join(o.Tree.Dir, rel))
			if err != nil {
				t.Fatal(err)
			}
			seen[rel] = fmt.Sprint(info.ModTime(), info.Size(), info.Mode())
		}
		return seen
	}
	before := stat()
	if _, err := Generate(t.Context(), o); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(before, stat()); diff != "" {
		t.Errorf("the tree changed:\n%s", diff)
	}
}

// TestGenerateInterrupted cancels before and while git works; neither may leave
// anything, and a folder that --force would have replaced stays as it is.
func TestGenerateInterrupted(t *testing.T) {
	for after := time.Duration(0); after < 400*time.Millisecond; after += 40 * time.Millisecond {
		dir := t.TempDir()
		t.Setenv("TMPDIR", dir)
		o := options(t, "7.3", filepath.Join(dir, "out"), 4)
		o.Force = true
		if err := os.Mkdir(o.Out, 0o755); err != nil {
			t.Fatal(err)
		}
		for _, name := range []string{"old", manifest.FileName} {
			if err := os.WriteFile(filepath.Join(o.Out, name), []byte(`{"format": 1}`), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		ctx, cancel := context.WithTimeout(t.Context(), after)
		_, err := Generate(ctx, o)
		cancel()
		_, old := read(t, o.Out)["old"]
		switch {
		case err == nil && old:
			t.Errorf("after %v: done, but the old folder is there", after)
		case err != nil && !old:
			t.Errorf("after %v: %v, but the old folder is gone", after, err)
		case err != nil && !errors.Is(err, context.DeadlineExceeded):
			t.Errorf("after %v: %v, want the context's error", after, err)
		}
		if entries, _ := os.ReadDir(dir); len(entries) != 1 {
			t.Errorf("after %v: left behind: %v", after, entries)
		}
	}
}

func TestGenerateRefuses(t *testing.T) {
	o := options(t, "7.3", filepath.Join(t.TempDir(), "out"), 9)
	if _, err := Generate(t.Context(), o); err == nil || !strings.Contains(err.Error(), "9") {
		t.Errorf("shift 9: %v", err)
	}
	old := options(t, "6.1", o.Out, 4)
	if _, err := Generate(t.Context(), old); !errors.Is(err, tree.ErrUnsupported) || !strings.Contains(err.Error(), "kallsyms_seqs_of_names") {
		t.Errorf("6.1: %v, want ErrUnsupported that names kallsyms_seqs_of_names", err)
	}
	if entries, _ := os.ReadDir(filepath.Dir(o.Out)); len(entries) != 0 {
		t.Errorf("refusals left %v", entries)
	}
}

// BenchmarkGenerate is one series from a fetched tree, start to rename.
func BenchmarkGenerate(b *testing.B) {
	for i := 0; b.Loop(); i++ {
		o := options(b, "7.3", filepath.Join(b.TempDir(), "out"), i%9)
		if _, err := Generate(b.Context(), o); err != nil {
			b.Fatal(err)
		}
	}
}
