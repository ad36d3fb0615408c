// SPDX-License-Identifier: GPL-2.0-only

package tree_test

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"kgen/gen/tree"
	"kgen/gen/tree/treetest"
)

// git runs git in a folder, as somebody.
func git(t *testing.T, dir string, args ...string) string {
	t.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(),
		"GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_NOSYSTEM=1",
		"GIT_AUTHOR_NAME=A", "GIT_AUTHOR_EMAIL=a@example.org", "GIT_AUTHOR_DATE=1700000000 +0200",
		"GIT_COMMITTER_NAME=A", "GIT_COMMITTER_EMAIL=a@example.org", "GIT_COMMITTER_DATE=1764374400 +0200")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("git %v: %v\n%s", args, err, out)
	}
	return strings.TrimSpace(string(out))
}

// commitAll makes a repository of a folder and gives its commit.
func commitAll(t *testing.T, dir string) string {
	t.Helper()
	git(t, dir, "init", "-q")
	git(t, dir, "add", "-f", ".")
	git(t, dir, "commit", "-q", "-m", "x")
	return git(t, dir, "rev-parse", "HEAD")
}

func TestGitFlavour(t *testing.T) {
	top := t.TempDir()
	tests := []struct {
		reason string
		make   func(t *testing.T, dir string) (open, base string)
	}{
		{"a repository", func(t *testing.T, dir string) (string, string) {
			return dir, commitAll(t, dir)
		}},
		{"a linked worktree", func(t *testing.T, dir string) (string, string) {
			base := commitAll(t, dir)
			linked := filepath.Join(top, "linked")
			git(t, dir, "worktree", "add", "-q", linked)
			return linked, base
		}},
		{"a link to a repository", func(t *testing.T, dir string) (string, string) {
			base := commitAll(t, dir)
			link := filepath.Join(top, "link")
			if err := os.Symlink(dir, link); err != nil {
				t.Fatal(err)
			}
			return link, base
		}},
		{"another user's repository", func(t *testing.T, dir string) (string, string) {
			base := commitAll(t, dir)
			if err := os.Chown(dir, 65534, 65534); err != nil && os.Geteuid() == 0 {
				t.Fatal(err)
			}
			return dir, base
		}},
		{"a kernel unpacked in somebody's repository", func(t *testing.T, dir string) (string, string) {
			home := t.TempDir()
			inside := filepath.Join(home, "linux")
			if err := os.Rename(dir, inside); err != nil {
				t.Fatal(err)
			}
			commitAll(t, home)
			return inside, ""
		}},
		{"a repository without a commit", func(t *testing.T, dir string) (string, string) {
			git(t, dir, "init", "-q")
			return dir, ""
		}},
		{"a worktree whose repository is gone", func(t *testing.T, dir string) (string, string) {
			write(t, dir, ".git", "gitdir: /nonexistent\n")
			return dir, ""
		}},
		{"an empty .git in somebody's repository", func(t *testing.T, dir string) (string, string) {
			home := t.TempDir()
			inside := filepath.Join(home, "linux")
			if err := os.Rename(dir, inside); err != nil {
				t.Fatal(err)
			}
			commitAll(t, home)
			if err := os.Mkdir(filepath.Join(inside, ".git"), 0o755); err != nil {
				t.Fatal(err)
			}
			return inside, ""
		}},
	}
	for _, tt := range tests {
		t.Run(tt.reason, func(t *testing.T) {
			dir, base := tt.make(t, treetest.Copy(t, "7.3"))
			// As when kgen is run by a hook of another repository.
			t.Setenv("GIT_DIR", filepath.Join(top, "elsewhere"))
			t.Setenv("GIT_INDEX_FILE", filepath.Join(top, "elsewhere", "index"))
			got, err := tree.Open(dir)
			if err != nil {
				t.Fatal(err)
			}
			flavour := tree.Git
			if base == "" {
				flavour = tree.Folder
			}
			if got.Base != base || got.Flavour != flavour {
				t.Errorf("got %s with base %q, want %s with %q", got.Flavour, got.Base, flavour, base)
			}
		})
	}
}

func TestDate(t *testing.T) {
	dir := treetest.Copy(t, "7.3")
	stamp := time.Date(2026, 11, 15, 22, 30, 52, 0, time.UTC)
	if err := os.Chtimes(filepath.Join(dir, "Makefile"), stamp, stamp); err != nil {
		t.Fatal(err)
	}
	check := func(want time.Time) {
		t.Helper()
		tr, err := tree.Open(dir)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := tr.Date(); err != nil || !got.Equal(want) || got.Location() != time.UTC {
			t.Errorf("%s: date %v, %v; want %v", tr.Flavour, got, err, want)
		}
	}
	check(stamp)
	commitAll(t, dir)
	check(time.Unix(1764374400, 0))
}

func TestDirty(t *testing.T) {
	dir := treetest.Copy(t, "7.3", "kernel/kallsyms_internal.h", "lib/Kconfig.debug", "lib/Makefile")
	write(t, dir, ".gitattributes", "*.txt text eol=crlf\n")
	write(t, dir, "crlf.txt", "a\r\nb\r\n")
	commitAll(t, dir)
	tr, err := tree.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	files := []string{"lib/Makefile", "Makefile", "kernel/kallsyms.c", "kernel/kallsyms_internal.h", "lib/Kconfig.debug", "lib/new.c", "lib/none.c", "crlf.txt"}
	check := func(reason string, want ...string) {
		t.Helper()
		got, err := tr.Dirty(files...)
		if err != nil || !cmp.Equal(got, want) {
			t.Errorf("%s: got %q, %v; want %q", reason, got, err, want)
		}
	}
	check("nothing touched, a line-end filter, and a file that nobody has")

	data, err := tr.ReadFile("Makefile")
	if err != nil {
		t.Fatal(err)
	}
	write(t, dir, "Makefile", string(data)) // a new time stamp
	check("the same content again")

	write(t, dir, "kernel/kallsyms.c", "changed\n")
	check("changed", "kernel/kallsyms.c")
	git(t, dir, "update-index", "--assume-unchanged", "kernel/kallsyms.c")
	check("changed, and hidden from git status", "kernel/kallsyms.c")
	if err := os.Remove(filepath.Join(dir, "kernel/kallsyms_internal.h")); err != nil {
		t.Fatal(err)
	}
	write(t, dir, "lib/new.c", "new\n")
	write(t, dir, "lib/Kconfig.debug", "staged\n")
	git(t, dir, "add", "lib/Kconfig.debug")
	check("changed, deleted, staged and new, in the order named",
		"kernel/kallsyms.c", "kernel/kallsyms_internal.h", "lib/Kconfig.debug", "lib/new.c")

	if got, err := tr.Dirty(); got != nil || err != nil {
		t.Errorf("no files: got %q, %v", got, err)
	}
	folder, err := tree.Open(treetest.Copy(t, "7.3"))
	if err != nil {
		t.Fatal(err)
	}
	if got, err := folder.Dirty(files...); got != nil || err != nil {
		t.Errorf("a folder: got %q, %v", got, err)
	}
}

// TestNothingWritten compares a git tree, its repository included, before and
// after every question that can be asked of it.
func TestNothingWritten(t *testing.T) {
	dir := treetest.Copy(t, "7.3", "include/linux/kallsyms.h", "scripts/kallsyms.c")
	commitAll(t, dir)
	now := time.Now().Add(time.Hour) // the index is stale: git would like to refresh it
	if err := os.Chtimes(filepath.Join(dir, "Makefile"), now, now); err != nil {
		t.Fatal(err)
	}
	before := stamps(t, dir)
	tr, err := tree.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	_, errFeatures := tr.Features()
	_, errDirty := tr.Dirty("Makefile", "kernel/kallsyms.c")
	_, errDate := tr.Date()
	if err := errors.Join(errFeatures, errDirty, errDate, tr.Supported()); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(before, stamps(t, dir)); diff != "" {
		t.Errorf("the tree was written to:\n%s", diff)
	}
}

// stamps maps every path to its size and times.
func stamps(t *testing.T, dir string) map[string]string {
	all := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		all[path] = fmt.Sprint(info.Size(), info.ModTime())
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}
