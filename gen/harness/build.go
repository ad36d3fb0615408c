// SPDX-License-Identifier: GPL-2.0-only

package harness

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// ErrCompile: the code under test does not compile with the stand-ins. Either
// it is wrong, or it uses a part of the kernel that they lack.
var ErrCompile = errors.New("the patched code does not compile in userspace")

// ErrMissingTool: a compiler or one of its libraries is not installed.
var ErrMissingTool = errors.New("missing tool")

// Profile is a set of compiler flags.
type Profile []string

// Sanitized finds memory errors and undefined behaviour, Threaded finds data
// races; Optimized is for measurements and compiles as the kernel does, with
// functions on cache lines, so that one that changes does not move another.
var (
	Sanitized = Profile{"-O1", "-g", "-fsanitize=address,undefined", "-fno-sanitize-recover=all", "-fno-omit-frame-pointer"}
	Optimized = Profile{"-O2", "-g", "-falign-functions=64"}
	Threaded  = Profile{"-O1", "-g", "-fsanitize=thread", "-fno-omit-frame-pointer"}
)

func (p Profile) name() string {
	for _, f := range p {
		if kind, ok := strings.CutPrefix(f, "-fsanitize="); ok {
			return strings.ReplaceAll(kind, ",", "-")
		}
	}
	return "plain"
}

// dialect is how the kernel is compiled: no libc, and signed arithmetic and
// pointers as the kernel relies on them.
var dialect = []string{"-std=gnu11", "-Wall", "-Wno-unused", "-fno-strict-aliasing", "-fwrapv", "-fno-builtin", "-nostdinc", "-D__KERNEL__",
	"-Werror=implicit-function-declaration", "-Werror=incompatible-pointer-types", "-Werror=int-conversion"}

// BuildChild compiles the kernel file with its stand-ins and returns the path
// of the program.
func (w *Work) BuildChild(ctx context.Context, v Variant, p Profile) (string, error) {
	base := filepath.Join(w.Dir, "build", "child-"+v.String()+"-"+p.name())
	if err := writeFile(base+".log", nil); err != nil {
		return "", err
	}
	if err := w.CompileUnit(ctx, v, p, filepath.Join(w.Dir, "unit.c"), base+"-unit.o"); err != nil {
		return "", err
	}
	shim, err := filepath.Glob(filepath.Join(w.Dir, "shim", "*"))
	if err != nil {
		return "", err
	}
	flags := slices.Concat(p, v.flags(), []string{"-pthread"})
	runtime := append([]string{filepath.Join(w.Dir, "shim", "runtime.c")}, shim...)
	if err := w.compileOnce(ctx, v.Compiler, flags, base+"-runtime.o", runtime...); err != nil {
		return "", err
	}
	return base, w.compile(ctx, v.Compiler, slices.Concat(flags, []string{base + "-runtime.o", base + "-unit.o", "-o", base}))
}

// CompileUnit compiles a C file that includes the kernel file and what it wants
// of the stand-ins into an object file.
func (w *Work) CompileUnit(ctx context.Context, v Variant, p Profile, source, object string) error {
	return w.compile(ctx, v.Compiler, slices.Concat(p, v.flags(), dialect, []string{
		"-I" + filepath.Join(w.Dir, "shim"), "-I" + filepath.Join(w.Dir, "stubs"), "-c", source, "-o", object}))
}

// BuildHostTool compiles the patched scripts/kallsyms.c for this machine.
//
// nonnull-attribute is off: the stock tool sorts an empty table by passing
// qsort() a null pointer.
func (w *Work) BuildHostTool(ctx context.Context, compiler string, unsignedChar bool, p Profile) (string, error) {
	v := Variant{Compiler: compiler, Bits: 64, UnsignedChar: unsignedChar}
	name := filepath.Join(w.Dir, "build", "kallsyms-"+v.String()+"-"+p.name())
	if err := writeFile(name+".log", nil); err != nil {
		return "", err
	}
	flags := slices.Concat(p, v.flags()[:2], []string{"-std=gnu11", "-Wall", "-fno-sanitize=nonnull-attribute"})
	search := "-I" + filepath.Join(w.Dir, "tree", "scripts", "include")
	if err := w.compileOnce(ctx, compiler, append(flags, search), name+".o", w.tool...); err != nil {
		return "", err
	}
	server := filepath.Join(w.Dir, "shim", "toolserver.c")
	if err := w.compileOnce(ctx, compiler, flags, name+"-server.o", server); err != nil {
		return "", err
	}
	return name, w.compile(ctx, compiler, slices.Concat(flags, []string{"-Wl,--wrap=main", name + ".o", name + "-server.o", "-o", name}))
}

// compile runs a compiler in the work folder, so that its messages name files
// as they lie there.
func (w *Work) compile(ctx context.Context, compiler string, args []string) error {
	return run(ctx, w.Dir, compiler, w.relative(args))
}

// relative has the work folder taken off the paths in arguments.
func (w *Work) relative(args []string) []string {
	out := make([]string, len(args))
	for i, a := range args {
		out[i] = strings.ReplaceAll(a, w.Dir+string(filepath.Separator), "")
	}
	return out
}

func run(ctx context.Context, dir, compiler string, args []string) error {
	cmd := exec.CommandContext(ctx, compiler, args...)
	cmd.Dir = dir
	// What a compiler that is killed has no time to remove goes with the folder.
	cmd.Env = append(cmd.Environ(), "LC_ALL=C", "TMPDIR=.")
	out, err := cmd.CombinedOutput()
	switch {
	case err == nil:
		return nil
	case errors.Is(err, exec.ErrNotFound):
		return fmt.Errorf("%w: %s; install it (on Debian: apt install %s)", ErrMissingTool, compiler, filepath.Base(compiler))
	case bytes.Contains(out, []byte("cannot find")):
		return fmt.Errorf("%w: libraries of %s for %s: %s; install them (on Debian: gcc-multilib, libclang-rt-dev)",
			ErrMissingTool, compiler, strings.Join(args[:3], " "), firstLines(out, 1))
	}
	return fmt.Errorf("%w: %s: %s", ErrCompile, compiler, errorLines(out))
}

// errorLines picks the errors out of a compiler's output, or its beginning.
func errorLines(out []byte) string {
	var picked []string
	for line := range strings.Lines(string(out)) {
		if strings.Contains(line, "error:") && len(picked) < 5 {
			picked = append(picked, strings.TrimSpace(line))
		}
	}
	if picked == nil {
		return firstLines(out, 3)
	}
	return strings.Join(picked, "; ")
}

func firstLines(out []byte, n int) string {
	lines := strings.SplitN(strings.TrimSpace(string(out)), "\n", n+1)
	return strings.Join(lines[:min(n, len(lines))], "; ")
}
