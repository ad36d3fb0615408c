// SPDX-License-Identifier: GPL-2.0-only

package bench

import (
	"os"
	"path/filepath"
	"testing"
)

// What a tool leaves behind when it is killed is in the folder that goes.
func TestToolsLeaveNothing(t *testing.T) {
	tmp, dir := t.TempDir(), t.TempDir()
	t.Setenv("TMPDIR", tmp)
	compiler := filepath.Join(t.TempDir(), "cc")
	if err := os.WriteFile(compiler, []byte("#!/bin/sh\n: >\"$TMPDIR/left.s\"\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := runTool(t.Context(), dir, compiler); err != nil {
		t.Fatal(err)
	}
	if left, err := os.ReadDir(tmp); err != nil || len(left) > 0 {
		t.Errorf("%v in TMPDIR, %v", left, err)
	}
	if _, err := os.Stat(filepath.Join(dir, "left.s")); err != nil {
		t.Error(err)
	}
}
