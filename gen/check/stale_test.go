// SPDX-License-Identifier: GPL-2.0-only

//go:build ladder

package check

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"kgen/gen/manifest"
)

func builds(t *testing.T, treeDir string, files []string, edits ...edit) []manifest.Result {
	t.Helper()
	o := options(t, load(t, makePatches(t, treeDir, files, edits)), treeDir, Build)
	return build(t, o)
}

// ownTree is a tree that tests share and may change, if they put it right again: the
// first build of a tree takes as long as ten later ones.
func ownTree(t *testing.T) string {
	t.Helper()
	dir := filepath.Join(sharedCache, "tree")
	if _, err := os.Stat(dir); err != nil {
		// The last two are not there: their folders are the tests' own, for what a
		// build in the tree leaves.
		linkTree(t, "7.3", dir, kallsymsC, internalH, hostTool, makefile, kconfig, "include/none", "arch/x86/include/none")
	}
	return dir
}

// The workspace outlives a run. What an earlier series left there, and what
// changed in the tree since, must both be seen, though times lie: files of the
// tree are older than the objects.
func TestBuildIsNeverStale(t *testing.T) {
	dir := ownTree(t)
	files := []string{kallsymsC, internalH}
	unused := "\nstatic int kgen_unused(void)\n{\n\treturn 1;\n}\n"
	warns := edit{"An unused function", add(kallsymsC, unused)}
	clean := edit{"A comment", add(kallsymsC, "\n/* nothing */\n")}

	// A header, which kbuild knows as a dependency only. In the run after, which
	// does not touch it, it is whole again.
	broken := builds(t, dir, files, warns, edit{"Break the header", add(internalH, "#error kgen\n")})
	wantResult(t, broken[1], false, "kgen_unused")
	wantResult(t, broken[2], false, "error: #error kgen")
	wantResult(t, builds(t, dir, files, clean)[1], true, "1 built")

	// The tree's own file changes, with the time of a file unpacked long ago. What
	// it says already is not new, and the same about another function is.
	data, err := os.ReadFile(filepath.Join(dir, kallsymsC))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { writeFile(t, filepath.Join(dir, kallsymsC), string(data)) })
	writeFile(t, filepath.Join(dir, kallsymsC), string(data)+unused)
	old := time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC)
	if err := os.Chtimes(filepath.Join(dir, kallsymsC), old, old); err != nil {
		t.Fatal(err)
	}
	got := builds(t, dir, files,
		edit{"A comment elsewhere", add(internalH, "/* x */\n")},
		edit{"One more", add(kallsymsC, strings.Replace(unused, "kgen_unused", "kgen_second", 1))})
	wantResult(t, got[1], true, "3 built")
	wantResult(t, got[2], false, "1 new warning\nnew: kernel/kallsyms.c")
	wantResult(t, got[2], false, "kgen_second")
}

// Kbuild refuses a tree that was built in place. Its products must not be used
// either: the test's autoconf.h would not compile.
func TestBuildOnTreeBuiltInPlace(t *testing.T) {
	products := map[string]string{
		".config":                                    "CONFIG_X86_32=y\n",
		"include/config/auto.conf":                   "CONFIG_X86_32=y\n",
		"include/generated/autoconf.h":               "#error stale\n",
		"arch/x86/include/generated/asm/unistd_64.h": "#error stale\n",
		"kernel/.kallsyms.o.cmd":                     "#",
		"kernel/kallsyms.o":                          "no object",
	}
	dir := ownTree(t)
	for name, text := range products {
		file := filepath.Join(dir, name)
		if _, err := os.Lstat(file); err == nil {
			t.Fatalf("%s is there already", file)
		}
		writeFile(t, file, text)
	}
	t.Cleanup(func() {
		for _, left := range []string{".config", "include/config", "include/generated", "arch/x86/include/generated", "kernel/.kallsyms.o.cmd", "kernel/kallsyms.o"} {
			os.RemoveAll(filepath.Join(dir, left))
		}
	})
	before := snapshot(t, dir)
	got := builds(t, dir, []string{kallsymsC}, edit{"A comment", add(kallsymsC, "\n/* nothing */\n")})
	wantResult(t, got[1], true, "1 built")
	wantSame(t, before, snapshot(t, dir))
}
