// SPDX-License-Identifier: GPL-2.0-only

package csrc

import (
	"os"
	"path/filepath"
	"testing"

	"kgen/gen/tree/treetest"
)

// versions are the kernels the edits are for.
var versions = []string{"6.12", "7.3"}

// kernelC are the files that the series edit, and the largest of their kind.
var kernelC = []string{
	"kernel/kallsyms.c", "kernel/kallsyms_selftest.c", "scripts/kallsyms.c",
	"kernel/module/kallsyms.c", "kernel/trace/ftrace.c",
}

// kernel reads a file of a fetched tree.
func kernel(t testing.TB, version, path string) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(treetest.Dir(t, version), path))
	if err != nil {
		t.Fatal(err)
	}
	return data
}
