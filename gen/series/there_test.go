// SPDX-License-Identifier: GPL-2.0-only

package series

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"kgen/gen/csrc"
	"kgen/gen/mechanism"
	"kgen/gen/tree"
	"kgen/gen/tree/treetest"
	"kgen/patches"
	"kgen/templates"
)

// core are the mechanisms of the core kernel's lookups.
var core = []string{"density", "sub-markers", "static-index", "name-offsets", "hash-order", "token-match", "seq-unroll", "batch-index", "perf-test", "host-limits"}

// grown copies the files that core mechanisms touch out of a fetched tree, with
// some of them replaced, and opens the copy.
func grown(t *testing.T, treeName string, files map[string][]byte) *tree.Tree {
	t.Helper()
	from, to := treetest.Dir(t, treeName), t.TempDir()
	wanted := map[string]bool{"Makefile": true, "Kbuild": true, "Kconfig": true, "MAINTAINERS": true, "include/linux/kallsyms.h": true, "kernel/trace/ftrace.c": true, "kernel/module/kallsyms.c": true, "scripts/checkpatch.pl": true}
	for _, name := range core {
		m, err := mechanism.Load(templates.FS, name)
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range m.Touches() {
			wanted[file] = true
		}
	}
	for name := range wanted {
		data, err := os.ReadFile(filepath.Join(from, name))
		if edited, ok := files[name]; ok {
			data, err = edited, nil
		}
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err == nil {
			err = os.MkdirAll(filepath.Dir(filepath.Join(to, name)), 0o755)
		}
		if err == nil {
			err = os.WriteFile(filepath.Join(to, name), data, 0o644)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	tr, err := tree.Open(to)
	if err != nil {
		t.Fatal(err)
	}
	return tr
}

// composedOn works out mechanisms for a tree.
func composedOn(t *testing.T, tr *tree.Tree, with string) (*plan, error) {
	t.Helper()
	s, values, err := Compose(templates.FS, with)
	if err != nil {
		t.Fatal(err)
	}
	return newPlan(Options{Series: s, Values: values, Tree: tr, Patches: patches.FS, Templates: templates.FS, Warn: func(string) {}})
}

// after is a fetched tree with mechanisms in.
func after(t *testing.T, treeName, with string) *tree.Tree {
	t.Helper()
	o := options(t, treeName, "", 4)
	var err error
	if o.Series, o.Values, err = Compose(templates.FS, with); err != nil {
		t.Fatal(err)
	}
	files, err := Edited(o)
	if err != nil {
		t.Fatal(err)
	}
	return grown(t, treeName, files)
}

// Of what the tree has, the tree says how; what is asked for otherwise is refused.
func TestTreeHasOtherValues(t *testing.T) {
	for _, tt := range []struct {
		reason, tree, with string
		says               string // "" is all there already
		shift              int
	}{
		{"the same shift", "density=3", "density=3", "", 3},
		{"no shift is asked for", "density=3", "density", "", 3},
		{"another shift", "density=3", "density=4", "density is in the tree already, with shift 3 and not 4; generate with --shift 3", 0},
		{"another shift, and what the tree lacks", "density=3", "density=4,token-match", "with shift 3 and not 4", 0},
		{"what the tree lacks", "density=3", "density,token-match", "", 3},
		{"other starts", "hash-order:start-bits=16", "hash-order:start-bits=8", "with start-bits 16 and not 8", 0},
	} {
		p, err := composedOn(t, after(t, "7.3", tt.tree), tt.with)
		switch {
		case tt.says != "":
			if !errors.Is(err, ErrOther) || !errors.Is(err, csrc.ErrDrift) || !strings.Contains(err.Error(), tt.says) {
				t.Errorf("%s: %v, want ErrOther with %q", tt.reason, err, tt.says)
			}
		case err != nil && !errors.Is(err, ErrNothing):
			t.Errorf("%s: %v", tt.reason, err)
		case err == nil && p.params["shift"] != tt.shift:
			t.Errorf("%s: shift %d, want the tree's %d", tt.reason, p.params["shift"], tt.shift)
		}
	}
}

// On a tree that has one mechanism, another one works, or is refused with the name
// of the one that is in its way, and with the reason where they exclude each other.
func TestTreeHasAnother(t *testing.T) {
	for _, a := range core {
		t.Run(a, func(t *testing.T) {
			t.Parallel()
			tr := after(t, "7.3", a)
			first, err := mechanism.Load(templates.FS, a)
			if err != nil {
				t.Fatal(err)
			}
			for _, b := range core {
				second, err := mechanism.Load(templates.FS, b)
				if err != nil {
					t.Fatal(err)
				}
				reason, conflict := second.Against(first)
				_, err = composedOn(t, tr, b)
				switch {
				case a == b:
					if !errors.Is(err, ErrNothing) {
						t.Errorf("%s on itself: %v, want ErrNothing", a, err)
					}
				case conflict:
					if !errors.Is(err, ErrOther) || !strings.Contains(err.Error(), reason) {
						t.Errorf("%s on %s: %v, want ErrOther and %q", b, a, err, reason)
					}
				case err != nil && (!errors.Is(err, ErrOther) || !strings.Contains(err.Error(), a+" is in the tree")):
					t.Errorf("%s on %s: %v, want ErrOther with its name", b, a, err)
				}
			}
		})
	}
}

// What git am could not apply is not generated.
func TestUnmailable(t *testing.T) {
	const file = "kernel/kallsyms.c"
	base := treetest.Dir(t, "7.3")
	text, err := os.ReadFile(filepath.Join(base, file))
	if err != nil {
		t.Fatal(err)
	}
	dos := grown(t, "7.3", map[string][]byte{file: []byte(strings.ReplaceAll(string(text), "\n", "\r\n"))})
	linked := grown(t, "7.3", nil)
	name := filepath.Join(linked.Dir, file)
	if err := errors.Join(os.Remove(name), os.Symlink(filepath.Join(base, file), name)); err != nil {
		t.Fatal(err)
	}
	folder := grown(t, "7.3", nil)
	name = filepath.Join(folder.Dir, "scripts")
	if err := errors.Join(os.Rename(name, name+".d"), os.Symlink(name+".d", name)); err != nil {
		t.Fatal(err)
	}
	for says, tr := range map[string]*tree.Tree{"CR and LF": dos, file + ": has drifted: expected a file or folder": linked, "scripts: has drifted": folder} {
		if _, err := composedOn(t, tr, "density,token-match"); !errors.Is(err, csrc.ErrDrift) || !strings.Contains(err.Error(), says) {
			t.Errorf("%v, want drift with %q", err, says)
		}
	}
	if _, err := composedOn(t, grown(t, "7.3", nil), "density,token-match"); err != nil {
		t.Errorf("a copy of the tree: %v", err)
	}
}
