// SPDX-License-Identifier: GPL-2.0-only

package check

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"kgen/gen/manifest"
	"kgen/gen/tree"
	"kgen/gen/tree/treetest"
)

// edit makes one patch: it changes the files of a tree, keyed by path. A file that
// it deletes from the map is deleted.
type edit struct {
	subject string
	change  func(files map[string]string)
}

// makePatches commits the edits on copies of the given files of the tree, and
// returns a folder with what git format-patch makes of them.
func makePatches(t *testing.T, treeDir string, files []string, edits []edit, formatArgs ...string) string {
	t.Helper()
	repo, out := t.TempDir(), t.TempDir()
	content := make(map[string]string)
	for _, f := range files {
		data, err := os.ReadFile(filepath.Join(treeDir, f))
		if err != nil {
			t.Fatal(err)
		}
		content[f] = string(data)
	}
	commit := func(subject string) {
		for name, text := range content {
			writeFile(t, filepath.Join(repo, name), text)
		}
		runGit(t, repo, "add", "--force", "--all", ".")
		runGit(t, repo, "commit", "-q", "--allow-empty", "-s", "-m", subject+"\n\nA test needs it, and here is why.")
	}
	runGit(t, repo, "init", "-q")
	commit("base")
	for _, e := range edits {
		before := maps.Clone(content)
		e.change(content)
		for f := range before {
			if _, ok := content[f]; !ok {
				os.Remove(filepath.Join(repo, f))
			}
		}
		commit(e.subject)
	}
	args := append([]string{"format-patch", "-q", "-o", out}, formatArgs...)
	runGit(t, repo, append(args, fmt.Sprintf("HEAD~%d..HEAD", len(edits)))...)
	return out
}

func runGit(t *testing.T, dir string, args ...string) string {
	t.Helper()
	const who, address = "A Tester", "tester@kgen.invalid"
	env := append(gitEnv(), "GIT_AUTHOR_NAME="+who, "GIT_AUTHOR_EMAIL="+address, "GIT_COMMITTER_NAME="+who, "GIT_COMMITTER_EMAIL="+address)
	out, err := proc{name: "git", args: args, dir: dir, env: env}.run(context.Background())
	if err != nil || out.code != 0 {
		t.Fatalf("git %v: %v %s", args, err, out.stderr)
	}
	return out.stdout
}

func writeFile(t *testing.T, name, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// replace is a change of one piece of text, which must be there.
func replace(t *testing.T, file, old, with string) func(map[string]string) {
	return func(files map[string]string) {
		t.Helper()
		if !strings.Contains(files[file], old) {
			t.Fatalf("%s does not contain %q", file, old)
		}
		files[file] = strings.Replace(files[file], old, with, 1)
	}
}

// add is a change that puts text at the end of a file.
func add(file, text string) func(map[string]string) {
	return func(files map[string]string) { files[file] += text }
}

// linkedTree is a tree of the test's own, for changes that the fetched ones must
// not see: links into a fetched tree, but real copies of the given files, and real
// folders on the way to them. Files that the fetched tree lacks can be written.
func linkedTree(t *testing.T, name string, files ...string) string {
	t.Helper()
	dir := t.TempDir()
	linkTree(t, name, dir, files...)
	return dir
}

// linkTree makes one in a folder.
func linkTree(t *testing.T, name, to string, files ...string) {
	t.Helper()
	from := treetest.Dir(t, name)
	dirs := map[string]bool{".": true}
	for _, f := range files {
		for d := filepath.Dir(f); d != "."; d = filepath.Dir(d) {
			dirs[d] = true
		}
	}
	for d := range dirs {
		if err := os.MkdirAll(filepath.Join(to, d), 0o755); err != nil {
			t.Fatal(err)
		}
		entries, err := os.ReadDir(filepath.Join(from, d))
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range entries {
			rel := filepath.Join(d, e.Name())
			if dirs[rel] || slices.Contains(files, rel) {
				continue
			}
			if err := os.Symlink(filepath.Join(from, rel), filepath.Join(to, rel)); err != nil {
				t.Fatal(err)
			}
		}
	}
	for _, f := range files {
		if data, err := os.ReadFile(filepath.Join(from, f)); err == nil {
			writeFile(t, filepath.Join(to, f), string(data))
		}
	}
}

// load loads the series, and removes its temporary files after the test.
func load(t *testing.T, args ...string) *Series {
	t.Helper()
	s, err := Load(t.Context(), args)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	return s
}

// options are those of a check of the series on the tree, built in a cache that
// the tests share, as the runs of a user do.
func options(t *testing.T, s *Series, treeDir string, to Rung) Options {
	t.Helper()
	tr, err := tree.Open(treeDir)
	if err != nil {
		t.Fatal(err)
	}
	return Options{Series: s, Tree: tr, To: to, Cache: sharedCache}
}

var sharedCache string

func TestMain(m *testing.M) {
	dir, err := os.MkdirTemp("", "kgen-check-test-*")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	sharedCache = dir
	code := m.Run()
	os.RemoveAll(dir)
	os.Exit(code)
}

// run runs the check, which must be possible.
func run(t *testing.T, o Options) *Report {
	t.Helper()
	o.Progress = func(text string) { t.Log(text) }
	r, err := Run(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// results are those of one rung.
func results(t *testing.T, r *Report, rung Rung) []manifest.Result {
	t.Helper()
	for _, c := range r.Checks {
		if c.Rung == string(rung) {
			return c.Results
		}
	}
	var b strings.Builder
	r.WriteTable(&b, false)
	t.Fatalf("the rung %s was not reached:\n%s", rung, b.String())
	return nil
}

// snapshot is every path below dir with its size, mode and time of change.
func snapshot(t *testing.T, dir string) map[string]string {
	t.Helper()
	all := make(map[string]string)
	err := filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		all[name] = fmt.Sprint(info.Size(), info.Mode(), info.ModTime().UnixNano())
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}
