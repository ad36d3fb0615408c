// SPDX-License-Identifier: GPL-2.0-only

package tree_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"

	"kgen/gen/tree"
	"kgen/gen/tree/treetest"
)

// write makes a file and its folders.
func write(t *testing.T, dir, rel, text string) {
	t.Helper()
	path := filepath.Join(dir, rel)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func TestOpenFetched(t *testing.T) {
	for _, name := range []string{"7.3", "6.12", "6.1"} {
		dir := treetest.Dir(t, name)
		byName, err := tree.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		byPath, err := tree.Open(dir)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(byName, byPath); diff != "" {
			t.Errorf("%s: the name and the path give different trees:\n%s", name, diff)
		}
		if byName.Name != name || byName.Dir != dir || byName.Flavour != tree.Folder || byName.Base != "" {
			t.Errorf("%s: got %+v", name, byName)
		}
		if !strings.HasPrefix(byName.Version, name+".") {
			t.Errorf("%s: version %s", name, byName.Version)
		}
	}
}

func TestOpenPaths(t *testing.T) {
	dir := treetest.Copy(t, "7.3")
	t.Setenv("HOME", filepath.Dir(dir))
	t.Chdir(filepath.Join(dir, "kernel"))
	if err := os.Symlink(dir, filepath.Join(dir, "link")); err != nil {
		t.Fatal(err)
	}
	tests := []struct{ reason, path, want string }{
		{"absolute", dir, dir},
		{"relative", "..", dir},
		{"unclean", "../kernel/../", dir},
		{"below the home folder, not expanded by the shell", "~/" + filepath.Base(dir), dir},
		{"a link keeps its name", "../link", filepath.Join(dir, "link")},
	}
	for _, tt := range tests {
		got, err := tree.Open(tt.path)
		if err != nil {
			t.Errorf("%s: %v", tt.reason, err)
		} else if got.Dir != tt.want {
			t.Errorf("%s: Open(%q) is in %s, want %s", tt.reason, tt.path, got.Dir, tt.want)
		}
	}
}

func TestVersion(t *testing.T) {
	tests := []struct{ reason, makefile, want string }{
		{"a stable release", "VERSION = 7\nPATCHLEVEL = 3\nSUBLEVEL = 4\nEXTRAVERSION =\n", "7.3.4"},
		{"a release candidate", "VERSION = 7\nPATCHLEVEL = 4\nSUBLEVEL = 0\nEXTRAVERSION = -rc2\n", "7.4.0-rc2"},
		{"no spaces, and a comment", "VERSION=7\nPATCHLEVEL:=3 # next\nSUBLEVEL=1\n", "7.3.1"},
		{"without SUBLEVEL, as make composes it", "VERSION = 7\nPATCHLEVEL = 3\n", "7.3"},
		{"only the first assignment, and no other variable", "VERSION = 7\nPATCHLEVEL = 3\nMY_VERSION = 9\nifdef X\n VERSION = 8\nendif\nVERSION = 1\n", "7.3"},
	}
	for _, tt := range tests {
		dir := treetest.Copy(t, "7.3")
		write(t, dir, "Makefile", tt.makefile)
		got, err := tree.Open(dir)
		if err != nil {
			t.Errorf("%s: %v", tt.reason, err)
		} else if got.Version != tt.want {
			t.Errorf("%s: version %q, want %q", tt.reason, got.Version, tt.want)
		}
	}
}

func TestOpenRefuses(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "file", "")
	write(t, dir, "empty/README", "")
	write(t, dir, "other/Makefile", "VERSION = 1\nPATCHLEVEL = 2\n")
	write(t, dir, "noversion/Makefile", "all:\n")
	write(t, dir, "noversion/kernel/kallsyms.c", "")
	write(t, dir, "letters/Makefile", "VERSION = x\nPATCHLEVEL = 3\n")
	write(t, dir, "letters/kernel/kallsyms.c", "")
	write(t, dir, "cache/kgen/trees/7.3/README", "")
	write(t, dir, "folder/Makefile/x", "")
	if err := os.Symlink("loop", filepath.Join(dir, "loop")); err != nil {
		t.Fatal(err)
	}
	t.Setenv("XDG_CACHE_HOME", filepath.Join(dir, "cache"))
	tests := []struct {
		reason, path string
		want         error
		says         string
	}{
		{"nothing named", "", tree.ErrNotKernel, "no tree named"},
		{"no such path", filepath.Join(dir, "nowhere"), tree.ErrNotKernel, "does not exist"},
		{"a path through a file", filepath.Join(dir, "file/x"), tree.ErrNotKernel, "does not exist"},
		{"a file", filepath.Join(dir, "file"), tree.ErrNotKernel, "is a file"},
		{"a folder of something else", filepath.Join(dir, "empty"), tree.ErrNotKernel, "has no Makefile"},
		{"a project with a version", filepath.Join(dir, "other"), tree.ErrNotKernel, "has no kernel/kallsyms.c"},
		{"a Makefile without a version", filepath.Join(dir, "noversion"), tree.ErrNotKernel, "sets no VERSION"},
		{"a version that is no number", filepath.Join(dir, "letters"), tree.ErrNotKernel, `sets VERSION to "x"; expected a number`},
		{"a release that is not there whole", "7.3", tree.ErrNotKernel, "the fetched 7.3 has no Makefile; remove " + filepath.Join(dir, "cache/kgen/trees/7.3") + " and run kgen tree fetch 7.3"},
		{"a folder in the place of a file", filepath.Join(dir, "folder"), tree.ErrUnreadable, "is a directory"},
		{"links in a circle", filepath.Join(dir, "loop"), tree.ErrUnreadable, "symbolic links"},
		{"a release that is not fetched", "6.12", tree.ErrNotKernel, "run kgen tree fetch 6.12"},
	}
	for _, tt := range tests {
		_, err := tree.Open(tt.path)
		if !errors.Is(err, tt.want) || !strings.Contains(err.Error(), tt.says) {
			t.Errorf("%s: got error %v, want %v that says %q", tt.reason, err, tt.want, tt.says)
		} else if strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: the message has several lines: %q", tt.reason, err)
		}
	}
}

func TestReadFile(t *testing.T) {
	dir := treetest.Copy(t, "7.3")
	write(t, filepath.Dir(dir), "secret", "x")
	if err := syscall.Mkfifo(filepath.Join(dir, "pipe"), 0o600); err != nil {
		t.Fatal(err)
	}
	tr, err := tree.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		reason, rel string
		want        error
	}{
		{"a pipe that nobody writes to", "pipe", tree.ErrUnreadable},
		{"a file", "kernel/kallsyms.c", nil},
		{"one that is missing", "kernel/none.c", fs.ErrNotExist},
		{"one below a file", "Makefile/x", fs.ErrNotExist},
		{"a folder", "kernel", tree.ErrUnreadable},
		{"outside the tree", "../secret", tree.ErrUnreadable},
		{"absolute", filepath.Join(dir, "Makefile"), tree.ErrUnreadable},
	}
	for _, tt := range tests {
		if _, err := tr.ReadFile(tt.rel); !errors.Is(err, tt.want) {
			t.Errorf("%s: ReadFile(%q) gave error %v, want %v", tt.reason, tt.rel, err, tt.want)
		}
	}
}

// TestUnreadable opens trees as a user who may not read them. That root may read
// everything is a capability of the thread, which it loses with its file-system
// user and gets back with it.
func TestUnreadable(t *testing.T) {
	tests := []struct{ reason, forbid, says string }{
		{"the folder", ".", "permission denied"},
		{"a folder in it", "kernel", "kernel/kallsyms.c: permission denied"},
		{"a file", "Makefile", "Makefile: permission denied"},
	}
	for _, tt := range tests {
		dir := treetest.Copy(t, "7.3")
		for parent := dir; parent != os.TempDir(); parent = filepath.Dir(parent) {
			if err := os.Chmod(parent, 0o755); err != nil {
				t.Fatal(err)
			}
		}
		forbidden := filepath.Join(dir, tt.forbid)
		if err := os.Chmod(forbidden, 0); err != nil {
			t.Fatal(err)
		}
		err := asNobody(func() error { _, err := tree.Open(dir); return err })
		if err := os.Chmod(forbidden, 0o755); err != nil { // so that it can be removed
			t.Fatal(err)
		}
		if !errors.Is(err, tree.ErrUnreadable) || !strings.Contains(err.Error(), tt.says) || !strings.Contains(err.Error(), "check its owner and permissions") {
			t.Errorf("%s: got %v, want ErrUnreadable that says %q", tt.reason, err, tt.says)
		}
	}
}

// asNobody calls f with the rights on files that an unprivileged user has.
func asNobody(f func() error) error {
	if os.Geteuid() != 0 {
		return f()
	}
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	syscall.RawSyscall(syscall.SYS_SETFSUID, 65534, 0, 0)
	defer syscall.RawSyscall(syscall.SYS_SETFSUID, 0, 0, 0)
	return f()
}
