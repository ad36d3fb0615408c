// SPDX-License-Identifier: GPL-2.0-only

// Package treetest gives tests real kernel trees: the fetched ones, and small
// throw-away copies of a few of their files, to break on purpose.
package treetest

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"kgen/gen/tree"
)

// Dir is the folder of the fetched tree of a release ("7.3"). It is shared by all
// tests and must not be written to. The test fails if it is not fetched.
func Dir(tb testing.TB, name string) string {
	tb.Helper()
	dir, err := tree.FetchedDir(name)
	if err != nil {
		tb.Fatal(err)
	}
	if _, err := os.Stat(dir); err != nil {
		tb.Fatalf("the kernel tree %s is not fetched: run make trees (%v)", name, err)
	}
	return dir
}

// Copy makes a folder with copies of some files of the fetched tree of a release,
// and of tree.Required, so that tree.Open takes it. It is removed after the test.
func Copy(tb testing.TB, name string, files ...string) string {
	tb.Helper()
	from, to := Dir(tb, name), tb.TempDir()
	for _, file := range slices.Concat(tree.Required, files) {
		data, err := os.ReadFile(filepath.Join(from, file))
		if err != nil {
			tb.Fatal(err)
		}
		path := filepath.Join(to, file)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			tb.Fatal(err)
		}
		if err := os.WriteFile(path, data, 0o644); err != nil {
			tb.Fatal(err)
		}
	}
	return to
}
