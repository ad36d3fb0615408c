// SPDX-License-Identifier: GPL-2.0-only

package harness

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
)

// Tree gives the files of a kernel tree by their slash-separated path. A file
// that is not there is fs.ErrNotExist. os.DirFS has the method; Folder wraps it.
type Tree interface {
	ReadFile(name string) ([]byte, error)
}

// Folder is the kernel tree in a folder.
func Folder(dir string) Tree { return os.DirFS(dir).(fs.ReadFileFS) }

// Source is the code under test: a tree with a series applied, and the same
// tree without it, which tells the headers that the series brings from those
// of the kernel.
type Source struct {
	Patched, Base Tree
}

// The files under test, in the tree.
const (
	kernelFile   = "kernel/kallsyms.c"
	hostToolFile = "scripts/kallsyms.c"
)

// extraction copies the files of a tree that one compilation needs. Headers of
// the series are taken as they are; headers of the kernel become stubs that
// bring in the stand-ins.
type extraction struct {
	src     Source
	dir     string   // the work folder
	search  []string // where <header> is looked for in the tree, host tool only
	stubs   bool     // <header> becomes a stub, kernel files only
	done    map[string]bool
	externs []string // names of the tables, in order of declaration
}

var includeLine = regexp.MustCompile(`(?m)^[ \t]*#[ \t]*include[ \t]*([<"])([^>"\n]+)[>"]`)

// file copies one file of the patched tree to DIR/tree/NAME, and what it
// includes.
func (x *extraction) file(name string) error {
	if x.done[name] {
		return nil
	}
	x.done[name] = true
	text, err := x.src.Patched.ReadFile(name)
	if err != nil {
		return fmt.Errorf("the patched tree: %w", err)
	}
	if err := writeFile(filepath.Join(x.dir, "tree", filepath.FromSlash(name)), text); err != nil {
		return err
	}
	if x.stubs {
		x.externs = append(x.externs, externs(string(text))...)
	}
	for _, m := range includeLine.FindAllStringSubmatch(string(text), -1) {
		if err := x.include(name, m[1] == `"`, m[2]); err != nil {
			return err
		}
	}
	return nil
}

func (x *extraction) include(from string, quoted bool, header string) error {
	if quoted {
		beside := path.Join(path.Dir(from), header)
		if x.exists(x.src.Patched, beside) {
			return x.file(beside)
		}
	}
	for _, dir := range x.search {
		if x.exists(x.src.Patched, path.Join(dir, header)) {
			return x.file(path.Join(dir, header))
		}
	}
	if !x.stubs {
		return nil // a header of the host's libc
	}
	return x.stub(header)
}

// stub stands in for a header of the kernel. One that only the series has is
// taken as it is; from one that the series changes, the constants it adds are
// taken.
func (x *extraction) stub(header string) error {
	real := path.Join("include", header)
	name := filepath.Join(x.dir, "stubs", filepath.FromSlash(header))
	if x.done[real] {
		return nil
	}
	x.done[real] = true
	text := "#include <kernel.h>\n"
	patched, err := x.src.Patched.ReadFile(real)
	if err == nil {
		base, err := x.src.Base.ReadFile(real)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			delete(x.done, real)
			if err := x.file(real); err != nil {
				return err
			}
			text += fmt.Sprintf("#include \"%s\"\n", filepath.Join(x.dir, "tree", filepath.FromSlash(real)))
		case err != nil:
			return fmt.Errorf("the tree without the series: %w", err)
		default:
			text += addedConstants(string(base), string(patched))
		}
	}
	return writeFile(name, []byte(text))
}

var constantLine = regexp.MustCompile(`(?m)^[ \t]*#[ \t]*define[ \t]+([A-Za-z_]\w*)[ \t]+[^\n]*[^\n\\]$`)

// addedConstants lists the one-line #defines without parameters that only the
// patched text of a header has.
func addedConstants(base, patched string) string {
	known := map[string]bool{}
	for _, line := range constantLine.FindAllString(base, -1) {
		known[line] = true
	}
	var out strings.Builder
	for _, m := range constantLine.FindAllStringSubmatch(patched, -1) {
		if !known[m[0]] {
			fmt.Fprintf(&out, "#ifndef %s\n%s\n#endif\n", m[1], m[0])
		}
	}
	return out.String()
}

func (x *extraction) exists(t Tree, name string) bool {
	_, err := t.ReadFile(name)
	return err == nil
}

func writeFile(name string, data []byte) error {
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return err
	}
	return os.WriteFile(name, data, 0o644)
}
