// SPDX-License-Identifier: GPL-2.0-only

package harness

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
)

func TestExterns(t *testing.T) {
	tests := []struct {
		reason, text string
		want         []string
	}{
		{"an array and a scalar", "extern const u8 a[];\nextern const unsigned int b;\n", []string{"a", "b"}},
		{"several in one declaration", "extern const u16 a[], b[];\n", []string{"a", "b"}},
		{"with attributes of either kind", "extern const u8 a[] __weak __section(\".x\");\nextern const u8 b[] __attribute__((weak));\n", []string{"a", "b"}},
		{"two dimensions", "extern const u8 a[][3];\n", []string{"a"}},
		{"behind a function", "int f(void)\n{\n\treturn 0;\n}\nextern const u8 a[];\n", []string{"a"}},
		{"a function is no table", "extern const char *f(int x);\n", nil},
		{"what can be written is no table", "extern int a[];\n", nil},
		{"neither is a comment, a string or a macro", "/* extern const u8 a[]; */\nchar *s = \"extern const u8 b[];\";\n#define X extern const u8 c[];\n", nil},
	}
	for _, tt := range tests {
		t.Run(tt.reason, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, externs(tt.text)); diff != "" {
				t.Errorf("-want +got\n%s", diff)
			}
		})
	}
}

func TestPrepareHeaders(t *testing.T) {
	file := func(text string) *fstest.MapFile { return &fstest.MapFile{Data: []byte(text)} }
	base := fstest.MapFS{
		"include/linux/old.h":     file("#define KEPT 1\nint kernel_only;\n"),
		"include/linux/changed.h": file("#define KEPT 1\nint kernel_only;\n"),
	}
	patched := fstest.MapFS{
		"kernel/kallsyms.c": file("#include <linux/old.h>\n#include <linux/changed.h>\n#include <linux/new.h>\n#include <linux/gone.h>\n" +
			"#include \"kallsyms_internal.h\"\n"),
		"kernel/kallsyms_internal.h": file("extern const u8 kallsyms_names[];\n"),
		"include/linux/old.h":        base["include/linux/old.h"],
		"include/linux/changed.h":    file("#define KEPT 1\n#define SHIFT 4\n#define CALL(x) (x)\nint kernel_only;\n"),
		"include/linux/new.h":        file("#include <linux/deeper.h>\n#define NEW 1\n"),
		"scripts/kallsyms.c":         file("#include <stdio.h>\n#include <xalloc.h>\n#include \"../kernel/shared.h\"\n\t{\"all-symbols\", no_argument, &all_symbols, 1},\n"),
		"scripts/include/xalloc.h":   file("#include <stdlib.h>\n"),
		"kernel/shared.h":            file("#define SHARED 1\n"),
	}
	dir := t.TempDir()
	w, err := Prepare(dir, Source{Patched: patched, Base: base})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"kallsyms_names"}, w.Tables); diff != "" {
		t.Errorf("tables -want +got\n%s", diff)
	}
	if diff := cmp.Diff([]string{"--all-symbols"}, w.ToolOptions(Variant{Bits: 64, AllSymbols: true})); diff != "" {
		t.Errorf("options -want +got\n%s", diff)
	}
	tests := []struct{ reason, file, has, hasNot string }{
		{"a header of the kernel is a stub", "stubs/linux/old.h", "<kernel.h>", "KEPT"},
		{"a header that is nowhere is a stub too", "stubs/linux/gone.h", "<kernel.h>", "define"},
		{"of a changed header, the added constants count", "stubs/linux/changed.h", "#define SHIFT 4", "KEPT"},
		{"added macros with parameters do not", "stubs/linux/changed.h", "<kernel.h>", "CALL"},
		{"a header of the series is included as it is", "stubs/linux/new.h", "tree/include/linux/new.h", "NEW 1"},
		{"and so is copied", "tree/include/linux/new.h", "#define NEW 1", "stub"},
		{"what that one includes is a stub", "stubs/linux/deeper.h", "<kernel.h>", "define"},
		{"the host tool has its own headers", "tree/scripts/include/xalloc.h", "stdlib", "stub"},
		{"and shares one with the kernel", "tree/kernel/shared.h", "SHARED", "stub"},
	}
	for _, tt := range tests {
		t.Run(tt.reason, func(t *testing.T) {
			text, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(tt.file)))
			if err != nil {
				t.Fatal(err)
			}
			if !strings.Contains(string(text), tt.has) || strings.Contains(string(text), tt.hasNot) {
				t.Errorf("%s is %q, expected %q and no %q", tt.file, text, tt.has, tt.hasNot)
			}
		})
	}
}

func TestPrepareWithoutTheFile(t *testing.T) {
	if _, err := Prepare(t.TempDir(), Source{Patched: fstest.MapFS{}, Base: fstest.MapFS{}}); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("got %v, expected fs.ErrNotExist", err)
	}
}
