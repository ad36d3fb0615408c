// SPDX-License-Identifier: GPL-2.0-only

package check

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
)

// tool is a program that a rung runs, or that kbuild runs for it.
type tool struct {
	name    string
	pack    string // Debian's package that has it
	rung    Rung   // the first that needs it
	version []string
}

// tools lists what the ladder needs. Versions are recorded of those that decide
// the outcome.
var tools = []tool{
	{"git", "git", Apply, []string{"--version"}},
	{"perl", "perl", Style, []string{"-e", `printf "%vd", $^V`}},
	{"gcc", "gcc", Build, []string{"-dumpfullversion"}},
	{"make", "make", Build, []string{"--version"}},
	{"ld", "binutils", Build, []string{"--version"}},
	{"flex", "flex", Build, nil},
	{"bison", "bison", Build, nil},
	{"bc", "bc", Build, nil},
	{"clang", "clang", Agree, []string{"--version"}},
	{"qemu-system-x86_64", "qemu-system-x86", Boot, []string{"--version"}},
}

// headers that the tree's host programs include.
var headers = []struct{ name, pack string }{
	{"stdio.h", "libc6-dev"},
	{"gelf.h", "libelf-dev"},
}

// toolSet maps the tools found to their versions.
type toolSet map[string]string

// toolError says which package has a missing tool.
func toolError(name string) error {
	pack := name
	for _, t := range tools {
		if t.name == name {
			pack = t.pack
		}
	}
	return fmt.Errorf("%w: %s; install it with: apt-get install %s", ErrTool, name, pack)
}

// findTools checks, before anything runs, that every rung up to o.To has what it
// needs.
func findTools(ctx context.Context, o Options) (toolSet, error) {
	needed := tools
	if o.reaches(Build) {
		if runtime.GOARCH != "amd64" {
			return nil, fmt.Errorf("%w: a gcc that compiles for x86_64 by itself (this machine is %s); use --to style here", ErrTool, runtime.GOARCH)
		}
		if python, err := wantsPython(o); err != nil {
			return nil, err
		} else if python {
			needed = append(slices.Clone(tools), tool{"python3", "python3", Build, nil})
		}
	}
	if o.To != Apply {
		if _, err := os.Stat(filepath.Join(o.Tree.Dir, checkpatchPath)); err != nil {
			return nil, fmt.Errorf("%s: %w (%w); the tree is not complete: use a complete one, or --to apply", o.Tree.Dir, ErrNoCheckpatch, err)
		}
	}
	set := make(toolSet)
	for _, t := range needed {
		if !o.reaches(t.rung) {
			continue
		}
		if _, err := exec.LookPath(t.name); err != nil {
			return nil, toolError(t.name)
		}
		if t.version == nil {
			continue
		}
		out, err := proc{name: t.name, args: t.version}.run(ctx)
		if err != nil {
			return nil, err
		}
		first, _, _ := strings.Cut(out.stdout, "\n")
		set[t.name] = strings.TrimPrefix(first, t.name+" version ")
	}
	if o.reaches(Build) {
		return set, findHeaders(ctx)
	}
	return set, nil
}

// findHeaders asks the compiler, since only it knows where it looks.
func findHeaders(ctx context.Context) error {
	for _, h := range headers {
		out, err := proc{name: "gcc", args: []string{"-fsyntax-only", "-include", h.name, "-x", "c", os.DevNull}}.run(ctx)
		if err != nil {
			return err
		}
		if out.code != 0 {
			return fmt.Errorf("%w: the header %s; install it with: apt-get install %s", ErrTool, h.name, h.pack)
		}
	}
	return nil
}

// wantsPython tells whether W=1 runs kernel-doc with python3, as newer trees do.
func wantsPython(o Options) (bool, error) {
	data, err := o.Tree.ReadFile("scripts/Makefile.build")
	if errors.Is(err, fs.ErrNotExist) {
		return false, fmt.Errorf("%s: no scripts/Makefile.build; the tree is not complete: use a complete one, or --to style", o.Tree.Dir)
	}
	return strings.Contains(string(data), "$(PYTHON3) $(KERNELDOC)"), err
}

// versionsFor picks the tools that had a part in the rung.
func (s toolSet) versionsFor(rung Rung) map[string]string {
	out := make(map[string]string)
	for _, t := range tools {
		if v, ok := s[t.name]; ok && t.rung == rung {
			out[t.name] = v
		}
	}
	return out
}
