// SPDX-License-Identifier: GPL-2.0-only

package check

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"kgen/gen/manifest"
	"kgen/gen/tree/treetest"
)

const (
	kallsymsC = "kernel/kallsyms.c"
	internalH = "kernel/kallsyms_internal.h"
	hostTool  = "scripts/kallsyms.c"
	makefile  = "lib/Makefile"
	kconfig   = "lib/Kconfig.debug"
	newC      = "lib/test_kgen_check.c"
)

const newSource = `// SPDX-License-Identifier: GPL-2.0-only
#include <linux/errno.h>
#include <linux/init.h>
#include <linux/kallsyms.h>

static int __init kgen_check_init(void)
{
	return kallsyms_lookup_name("schedule") ? 0 : -ENOENT;
}
late_initcall(kgen_check_init);
`

// newFile brings in a file of its own with its Makefile line and Kconfig symbol.
func newFile(t *testing.T) func(map[string]string) {
	return func(f map[string]string) {
		f[newC] = newSource
		f[makefile] = "obj-$(CONFIG_TEST_KGEN_CHECK) += test_kgen_check.o\n" + f[makefile]
		replace(t, kconfig, "if RUNTIME_TESTING_MENU\n", "if RUNTIME_TESTING_MENU\n\nconfig TEST_KGEN_CHECK\n\tbool \"Test of a test\"\n\tdepends on KALLSYMS\n")(f)
	}
}

// builds skips the style: what is compiled here need not be pretty.
func builds(t *testing.T, treeDir string, files []string, edits ...edit) []manifest.Result {
	t.Helper()
	o := options(t, load(t, makePatches(t, treeDir, files, edits)), treeDir, Build)
	return build(t, o)
}

func build(t *testing.T, o Options) []manifest.Result {
	t.Helper()
	o.Progress = func(text string) { t.Log(text) }
	states, applied, err := applyRung(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	if len(states) != len(o.Series.Patches)+1 {
		t.Fatalf("the test's patches do not apply: %+v", applied)
	}
	got, err := buildRung(t.Context(), o, states)
	if err != nil {
		t.Fatal(err)
	}
	return got
}

// wantResult checks the outcome of one patch; says is part of a message.
func wantResult(t *testing.T, got manifest.Result, ok bool, says string) {
	t.Helper()
	text := got.Summary + "\n" + strings.Join(got.Messages, "\n")
	if got.OK != ok || !strings.Contains(text, says) {
		t.Errorf("%s: ok %v, %s; want ok %v and %q", got.Patch, got.OK, text, ok, says)
	}
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

// Every fault is found in the patch that brings it in, and in no other.
func TestBuildFindsFaults(t *testing.T) {
	unused := "\nstatic int kgen_unused(void)\n{\n\treturn 1;\n}\n"
	noReturn := "\nint kgen_no_return(void);\nint kgen_no_return(void)\n{\n\treturn nowhere;\n}\n"
	dir, fetched := ownTree(t), treetest.Dir(t, "7.3")
	before, beforeFetched := snapshot(t, dir), snapshot(t, fetched)
	got := builds(t, dir, []string{kallsymsC, internalH, hostTool, makefile, kconfig},
		edit{"A new file with its symbol", newFile(t)},
		edit{"An unused function and an error", func(f map[string]string) {
			add(kallsymsC, unused)(f)
			add(newC, noReturn)(f)
		}},
		edit{"Nothing about them", func(f map[string]string) {
			add(internalH, "/* x */\n")(f)
			f[kallsymsC] = "\n\n" + f[kallsymsC]
		}},
		edit{"The error goes, and a host tool dies", func(f map[string]string) {
			f[newC] = newSource
			replace(t, hostTool, "int main(int argc, char **argv)\n{", "int main(int argc, char **argv)\n{\n\tif (argc)\n\t\treturn 7;\n")(f)
		}},
		edit{"A Kconfig that cannot be read", add(kconfig, "\nendmenu\n")},
	)
	wantSame(t, before, snapshot(t, dir))
	wantSame(t, beforeFetched, snapshot(t, fetched))
	if len(got) != 6 {
		t.Fatalf("%+v, want the base and five patches", got)
	}
	wantResult(t, got[0], true, "4 built")
	wantResult(t, got[1], true, "1 built")
	wantResult(t, got[2], false, "'kgen_unused' defined but not used")
	wantResult(t, got[2], false, newC+":15:16: error: 'nowhere' undeclared")
	wantResult(t, got[3], false, "lib/test_kgen_check.o was not built")
	wantResult(t, got[4], false, "exit code 7")
	wantResult(t, got[5], false, "allnoconfig")
	for i, not := range map[int]string{3: "kgen_unused", 4: "test_kgen_check"} {
		if text := strings.Join(got[i].Messages, "\n"); strings.Contains(text, not) {
			t.Errorf("%s: %s, which is of another patch", got[i].Patch, text)
		}
	}
	wantResult(t, got[0], true, "not built: kernel/crash_core.c (includes kernel/kallsyms_internal.h): CONFIG_")
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

// Code that is not compiled is named, and does not fail the patch.
func TestBuildNamesWhatItLeavesOut(t *testing.T) {
	const arm, rust, perf = "arch/arm64/kernel/setup.c", "rust/kernel/lib.rs", "tools/perf/perf.c"
	dir := treetest.Dir(t, "7.3")
	s := load(t, makePatches(t, dir, []string{arm, rust, perf}, []edit{{"Comments", func(f map[string]string) {
		for name := range f {
			f[name] += "\n/* x */\n"
		}
	}}}))
	o := options(t, s, dir, Build)
	states, _, err := applyRung(t.Context(), progressless(o))
	if err != nil {
		t.Fatal(err)
	}
	b := &builder{o: o, touched: s.touches()}
	p := newPlan(b.reader(states[1]), b.lister(states[1]), b.touched)
	if len(p.targets) != 0 || len(p.notes) != 3 {
		t.Errorf("plan %+v, want no target and three notes", p)
	}
	for _, want := range []string{arm + ": of another architecture", rust + ": only C", perf + ": not a part of the kernel"} {
		if !strings.Contains(strings.Join(p.notes, "\n"), want) {
			t.Errorf("notes %q, want %q", p.notes, want)
		}
	}
}
