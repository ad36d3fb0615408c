// SPDX-License-Identifier: GPL-2.0-only

package series

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"kgen/gen/manifest"
)

func TestPlaceRefuses(t *testing.T) {
	dir := t.TempDir()
	tree := filepath.Join(dir, "tree")
	for _, d := range []string{"tree/lib", "repo/.git", "old", "kept/mine", "holds", "other/kernel", "other/Makefile"} {
		if err := os.MkdirAll(filepath.Join(dir, d), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "file"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	for link, to := range map[string]string{"link": "tree/lib", "treelink": "tree", "above": "."} {
		if err := os.Symlink(filepath.Join(dir, to), filepath.Join(dir, link)); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("HOME", filepath.Join(dir, "holds", "home"))
	t.Chdir(dir)
	for _, tt := range []struct {
		reason, out string
		force       bool
		want        error
	}{
		{"the tree itself", "tree", true, ErrInsideTree},
		{"below the tree", "tree/out", false, ErrInsideTree},
		{"below the tree, deeply, not there yet", "tree/a/b/c", false, ErrInsideTree},
		{"below the tree by a link", "link/out", false, ErrInsideTree},
		{"below the tree by dots", "old/../tree/out", false, ErrInsideTree},
		{"there already", "old", false, ErrExists},
		{"a file", "file", true, ErrPrecious},
		{"what kgen did not make", "kept", true, ErrPrecious},
		{"a repository", "repo", true, ErrPrecious},
		{"a repository's own files", "repo/.git", true, ErrPrecious},
		{"another kernel tree", "other", true, ErrPrecious},
		{"what holds the tree", ".", true, ErrPrecious},
		{"what holds the home folder", "holds", true, ErrPrecious},
		{"below a file", "file/out", false, ErrOutput},
		{"no name", "", false, ErrOutput},
	} {
		for _, named := range []string{tree, filepath.Join(dir, "treelink"), filepath.Join(dir, "above", "tree")} {
			p, err := newPlace(tt.out, named, tt.force)
			if !errors.Is(err, tt.want) {
				t.Errorf("%s, the tree named %s: %v, want %v", tt.reason, named, err, tt.want)
			}
			if p != nil {
				p.abandon()
			}
		}
	}
	if left, _ := filepath.Glob(filepath.Join(dir, ".*.kgen-*")); left != nil {
		t.Errorf("refusals left %v behind", left)
	}
}

// TestPlaceHoldsTree: a folder that holds nothing but the tree is not replaced, when
// the tree is named by a link from elsewhere either.
func TestPlaceHoldsTree(t *testing.T) {
	up, link := filepath.Join(t.TempDir(), "up"), filepath.Join(t.TempDir(), "link")
	if err := os.MkdirAll(filepath.Join(up, "tree"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(up, manifest.FileName), []byte(`{"format": 1}`), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(filepath.Join(up, "tree"), link); err != nil {
		t.Fatal(err)
	}
	p, err := newPlace(up, link, true)
	if !errors.Is(err, ErrPrecious) {
		t.Errorf("%v, want ErrPrecious", err)
	}
	if p != nil {
		p.abandon()
	}
}

// TestPlaceLate: a folder that came into being meanwhile is not replaced without
// --force.
func TestPlaceLate(t *testing.T) {
	out := filepath.Join(t.TempDir(), "out")
	p, err := newPlace(out, "/nowhere", false)
	if err != nil {
		t.Fatal(err)
	}
	defer p.abandon()
	if err := os.MkdirAll(filepath.Join(out, "kept"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := p.commit(); !errors.Is(err, ErrExists) {
		t.Errorf("commit over a late folder: %v, want ErrExists", err)
	}
	if _, err := os.Stat(filepath.Join(out, "kept")); err != nil {
		t.Errorf("the late folder is gone: %v", err)
	}
}

func TestPlaceCommit(t *testing.T) {
	dir := t.TempDir()
	out := filepath.Join(dir, "deep", "out")
	fill := func(text string, force bool) *place {
		t.Helper()
		p, err := newPlace(out, "/nowhere", force)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(p.dir, manifest.FileName), []byte(`{"format": 1, "name": "`+text+`"}`), 0o644); err != nil {
			t.Fatal(err)
		}
		return p
	}
	p := fill("first", false)
	if _, err := os.Lstat(out); err == nil {
		t.Error("the folder is there before it is whole")
	}
	if err := p.commit(); err != nil {
		t.Fatal(err)
	}
	fill("dropped", true).abandon()
	if err := fill("second", true).commit(); err != nil {
		t.Fatal(err)
	}
	if text, err := os.ReadFile(filepath.Join(out, manifest.FileName)); !strings.Contains(string(text), `"second"`) {
		t.Errorf("after --force: %q, %v, want the second", text, err)
	}
	entries, err := os.ReadDir(filepath.Dir(out))
	if err != nil || len(entries) != 1 || strings.HasPrefix(entries[0].Name(), ".") {
		t.Errorf("beside the folder: %v, %v, want nothing", entries, err)
	}
	if info, err := os.Stat(out); err != nil || info.Mode().Perm() != 0o755 {
		t.Errorf("mode %v, %v, want 0755 as any folder", info.Mode(), err)
	}
}
