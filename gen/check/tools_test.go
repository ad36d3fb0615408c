// SPDX-License-Identifier: GPL-2.0-only

package check

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"kgen/gen/tree/treetest"
)

// pathWithout makes PATH lead to the programs of the machine but for one.
func pathWithout(t *testing.T, missing string) {
	t.Helper()
	bin := t.TempDir()
	for _, dir := range filepath.SplitList(os.Getenv("PATH")) {
		entries, err := os.ReadDir(dir)
		if err != nil {
			continue // PATH may name folders that do not exist
		}
		for _, e := range entries {
			if e.Name() != missing {
				// The first in PATH wins, as in a shell.
				_ = os.Symlink(filepath.Join(dir, e.Name()), filepath.Join(bin, e.Name()))
			}
		}
	}
	t.Setenv("PATH", bin)
}

func TestMissingTool(t *testing.T) {
	dir := treetest.Dir(t, "7.3")
	s := load(t, threePatches(t))
	for _, c := range []struct {
		tool, pack string
		to, below  Rung // fails at to, and below does not need it
	}{
		{"git", "git", Apply, ""},
		{"perl", "perl", Style, Apply},
		{"gcc", "gcc", Build, Style},
		{"make", "make", Build, Style},
		{"flex", "flex", Build, Style},
		{"bison", "bison", Build, Style},
		{"bc", "bc", Build, Style},
		{"python3", "python3", Build, Style},
	} {
		t.Run(c.tool, func(t *testing.T) {
			pathWithout(t, c.tool)
			_, err := findTools(t.Context(), options(t, s, dir, c.to))
			if want := "apt-get install " + c.pack; !errors.Is(err, ErrTool) || !strings.Contains(err.Error(), want) {
				t.Errorf("--to %s: %v, want ErrTool and %q", c.to, err, want)
			}
			if c.below == "" {
				return
			}
			if _, err := findTools(t.Context(), options(t, s, dir, c.below)); err != nil {
				t.Errorf("--to %s does not need it: %v", c.below, err)
			}
		})
	}
}

// A header is looked for by the compiler: here one that finds no gelf.h.
func TestMissingHeader(t *testing.T) {
	gcc, err := exec.LookPath("gcc")
	if err != nil {
		t.Fatal(err)
	}
	pathWithout(t, "gcc")
	script := "#!/bin/sh\ncase \"$*\" in *gelf.h*) echo no gelf.h >&2; exit 1;; esac\nexec " + gcc + " \"$@\"\n"
	if err := os.WriteFile(filepath.Join(os.Getenv("PATH"), "gcc"), []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	_, err = findTools(t.Context(), options(t, load(t, threePatches(t)), treetest.Dir(t, "7.3"), Build))
	if !errors.Is(err, ErrTool) || !strings.Contains(err.Error(), "gelf.h; install it with: apt-get install libelf-dev") {
		t.Errorf("error %v, want gelf.h and libelf-dev", err)
	}
}
