// SPDX-License-Identifier: GPL-2.0-only

package bench

import (
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"kgen/gen/csrc"
	"kgen/gen/harness"
	"kgen/gen/tree"
	"kgen/model"
)

//go:embed c
var sources embed.FS

// textAt is where _text lies in the measuring program, for all variants. Kernel
// addresses begin there; nothing is read at them. It must be within 31 bits of
// every table, which a program that does not move has below 2 GiB.
const textAt = 0x1000000

// hugePage is the size of the pages that code and tables lie on, as a kernel's do.
const hugePage = 2 << 20

// kernelFlags are what the kernel adds for x86-64 to what the harness compiles
// with, as far as they change the code: no vector registers, and addresses known
// at link time. Functions begin on a cache line, as with
// CONFIG_DEBUG_FORCE_FUNCTION_ALIGN_64B, so that one function that changes does not
// move another one and make it seem faster or slower.
var kernelFlags = harness.Profile{
	"-O2", "-falign-functions=64", "-fno-pie", "-mgeneral-regs-only", "-mno-red-zone", "-fno-stack-protector",
	"-fno-asynchronous-unwind-tables", "-fno-delete-null-pointer-checks", "-fno-allow-store-data-races",
}

// writeSources puts the C of the measuring program into a folder.
func writeSources(dir string) error {
	entries, err := sources.ReadDir("c")
	if err != nil {
		return err
	}
	for _, e := range entries {
		text, err := sources.ReadFile("c/" + e.Name())
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(dir, e.Name()), text, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// unit is the C file that a variant is compiled from: the kernel file whole, with
// the kernel's bounds as constants and the kernel's way to compare strings.
func unit(w *harness.Work, b model.Bounds) string {
	var s strings.Builder
	if w.Batch {
		s.WriteString("#define KSHIM_BATCH\n")
	}
	s.WriteString(surroundings(b))
	fmt.Fprintf(&s, "#define KBENCH_FTRACE_LOOKUP %d\n", harness.FtraceLookup)
	s.WriteString("#include \"tree/kernel/kallsyms.c\"\n")
	s.WriteString("#ifndef KBENCH_TEXT\n#undef kshim_bounds\n#include <glue.c>\n#include \"variant.c\"\n#endif\n")
	return s.String()
}

// surroundings are what stands before code of the kernel.
func surroundings(b model.Bounds) string {
	delta := textAt - b.Text
	var s strings.Builder
	s.WriteString("#include <runtime.h>\nstatic const struct kshim_bounds kbench_bounds = {\n")
	for _, v := range []uint64{b.Text, b.Stext, b.Etext, b.Sinittext, b.Einittext, b.InitBegin, b.InitEnd, b.End} {
		fmt.Fprintf(&s, "\t%#x,\n", v+delta)
	}
	s.WriteString("};\n#define kshim_bounds kbench_bounds\n")
	s.WriteString("#include <kernel.h>\n#include \"strcmp.h\"\n#undef strcmp\n#define strcmp kbench_strcmp\n")
	return s.String()
}

const ftraceFile = "kernel/trace/ftrace.c"

// ftracePart is what of kernel/trace/ftrace.c is measured: ftrace_lookup_symbols() and
// all that it uses there, but what c/ftrace.h stands in for. The error is
// tree.ErrUnsupported where that is not in the tree.
func ftracePart(t harness.Tree) (*csrc.File, []csrc.Item, error) {
	text, err := t.ReadFile(ftraceFile)
	if errors.Is(err, fs.ErrNotExist) {
		text, err = nil, nil // a tree without it is one without the function
	}
	if err != nil {
		return nil, nil, err
	}
	f := csrc.Parse(ftraceFile, text)
	items, err := f.Part([]string{"ftrace_lookup_symbols"}, map[string]bool{"ftrace_location": true})
	if errors.Is(err, csrc.ErrMissing) {
		err = fmt.Errorf("%w: %w, and every run measures it; use a newer tree, such as 6.12 or 7.3", tree.ErrUnsupported, err)
	}
	return f, items, err
}

// ftraceUnit is the C file that this part is compiled from.
func ftraceUnit(t harness.Tree, b model.Bounds) (string, error) {
	f, items, err := ftracePart(t)
	if err != nil {
		return "", err
	}
	return surroundings(b) + "#include \"ftrace.h\"\n" + f.PartText(items), nil
}

// objectLayout is part of the key of objects. It changes with the code that is
// compiled around the kernel's, with labelsText, and with how the two are joined.
const objectLayout = "3"
