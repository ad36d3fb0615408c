// SPDX-License-Identifier: GPL-2.0-only

package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/spf13/cobra"

	"kgen/gen/tree/treetest"
	"kgen/gen/visible"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"kgen": main})
}

// TestScripts runs kgen as a user does: each file of testdata/script is one
// session on real kernel trees, with every line it prints and its exit code.
func TestScripts(t *testing.T) {
	cache := os.Getenv("XDG_CACHE_HOME")
	if cache == "" {
		home, err := os.UserHomeDir()
		if err != nil {
			t.Fatal(err)
		}
		cache = filepath.Join(home, ".cache")
	}
	trees := map[string]string{
		"TREE73":  treetest.Dir(t, "7.3"),
		"TREE612": treetest.Dir(t, "6.12"),
		"TREE61":  treetest.Dir(t, "6.1"),
	}
	runs, err := filepath.Abs("../../docs/runs")
	if err != nil {
		t.Fatal(err)
	}
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		RequireExplicitExec: true,
		UpdateScripts:       os.Getenv("UPDATE_SCRIPTS") != "",
		Setup: func(env *testscript.Env) error {
			for name, dir := range trees {
				env.Setenv(name, dir)
			}
			env.Setenv("RUNS", runs)
			env.Setenv("XDG_CACHE_HOME", cache)
			env.Setenv("GIT_CONFIG_NOSYSTEM", "1")
			env.Setenv("HOME", env.WorkDir) // no git identity but what a script sets
			env.Setenv("SOURCE_DATE_EPOCH", "1764374400")
			return nil
		},
		Cmds: map[string]func(ts *testscript.TestScript, neg bool, args []string){
			"exitcode": exitcode,
			"partial":  partial,
			"subst":    subst,
		},
	})
}

// exitcode N kgen ARG...: kgen ends with exit code N. ("! exec" knows failure
// only.)
func exitcode(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exitcode N kgen ARG...")
	}
	err := ts.Exec("sh", append([]string{"-c", `want=$1; shift; "$@"; got=$?; test $got = $want || { echo "exit code $got, want $want" >&2; exit 99; }`, "sh"}, args...)...)
	if err != nil {
		ts.Fatalf("%s: %v\n%s", strings.Join(args, " "), err, ts.ReadFile("stderr"))
	}
}

// partial TREE DIR: make DIR a small kernel tree, of copies of those files of
// TREE that the series touch.
func partial(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: partial TREE DIR")
	}
	for _, name := range []string{
		"Makefile", ".gitattributes", "MAINTAINERS", "include/linux/kallsyms.h", "kernel/kallsyms.c",
		"kernel/kallsyms_internal.h", "kernel/kallsyms_selftest.c", "kernel/module/kallsyms.c", "kernel/trace/ftrace.c", "lib/Kconfig.debug",
		"lib/Makefile", "scripts/checkpatch.pl", "scripts/kallsyms.c", "scripts/spelling.txt",
	} {
		data, err := os.ReadFile(filepath.Join(args[0], name))
		ts.Check(err)
		to := ts.MkAbs(filepath.Join(args[1], name))
		ts.Check(os.MkdirAll(filepath.Dir(to), 0o755))
		ts.Check(os.WriteFile(to, data, 0o644))
	}
}

// subst FILE OLD NEW: replace the first OLD in FILE.
func subst(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 3 {
		ts.Fatalf("usage: subst FILE OLD NEW")
	}
	name := ts.MkAbs(args[0])
	data, err := os.ReadFile(name)
	ts.Check(err)
	if !strings.Contains(string(data), args[1]) {
		ts.Fatalf("%s has no %q", args[0], args[1])
	}
	ts.Check(os.WriteFile(name, []byte(strings.Replace(string(data), args[1], args[2], 1)), 0o644))
}

// Every help text fits a terminal of 80 columns.
func TestHelpFits(t *testing.T) {
	var try func(cmd *cobra.Command)
	try = func(cmd *cobra.Command) {
		var b strings.Builder
		cmd.SetOut(&b)
		if err := cmd.Help(); err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(b.String()) {
			if n := utf8.RuneCountInString(strings.TrimSuffix(line, "\n")); n > visible.Width {
				t.Errorf("%s: %d columns: %s", cmd.CommandPath(), n, line)
			}
		}
		for _, c := range cmd.Commands() {
			try(c)
		}
	}
	root := newRootCommand()
	root.InitDefaultHelpCmd()
	try(root)
}
