// SPDX-License-Identifier: GPL-2.0-only

package modharness

import (
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"kgen/gen/csrc"
	"kgen/gen/harness"
)

//go:embed shim
var shim embed.FS

// The files under test, in the tree.
const (
	kallsymsFile = "kernel/module/kallsyms.c"
	mainFile     = "kernel/module/main.c"
	ftraceFile   = "kernel/trace/ftrace.c"
)

// Files are the files that a series may change to be compared here.
var Files = []string{kallsymsFile, mainFile, ftraceFile, "kernel/module/internal.h", "include/linux/module.h", "include/linux/module_symbol.h"}

// whole are files of the tree that are taken as they are, in the order in which
// they are compiled; headers first, by how they are included.
var whole = []struct{ file, header string }{
	{"include/uapi/linux/elf.h", "linux/elf.h"},
	{"include/linux/bsearch.h", "linux/bsearch.h"},
	{"include/linux/sort.h", "linux/sort.h"},
	{"include/linux/module_symbol.h", "linux/module_symbol.h"},
	{"include/linux/module.h", "linux/module.h"},
	{file: "kernel/module/internal.h"},
	{file: "lib/sort.c"},
	{file: kallsymsFile},
}

// excerpts are the files of which only a part is taken: the steps of loading a
// module and what looks up functions to trace, with all they use that neither
// the files above nor the stand-ins have.
var excerpts = []struct {
	file  string
	roots []string
}{
	{mainFile, []string{"module_mutex", "modules", "mod_tree", "find_module_all", "module_get_offset_and_type",
		"__module_address", "cmp_name", formFunction, "do_init_module", "do_free_init", "free_module"}},
	{ftraceFile, []string{"ftrace_lock", "ftrace_pages_start", "struct ftrace_page", "test_for_valid_rec",
		"ftrace_module_enable", "ftrace_lookup_symbols"}},
}

// Work is a folder with everything that building the code under test for one
// architecture needs.
type Work struct {
	*harness.Work
	Arch   Arch
	Single bool // ftrace_lookup_symbols() looks one name up by itself first
}

// Prepare fills the folder dir from a source:
//
//	dir/tree/   files under test, unchanged, and the parts that are taken of others
//	dir/stubs/  one line for every other kernel header that they include
//	dir/shim/   the stand-ins, gen/harness's and ours
//	dir/unit.c  brings them together
func Prepare(dir string, src harness.Source, arch Arch) (*Work, error) {
	base, err := harness.NewWork(dir)
	if err != nil {
		return nil, err
	}
	w := &Work{Work: base, Arch: arch}
	p := preparation{dir: base.Dir, src: src, known: map[string]bool{}}
	if err := p.standIns(); err != nil {
		return nil, err
	}
	if err := p.wholeFiles(arch); err != nil {
		return nil, err
	}
	if err := p.parts(); err != nil {
		return nil, err
	}
	w.Single = p.single
	return w, write(filepath.Join(base.Dir, "unit.c"), []byte(w.unit()))
}

type preparation struct {
	dir    string
	src    harness.Source
	known  map[string]bool // what needs no looking for in the tree
	single bool
}

func (p *preparation) standIns() error {
	entries, err := shim.ReadDir("shim")
	if err != nil {
		return err
	}
	for _, e := range entries {
		text, err := shim.ReadFile("shim/" + e.Name())
		if err != nil {
			return err
		}
		if err := write(filepath.Join(p.dir, "shim", e.Name()), text); err != nil {
			return err
		}
	}
	for _, name := range []string{"types.h", "runtime.h", "text.h", "sync.h", "lists.h", "loader.h", "tracing.h", "steps.h"} {
		text, err := os.ReadFile(filepath.Join(p.dir, "shim", name))
		if err != nil {
			return err
		}
		names(p.known, name, text)
	}
	return nil
}

func (p *preparation) read(file string) ([]byte, error) {
	text, err := p.src.Patched.ReadFile(file)
	if err != nil {
		return nil, fmt.Errorf("the patched tree: %w", err)
	}
	return text, nil
}

// wholeFiles copies files and makes stubs of what they include.
func (p *preparation) wholeFiles(arch Arch) error {
	taken := slices.Clone(whole)
	if arch == ARM {
		taken = append(taken, struct{ file, header string }{"arch/arm/include/asm/module.h", "asm/module.h"})
	}
	var included []string
	for _, w := range taken {
		text, err := p.read(w.file)
		if err != nil {
			return err
		}
		names(p.known, w.file, text)
		included = append(included, includes(text)...)
		at := filepath.Join(p.dir, "tree", filepath.FromSlash(w.file))
		if err := write(at, text); err != nil {
			return err
		}
		if w.header == "" {
			continue
		}
		stub := fmt.Sprintf("#include <kernel.h>\n#include %q\n", at)
		if err := write(filepath.Join(p.dir, "stubs", filepath.FromSlash(w.header)), []byte(stub)); err != nil {
			return err
		}
	}
	return p.stubs(included)
}

// stubs writes a line for each header that is not taken from the tree. One that
// only the series has is.
func (p *preparation) stubs(headers []string) error {
	for _, header := range headers {
		stub := filepath.Join(p.dir, "stubs", filepath.FromSlash(header))
		if _, err := os.Stat(stub); err == nil {
			continue
		}
		text := []byte("#include <kernel.h>\n")
		file := path.Join("include", header)
		if added, err := p.src.Patched.ReadFile(file); err == nil {
			if _, err := p.src.Base.ReadFile(file); errors.Is(err, fs.ErrNotExist) {
				text = added
				names(p.known, file, added)
			}
		}
		if err := write(stub, text); err != nil {
			return err
		}
	}
	return nil
}

var includeLine = regexp.MustCompile(`(?m)^[ \t]*#[ \t]*include[ \t]*<([^>\n]+)>`)

func includes(text []byte) []string {
	var out []string
	for _, m := range includeLine.FindAllSubmatch(text, -1) {
		out = append(out, string(m[1]))
	}
	return out
}

func (p *preparation) parts() error {
	for _, e := range excerpts {
		text, err := p.read(e.file)
		if err != nil {
			return err
		}
		if e.file == mainFile {
			form, err := formSteps(text)
			if err != nil {
				return err
			}
			text = append(text, form...)
		}
		f := csrc.Parse(e.file, text)
		items, err := f.Part(e.roots, p.known)
		if err != nil {
			return err
		}
		part := f.PartText(items)
		p.single = e.file == ftraceFile && singlePath.MatchString(part)
		if err := write(filepath.Join(p.dir, "tree", filepath.FromSlash(e.file)), []byte(part)); err != nil {
			return err
		}
	}
	return nil
}

// singlePath finds the fast path for one name: its answers to a name with a
// colon and to a module's symbol at 0 are others than those of the path for many.
var singlePath = regexp.MustCompile(`\bkallsyms_lookup_name\(\w+\[0\]\)`)

// unit is the C file that is compiled.
func (w *Work) unit() string {
	var b strings.Builder
	for _, option := range []string{"MODULES", "LIVEPATCH", "FUNCTION_TRACER", "DYNAMIC_FTRACE", "FTRACE_MCOUNT_RECORD", "MODULE_UNLOAD"} {
		fmt.Fprintf(&b, "#define CONFIG_%s 1\n", option)
	}
	b.WriteString(w.Arch.defines())
	b.WriteString("#include <kernel.h>\n")
	fmt.Fprintf(&b, "#include \"tree/%s\"\n#include <linux/bsearch.h>\n#include <linux/sort.h>\n#include <steps.h>\n", kallsymsFile)
	fmt.Fprintf(&b, "#include \"tree/%s\"\n#include \"tree/%s\"\n#include <glue.c>\n", mainFile, ftraceFile)
	b.WriteString("#undef swap\n#include \"tree/lib/sort.c\"\n") // it calls a parameter by that name
	return b.String()
}

// names adds what a file of ours or of the tree defines.
func names(known map[string]bool, path string, src []byte) {
	for _, it := range csrc.Parse(path, src).Items() {
		for _, name := range it.Names {
			known[name] = true
		}
	}
}

func write(name string, data []byte) error {
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return err
	}
	return os.WriteFile(name, data, 0o644)
}
