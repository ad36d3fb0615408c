// SPDX-License-Identifier: GPL-2.0-only

package check

import (
	"strings"
	"testing"

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

// build skips the style: what is compiled here need not be pretty.
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

// Every fault is found in the patch that brings it in, and in no other.
func TestBuildFindsFaults(t *testing.T) {
	unused := "\nstatic int kgen_unused(void)\n{\n\treturn 1;\n}\n"
	noReturn := "\nint kgen_no_return(void);\nint kgen_no_return(void)\n{\n\treturn nowhere;\n}\n"
	dir := treetest.Dir(t, "7.3")
	before := snapshot(t, dir)
	s := load(t, makePatches(t, dir, []string{kallsymsC, internalH, hostTool, makefile, kconfig}, []edit{
		{"A new file with its symbol", newFile(t)},
		{"An unused function and an error", func(f map[string]string) {
			add(kallsymsC, unused)(f)
			add(newC, noReturn)(f)
		}},
		{"Nothing about them", func(f map[string]string) {
			add(internalH, "/* x */\n")(f)
			f[kallsymsC] = "\n\n" + f[kallsymsC]
		}},
		{"The error goes, and a host tool dies", func(f map[string]string) {
			f[newC] = newSource
			replace(t, hostTool, "int main(int argc, char **argv)\n{", "int main(int argc, char **argv)\n{\n\tif (argc)\n\t\treturn 7;\n")(f)
		}},
		{"A Kconfig that cannot be read", add(kconfig, "\nendmenu\n")},
	}))
	// In the user's cache, as gen/series does: the first build of a tree takes a minute.
	o := options(t, s, dir, Build)
	o.Cache = ""
	got := build(t, o)
	wantSame(t, before, snapshot(t, dir))
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
