// SPDX-License-Identifier: GPL-2.0-only

package check

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"kgen/gen/tree/treetest"
)

func TestStyle(t *testing.T) {
	const file = "kernel/kallsyms.c"
	for _, name := range []string{"7.3", "6.12"} {
		dir := treetest.Dir(t, name)
		s := load(t, makePatches(t, dir, []string{file}, []edit{
			{"kallsyms: Add a comment", add(file, "\n/* A comment. */\n")},
			{"kallsyms: Quote a commit\n\nAs commit 0123456789ab (\"kallsyms: Something\") did.", add(file, "\n/* Another. */\n")},
			{"kallsyms: Add a function", add(file, "\nint kgen_x( void )\n{\n\treturn 0 ;  \n}\n")},
		}))
		got := results(t, run(t, options(t, s, dir, Style)), Style)
		if !got[0].OK || got[0].Summary != "0 errors, 0 warnings, 0 checks" {
			t.Errorf("%s: a clean patch: %+v", name, got[0])
		}
		for _, m := range got[1].Messages {
			if strings.Contains(m, "UNKNOWN_COMMIT_ID") {
				t.Errorf("%s: %s: a plain folder cannot know which commits exist", name, m)
			}
		}
		said := strings.Join(got[2].Messages, "\n")
		if got[2].OK || !strings.Contains(got[2].Summary, "error") {
			t.Errorf("%s: bad spacing passes: %+v", name, got[2])
		}
		for _, want := range []string{"kernel/kallsyms.c:", "error SPACING: space prohibited", "error TRAILING_WHITESPACE: "} {
			if !strings.Contains(said, want) {
				t.Errorf("%s: messages:\n%s\nwant %q", name, said, want)
			}
		}
	}
}

// In a whole repository checkpatch can say that a commit does not exist.
func TestStyleKnowsCommits(t *testing.T) {
	const file = "kernel/kallsyms.c"
	dir := linkedTree(t, "7.3", file)
	runGit(t, dir, "init", "-q")
	runGit(t, dir, "add", "--force", file, "Makefile")
	runGit(t, dir, "commit", "-q", "-m", "base")
	patches := makePatches(t, dir, []string{file}, []edit{{"kallsyms: Add a comment", add(file, "\n/* A comment. */\n")}})
	names, err := filepath.Glob(filepath.Join(patches, "*.patch"))
	if err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(names[0])
	if err != nil {
		t.Fatal(err)
	}
	writeFile(t, names[0], strings.Replace(string(data), "and here is why.", "see commit 0123456789ab (\"kallsyms: It\").", 1))
	got := results(t, run(t, options(t, load(t, patches), dir, Style)), Style)
	if said := strings.Join(got[0].Messages, "\n"); !strings.Contains(said, "warning UNKNOWN_COMMIT_ID") {
		t.Errorf("messages %q, want UNKNOWN_COMMIT_ID", said)
	}
}

func TestStyleWithoutCheckpatch(t *testing.T) {
	mine := treetest.Copy(t, "7.3")
	s := load(t, makePatches(t, mine, []string{"kernel/kallsyms.c"}, []edit{{"kallsyms: X", add("kernel/kallsyms.c", "\n/* x */\n")}}))
	_, err := Run(t.Context(), options(t, s, mine, Style))
	if !errors.Is(err, ErrNoCheckpatch) || !strings.Contains(err.Error(), "--to apply") {
		t.Errorf("error %v, want ErrNoCheckpatch and the remedy", err)
	}
}

// A later rung is not tried when an earlier one failed.
func TestLadderStops(t *testing.T) {
	dir := treetest.Dir(t, "7.3")
	const file = "kernel/kallsyms.c"
	s := load(t, makePatches(t, dir, []string{file}, []edit{{"kallsyms: X", add(file, "\nint x ;\n")}}))
	r := run(t, options(t, s, dir, Build))
	if len(r.Checks) != 2 || !errors.Is(r.Err(), ErrFailed) {
		t.Errorf("checks %+v, error %v; want apply and style, and ErrFailed", r.Checks, r.Err())
	}
	var b strings.Builder
	r.WriteTable(&b, false)
	if !strings.Contains(b.String(), "not run") {
		t.Errorf("table:\n%s\nwant build as not run", b.String())
	}
}
