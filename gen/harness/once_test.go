// SPDX-License-Identifier: GPL-2.0-only

package harness

import (
	"os"
	"path/filepath"
	"testing"
)

// An object is made again where anything that it is made of differs, and only
// there.
func TestCompileOnce(t *testing.T) {
	count := filepath.Join(t.TempDir(), "count")
	compiler := filepath.Join(t.TempDir(), "cc")
	script := "#!/bin/sh\necho >> " + count + "\nfor out; do :; done\ncat *.c *.h > \"$out\"\n"
	if err := os.WriteFile(compiler, []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		reason, source, header, flag string
		runs                         int // of the compiler, so far
	}{
		{"nothing is there yet", "a", "b", "-O1", 1},
		{"another folder with the same files", "a", "b", "-O1", 1},
		{"another header", "a", "c", "-O1", 2},
		{"another source", "c", "b", "-O1", 3},
		{"other flags", "a", "b", "-O2", 4},
		{"all as it was first", "a", "b", "-O1", 4},
	} {
		w := &Work{Dir: t.TempDir()}
		source, header, object := filepath.Join(w.Dir, "x.c"), filepath.Join(w.Dir, "x.h"), filepath.Join(w.Dir, "x.o")
		for name, text := range map[string]string{source: tt.source, header: tt.header} {
			if err := writeFile(name, []byte(text)); err != nil {
				t.Fatal(err)
			}
		}
		if err := w.compileOnce(t.Context(), compiler, []string{tt.flag, "-I" + filepath.Join(w.Dir, "shim")}, object, source, header); err != nil {
			t.Fatal(err)
		}
		if got, err := os.ReadFile(object); err != nil || string(got) != tt.source+tt.header {
			t.Errorf("%s: the object is %q, %v; want %q", tt.reason, got, err, tt.source+tt.header)
		}
		if runs, err := os.ReadFile(count); err != nil || len(runs) != tt.runs {
			t.Errorf("%s: the compiler ran %d times, %v; want %d", tt.reason, len(runs), err, tt.runs)
		}
	}
}
