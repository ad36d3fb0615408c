// SPDX-License-Identifier: GPL-2.0-only

//go:build ladder

package check

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"kgen/gen/tree/treetest"
)

// bootCache is kgen's own cache: a whole kernel is not built twice if it need
// not be.
func bootCache(t *testing.T) string {
	t.Helper()
	dir, err := os.UserCacheDir()
	if err != nil {
		t.Fatal(err)
	}
	return filepath.Join(dir, "kgen", "build")
}

// A lookup that loses the last symbol is noticed by the booted kernel.
func TestBootNoticesAWrongLookup(t *testing.T) {
	const file, stock, wrong = "kernel/kallsyms.c", "high = kallsyms_num_syms - 1;", "high = kallsyms_num_syms - 2;"
	dir := treetest.Dir(t, "7.3")
	s := load(t, makePatches(t, dir, []string{file}, []edit{{"kallsyms: Search less", replace(t, file, stock, wrong)}}))
	o := options(t, s, dir, Boot)
	o.Only, o.Cache = true, bootCache(t)
	got := results(t, run(t, o), Boot)
	if got[0].OK || !strings.Contains(strings.Join(got[0].Messages, "\n"), "kallsyms_selftest") {
		t.Errorf("%+v: expected the selftest to find it", got[0])
	}
}
