// SPDX-License-Identifier: GPL-2.0-only

package check

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"kgen/gen/series"
	"kgen/gen/tree"
	"kgen/gen/tree/treetest"
	"kgen/patches"
	"kgen/templates"
)

// asOthersSendIt makes one mbox of a generated series with git format-patch
// --stdout, after a change of one text of the last commit. Nothing of kgen's is
// in it, the manifest least of all.
func asOthersSendIt(t *testing.T, dir string, file, old, with string) string {
	t.Helper()
	tr, err := tree.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	s, values, err := series.Compose(templates.FS, "density=5,token-match")
	if err != nil {
		t.Fatal(err)
	}
	made := filepath.Join(t.TempDir(), "made")
	m, err := series.Generate(t.Context(), series.Options{
		Series: s, Values: values, Tree: tr, Out: made,
		Author: series.Ident{Name: "A. Developer", Email: "a@example.org"}, Date: time.Unix(1764374400, 0),
		SignOff: true, Prefix: "PATCH", Version: 1, Patches: patches.FS, Templates: templates.FS, Warn: func(string) {},
	})
	if err != nil {
		t.Fatal(err)
	}
	repo := t.TempDir()
	for _, p := range m.Patches {
		for _, name := range p.Touches {
			data, err := os.ReadFile(filepath.Join(dir, name))
			if err != nil {
				t.Fatal(err)
			}
			writeFile(t, filepath.Join(repo, name), string(data))
		}
	}
	runGit(t, repo, "init", "-q")
	runGit(t, repo, "add", "--all", ".")
	runGit(t, repo, "commit", "-q", "-m", "base")
	for _, p := range m.Patches {
		runGit(t, repo, "am", "-q", filepath.Join(made, p.File))
	}
	data, err := os.ReadFile(filepath.Join(repo, file))
	if err != nil || strings.Count(string(data), old) != 1 {
		t.Fatalf("%s: %v, or %q is not there once", file, err, old)
	}
	writeFile(t, filepath.Join(repo, file), strings.Replace(string(data), old, with, 1))
	runGit(t, repo, "commit", "-q", "--amend", "--no-edit", "--all")
	box := filepath.Join(t.TempDir(), "v1.mbox")
	writeFile(t, box, runGit(t, repo, "format-patch", "--stdout", "--cover-letter", "HEAD~2"))
	return box
}

// A series by mail that grows duplicates from where the search ended, instead of
// from where it found the name, as one on the list did, is found to be wrong in
// the patch that does so. What it prints shows the failure again, on that series
// and not on the right one.
func TestAgreeForeign(t *testing.T) {
	const file, right, wrong = "kernel/kallsyms.c", "\t\thigh = mid;\n\t\twhile", "\t\twhile"
	dir := treetest.Dir(t, "7.3")
	bad := asOthersSendIt(t, dir, file, right, wrong)
	o := options(t, load(t, bad), dir, Agree)
	o.Only = true
	got := results(t, run(t, o), Agree)
	if len(got) != 2 || !strings.HasSuffix(got[0].Summary, "lookups agree") {
		t.Fatalf("%+v, expected the first of two patches to agree", got)
	}
	text := strings.Join(got[1].Messages, "\n")
	if got[1].OK || !strings.Contains(text, "kallsyms_on_each_match_symbol") {
		t.Fatalf("%+v, expected duplicates that are not visited", got[1])
	}
	_, command, found := strings.Cut(got[1].Messages[len(got[1].Messages)-1], "again:")
	if !found || !strings.Contains(command, bad) {
		t.Fatalf("%q, expected a command that names %s", got[1].Messages, bad)
	}
	for _, tt := range []struct {
		reason, series string
		agrees         bool
	}{
		{"the wrong series", bad, false},
		{"the right one", asOthersSendIt(t, dir, file, right, right), true},
	} {
		again := strings.Replace(command, bad, tt.series, 1)
		// The command is kgen's own; only its program is that of the test.
		out, err := shell(t, again)
		if tt.agrees != (err == nil) || !strings.Contains(out, "agree") {
			t.Errorf("%s: %s: %v\n%s", tt.reason, again, err, out)
		}
	}
}

// shell runs a command of kgen as a user pastes it, with kgen built from here.
func shell(t *testing.T, command string) (string, error) {
	t.Helper()
	bin := filepath.Join(sharedCache, "bin")
	if _, err := os.Stat(bin); err != nil {
		build := exec.Command("go", "build", "-o", filepath.Join(bin, "kgen"), "kgen/cmd/kgen")
		if out, err := build.CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
	}
	cmd := exec.Command("sh", "-c", command)
	cmd.Env = append(os.Environ(), "PATH="+bin+":"+os.Getenv("PATH"))
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	err := cmd.Run()
	return out.String(), err
}
