// SPDX-License-Identifier: GPL-2.0-only

package check

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"kgen/gen/series"
	"kgen/gen/tree"
	"kgen/gen/tree/treetest"
	"kgen/patches"
	"kgen/templates"
)

// asOthersSendIt makes one mbox of two generated patches in one commit, with one
// text changed in it, of a commit that has nothing to do with lookups, and of a last
// one that takes the change back. Nothing of kgen's is in it, the manifest least of all.
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
	const makefile = "kernel/Makefile"
	repo, touches := t.TempDir(), []string{makefile}
	for _, p := range m.Patches {
		touches = append(touches, p.Touches...)
	}
	for _, name := range touches {
		data, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		writeFile(t, filepath.Join(repo, name), string(data))
	}
	commit := func(message string) {
		runGit(t, repo, "add", "--all", ".")
		runGit(t, repo, "commit", "-q", "--allow-empty", "-m", message)
	}
	runGit(t, repo, "init", "-q")
	commit("base")
	runGit(t, repo, "tag", "base")
	for _, p := range m.Patches {
		runGit(t, repo, "am", "-q", filepath.Join(made, p.File))
	}
	runGit(t, repo, "reset", "-q", "--soft", "base")
	text := func(name string) string {
		data, err := os.ReadFile(filepath.Join(repo, name))
		if err != nil {
			t.Fatal(err)
		}
		return string(data)
	}
	right := text(file)
	if strings.Count(right, old) != 1 {
		t.Fatalf("%s: %q is not there once", file, old)
	}
	writeFile(t, filepath.Join(repo, file), strings.Replace(right, old, with, 1))
	commit("kallsyms: Compare tokens\n\nWith markers nearer to each other.")
	writeFile(t, filepath.Join(repo, makefile), text(makefile)+"# nothing\n")
	commit("kernel: Leave lookups alone\n\nA remark.")
	writeFile(t, filepath.Join(repo, file), right+"/* the same */\n")
	commit("kallsyms: Grow duplicates as before\n\nFrom where the name was found.")
	box := filepath.Join(t.TempDir(), "v1.mbox")
	writeFile(t, box, runGit(t, repo, "format-patch", "--stdout", "--cover-letter", "base"))
	return box
}

// A series by mail that grows duplicates from where the search ended, instead of
// from where it found the name, as one on the list did, and is right again at its
// end, fails where it is wrong and nowhere else. What it prints shows the failure
// again, on that series and not on the right one.
func TestAgree(t *testing.T) {
	const file, right, wrong = "kernel/kallsyms.c", "\t\thigh = mid;\n\t\twhile", "\t\twhile"
	dir := treetest.Dir(t, "7.3")
	bad := asOthersSendIt(t, dir, file, right, wrong)
	o := options(t, load(t, bad), dir, Agree)
	o.Only = true
	r := run(t, o)
	got := results(t, r, Agree)
	if len(r.Checks) != 2 || len(got) != 3 {
		t.Fatalf("%+v, expected apply and agree, of three patches", r.Checks)
	}
	text := strings.Join(got[0].Messages, "\n")
	if got[0].OK || !strings.Contains(text, "kallsyms_on_each_match_symbol") {
		t.Fatalf("%+v, expected duplicates that are not visited", got[0])
	}
	if !got[1].OK || got[1].Summary != "ok (lookups as before)" {
		t.Errorf("the patch beside lookups: %+v", got[1])
	}
	if !got[2].OK || !regexp.MustCompile(`^\d{7,} lookups agree$`).MatchString(got[2].Summary) {
		t.Errorf("the right patch: %+v, expected a million lookups that agree", got[2])
	}
	_, command, found := strings.Cut(got[0].Messages[len(got[0].Messages)-1], "again:")
	if !found || !strings.Contains(command, bad) {
		t.Fatalf("%q, expected a command that names %s", got[0].Messages, bad)
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

func TestReplayCommandCanBePasted(t *testing.T) {
	dir := treetest.Dir(t, "7.3")
	o := options(t, &Series{args: []string{"v2 (rfc)", "it's.mbox"}}, dir, Agree)
	want := `kgen check 'v2 (rfc)' 'it'\''s.mbox' --tree 7.3 --to agree --only --replay x.map`
	if got := o.replayCommand("x.map"); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}
