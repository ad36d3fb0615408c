// SPDX-License-Identifier: GPL-2.0-only

package harness

import (
	"os"
	"path/filepath"
	"testing"
)

// What a compiler leaves behind when it is killed is in the folder that goes.
func TestCompilersLeaveNothing(t *testing.T) {
	tmp, dir := t.TempDir(), t.TempDir()
	t.Setenv("TMPDIR", tmp)
	compiler := filepath.Join(t.TempDir(), "cc")
	if err := os.WriteFile(compiler, []byte("#!/bin/sh\n: >\"$TMPDIR/left.s\"\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := run(t.Context(), dir, compiler, nil); err != nil {
		t.Fatal(err)
	}
	if left, err := os.ReadDir(tmp); err != nil || len(left) > 0 {
		t.Errorf("%v in TMPDIR, %v", left, err)
	}
	if _, err := os.Stat(filepath.Join(dir, "left.s")); err != nil {
		t.Error(err)
	}
}
