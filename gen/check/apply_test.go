// SPDX-License-Identifier: GPL-2.0-only

package check

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"kgen/gen/tree/treetest"
)

func TestApply(t *testing.T) {
	const file, header, tool = "kernel/kallsyms.c", "kernel/kallsyms_internal.h", "scripts/kallsyms.c"
	dir := treetest.Dir(t, "7.3")
	all := []string{file, header, tool}
	for _, c := range []struct {
		reason  string
		tree    func(files map[string]string) // how the tree differs from what the patches were made on
		edits   []edit
		summary []string // per patch
		says    string   // in the messages of the first that fails
	}{
		{
			reason:  "lines above are no conflict: git takes an offset",
			tree:    func(f map[string]string) { f[file] = "/* above */\n\n\n" + f[file] },
			edits:   []edit{{"Change the end", add(file, "\n/* end */\n")}},
			summary: []string{"ok"},
		},
		{
			reason:  "changed context is a conflict: no fuzz",
			tree:    func(f map[string]string) { f[file] = strings.TrimSpace(f[file]) + " /* other */\n" },
			edits:   []edit{{"Touch the header", add(header, "/* x */\n")}, {"Change the end", add(file, "\n/* end */\n")}, {"More", add(header, "/* y */\n")}},
			summary: []string{"ok", "failed", notReached},
			says:    "kernel/kallsyms.c:",
		},
		{
			reason:  "a change that the tree has",
			tree:    add(file, "\n/* end */\n"),
			edits:   []edit{{"Change the end", add(file, "\n/* end */\n")}},
			summary: []string{"failed"},
			says:    "has this change already",
		},
		{
			reason:  "a file that the tree lacks",
			tree:    func(f map[string]string) { delete(f, header) },
			edits:   []edit{{"Touch the header", add(header, "/* x */\n")}},
			summary: []string{"failed"},
			says:    "kernel/kallsyms_internal.h: the tree has no such file",
		},
		{
			reason:  "a new file that the tree has",
			tree:    add("lib/new.c", "int x;\n"),
			edits:   []edit{{"Make a file", add("lib/new.c", "int y;\n")}},
			summary: []string{"failed"},
			says:    "lib/new.c: the patch makes this file, and the tree has it already",
		},
		{
			reason: "new, renamed and deleted files",
			edits: []edit{
				{"Make a file", add("lib/new.c", "int y;\n")},
				{"Rename a file", func(f map[string]string) {
					f["scripts/renamed.c"] = f[tool]
					delete(f, tool)
				}},
				{"Delete a file", func(f map[string]string) { delete(f, header) }},
			},
			summary: []string{"ok", "ok", "ok"},
		},
	} {
		t.Run(c.reason, func(t *testing.T) {
			mine := treetest.Copy(t, "7.3", all...)
			files := make(map[string]string)
			for _, f := range all {
				data, err := os.ReadFile(filepath.Join(dir, f))
				if err != nil {
					t.Fatal(err)
				}
				files[f] = string(data)
			}
			if c.tree != nil {
				c.tree(files)
			}
			for _, f := range all {
				os.Remove(filepath.Join(mine, f))
			}
			for f, text := range files {
				writeFile(t, filepath.Join(mine, f), text)
			}
			before := snapshot(t, mine)

			o := options(t, load(t, makePatches(t, dir, all, c.edits)), mine, Apply)
			got := results(t, run(t, o), Apply)
			said := ""
			for i, want := range c.summary {
				if got[i].Summary != want || got[i].OK != (want == "ok") {
					t.Errorf("patch %d: %+v, want %s", i+1, got[i], want)
				}
				said += strings.Join(got[i].Messages, "\n")
			}
			if !strings.Contains(said, c.says) {
				t.Errorf("messages:\n%s\nwant %q", said, c.says)
			}
			wantSame(t, before, snapshot(t, mine))
		})
	}
}

// wantSame compares two snapshots of a tree.
func wantSame(t *testing.T, before, after map[string]string) {
	t.Helper()
	for name, was := range before {
		if after[name] != was {
			t.Errorf("%s: %q before, %q after", name, was, after[name])
		}
	}
	for name := range after {
		if _, ok := before[name]; !ok {
			t.Errorf("%s is new", name)
		}
	}
}

// A rename moves the content through the states, and both names are touched.
func TestStates(t *testing.T) {
	dir := treetest.Dir(t, "7.3")
	const from, to = "kernel/kallsyms_internal.h", "kernel/other.h"
	s := load(t, makePatches(t, dir, []string{from}, []edit{
		{"Rename", func(f map[string]string) { f[to] = f[from]; delete(f, from) }},
		{"Edit", add(to, "/* x */\n")},
	}, "-M"))
	states, _, err := applyRung(t.Context(), progressless(options(t, s, dir, Apply)))
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []struct{ has, lacks string }{{from, to}, {to, from}, {to, from}} {
		if _, ok := states[i][want.has]; !ok {
			t.Errorf("state %d lacks %s", i, want.has)
		}
		if _, ok := states[i][want.lacks]; ok {
			t.Errorf("state %d has %s", i, want.lacks)
		}
	}
	if got := states[1].changed(states[0]); !got[from] || !got[to] {
		t.Errorf("changed by the rename: %v, want both names", got)
	}
	if got := states[2].changed(states[1]); got[from] || !got[to] {
		t.Errorf("changed by the edit: %v, want %s", got, to)
	}
}

func progressless(o Options) Options {
	o.Progress = func(string) {}
	return o
}

// A symbolic link on the way to a file could lead out of the tree.
func TestApplyRefusesLinkedFolder(t *testing.T) {
	mine := treetest.Copy(t, "7.3")
	if err := os.Symlink(t.TempDir(), filepath.Join(mine, "lib")); err != nil {
		t.Fatal(err)
	}
	s := load(t, makePatches(t, mine, nil, []edit{{"Make a file", add("lib/new.c", "int y;\n")}}))
	_, err := Run(t.Context(), options(t, s, mine, Apply))
	wantInputError(t, err, "symbolic link lib")
}
