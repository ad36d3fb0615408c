// SPDX-License-Identifier: GPL-2.0-only

package harness

import (
	"embed"
	"fmt"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

//go:embed shim
var shim embed.FS

// Work is a folder with everything that building the code under test needs.
type Work struct {
	Dir     string
	Tables  []string // what the kernel file declares and the host tool must write
	Batch   bool     // the kernel file has kallsyms_lookup_batch_start() and _end()
	options []string // long options of the host tool
	tool    []string // the files that it is made of, its C file first
}

// Prepare fills the folder dir from a source:
//
//	dir/tree/   the files under test, and headers of the series, unchanged
//	dir/stubs/  one line for every kernel header that they include
//	dir/shim/   the stand-ins
//	dir/unit.c  brings the three together
func Prepare(dir string, src Source) (*Work, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	kernel := extraction{src: src, dir: dir, stubs: true, done: map[string]bool{}}
	if err := kernel.file(kernelFile); err != nil {
		return nil, err
	}
	tool := extraction{src: src, dir: dir, search: []string{"scripts/include"}, done: map[string]bool{}}
	if err := tool.file(hostToolFile); err != nil {
		return nil, err
	}
	w := &Work{Dir: dir}
	delete(tool.done, hostToolFile)
	for _, name := range append([]string{hostToolFile}, slices.Sorted(maps.Keys(tool.done))...) {
		w.tool = append(w.tool, filepath.Join(dir, "tree", filepath.FromSlash(name)))
	}
	for _, name := range kernel.externs {
		if !slices.Contains(w.Tables, name) {
			w.Tables = append(w.Tables, name)
		}
	}
	text, err := src.Patched.ReadFile(kernelFile)
	if err != nil {
		return nil, err
	}
	w.Batch = batchEnd.Match(text)
	text, err = src.Patched.ReadFile(hostToolFile)
	if err != nil {
		return nil, err
	}
	for _, m := range toolOption.FindAllSubmatch(text, -1) {
		w.options = append(w.options, string(m[1]))
	}
	if err := w.writeShim(); err != nil {
		return nil, err
	}
	return w, writeFile(filepath.Join(dir, "unit.c"), []byte(w.unit()))
}

// toolOption is an entry of the host tool's struct option table.
var toolOption = regexp.MustCompile(`\{\s*"([a-z-]+)"\s*,\s*no_argument`)

// batchEnd finds the interface of a series that builds an index at run time.
var batchEnd = regexp.MustCompile(`\bkallsyms_lookup_batch_end\s*\(`)

func (w *Work) hasOption(name string) bool { return slices.Contains(w.options, name) }

func (w *Work) writeShim() error {
	entries, err := shim.ReadDir("shim")
	if err != nil {
		return err
	}
	for _, e := range entries {
		text, err := shim.ReadFile("shim/" + e.Name())
		if err != nil {
			return err
		}
		if err := writeFile(filepath.Join(w.Dir, "shim", e.Name()), text); err != nil {
			return err
		}
	}
	return nil
}

// unit is the C file that is compiled. Each table becomes a pointer by a macro
// with the table's own name, which turns the declaration
//
//	extern const u8 kallsyms_names[];
//
// of the kernel into that of a pointer to an array, and every use into a use of
// what it points at. So the kernel file stays as it is, and tables can be
// changed without linking.
func (w *Work) unit() string {
	var b strings.Builder
	b.WriteString("#include <kernel.h>\n")
	if w.Batch {
		b.WriteString("#define KSHIM_BATCH\n")
	}
	for _, t := range w.Tables {
		fmt.Fprintf(&b, "#define %s (*kshim_table_%s)\n", t, t)
	}
	fmt.Fprintf(&b, "#include \"tree/%s\"\n", kernelFile)
	for _, t := range w.Tables {
		fmt.Fprintf(&b, "__typeof__(kshim_table_%s) kshim_table_%s;\n", t, t)
	}
	b.WriteString("struct kshim_table kshim_tables[] = {\n")
	for _, t := range w.Tables {
		fmt.Fprintf(&b, "\t{ \"%s\", (const void **)&kshim_table_%s },\n", t, t)
	}
	b.WriteString("\t{ 0, 0 },\n};\n#include <glue.c>\n")
	return b.String()
}
