// SPDX-License-Identifier: GPL-2.0-only

package tree_test

import (
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"kgen/gen/tree"
	"kgen/gen/tree/treetest"
	"kgen/model"
)

// TestFeaturesOfRealTrees: the values, and what the line given as evidence reads.
func TestFeaturesOfRealTrees(t *testing.T) {
	const (
		addresses = ", per-CPU symbols absolute on request"
		absent    = "" // no line
	)
	tests := []struct {
		feature string
		values  [3]string // 7.3, 6.12, 6.1
		lines   [3]string
	}{
		{"offsets",
			[3]string{"place-relative", "base-relative" + addresses, "base-relative or absolute" + addresses},
			[3]string{"offset_to_ptr(kallsyms_offsets + idx)", "kallsyms_relative_base + (u32)", "kallsyms_relative_base + (u32)"}},
		{"seqs-of-names", [3]string{"yes", "yes", "yes"}, [3]string{"kallsyms_seqs_of_names[3", "kallsyms_seqs_of_names[3", "kallsyms_seqs_of_names[3"}},
		{"marker-spacing", [3]string{"256 (a literal)", "256 (a literal)", "256 (a literal)"}, [3]string{"pos >> 8", "pos >> 8", "pos >> 8"}},
		{"name-compare", [3]string{"exact", "exact", "LTO suffix stripped"}, [3]string{absent, absent, "cleanup_symbol_name(char"}},
		{"big-symbols", [3]string{"yes", "yes", "yes"}, [3]string{"(len & 0x80)", "(len & 0x80)", "(len & 0x80)"}},
		{"name-limit", [3]string{"512", "512", "512"}, [3]string{"KSYM_NAME_LEN 512", "KSYM_NAME_LEN 512", "KSYM_NAME_LEN 512"}},
		{"search-buffer", [3]string{"yes", "yes", "yes"}, [3]string{"char namebuf[KSYM_NAME_LEN]", "char namebuf[KSYM_NAME_LEN]", "char namebuf[KSYM_NAME_LEN]"}},
		{"ftrace-single", [3]string{"yes", "no", "no"}, [3]string{"cnt == 1", absent, absent}},
		{"selftest", [3]string{"yes", "yes", "no"}, [3]string{absent, absent, absent}},
		{"perf-test", [3]string{"no", "no", "no"}, [3]string{absent, absent, absent}},
		{"module-kallsyms", [3]string{"kernel/module/kallsyms.c", "kernel/module/kallsyms.c", "kernel/module/kallsyms.c"}, [3]string{"find_kallsyms_symbol(", "find_kallsyms_symbol(", "find_kallsyms_symbol("}},
		{"host-size", [3]string{"yes", "no", "no"}, [3]string{".size kallsyms_names", absent, absent}},
		{"host-pc-relative", [3]string{"yes", "no", "no"}, [3]string{`"pc-relative"`, absent, absent}},
		{"host-absolute-percpu", [3]string{"no", "yes", "yes"}, [3]string{absent, `"absolute-percpu"`, `"absolute-percpu"`}},
		{"checkpatch", [3]string{"yes", "yes", "yes"}, [3]string{absent, absent, absent}},
		{"get-maintainer", [3]string{"yes", "yes", "yes"}, [3]string{absent, absent, absent}},
	}
	for i, name := range []string{"7.3", "6.12", "6.1"} {
		tr, err := tree.Open(treetest.Dir(t, name))
		if err != nil {
			t.Fatal(err)
		}
		features, err := tr.Features()
		if err != nil {
			t.Fatal(err)
		}
		if len(features) != len(tests) {
			t.Fatalf("%s: %d features, the test knows %d", name, len(features), len(tests))
		}
		for k, tt := range tests {
			f := features[k]
			if f.Name != tt.feature || f.Value != tt.values[i] || f.Meaning == "" {
				t.Errorf("%s: feature %d is %+v, want %s %q", name, k, f, tt.feature, tt.values[i])
			}
			file, line := lineOf(t, tr, f.Evidence)
			if file == "" {
				t.Errorf("%s: %s has no evidence", name, f.Name)
			}
			if (line == "") != (tt.lines[i] == absent) || !strings.Contains(line, tt.lines[i]) {
				t.Errorf("%s: the evidence for %s, %s, reads %q; want %q", name, f.Name, f.Evidence, line, tt.lines[i])
			}
		}
	}
}

// lineOf reads the line that a "file:line" names; it is "" for a file alone.
func lineOf(t *testing.T, tr *tree.Tree, evidence string) (file, line string) {
	t.Helper()
	file, number, ok := strings.Cut(evidence, ":")
	if !ok {
		return file, ""
	}
	n, err := strconv.Atoi(number)
	if err != nil {
		t.Fatal(err)
	}
	data, err := tr.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return file, strings.Split(string(data), "\n")[n-1]
}

func TestAccessorsOfRealTrees(t *testing.T) {
	tests := []struct {
		name             string
		dialect          model.Dialect
		supported, known error
	}{
		{"7.3", model.PlaceRelative, nil, nil},
		{"6.12", model.BaseRelative, nil, nil},
		{"6.1", 0, tree.ErrUnsupported, tree.ErrUnsupported},
	}
	for _, tt := range tests {
		tr, err := tree.Open(treetest.Dir(t, tt.name))
		if err != nil {
			t.Fatal(err)
		}
		if err := tr.Supported(); !errors.Is(err, tt.supported) {
			t.Errorf("%s: Supported() = %v, want %v", tt.name, err, tt.supported)
		}
		if d, err := tr.Dialect(); !errors.Is(err, tt.known) || d != tt.dialect {
			t.Errorf("%s: Dialect() = %v, %v; want %v, %v", tt.name, d, err, tt.dialect, tt.known)
		}
		if n, err := tr.NameLimit(); n != 512 || err != nil {
			t.Errorf("%s: NameLimit() = %d, %v; want 512", tt.name, n, err)
		}
	}
}

// edit replaces every old in a file.
func edit(t *testing.T, dir, rel, old, with string) {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(dir, rel))
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(data), old) {
		t.Fatalf("%s has no %q", rel, old)
	}
	write(t, dir, rel, strings.ReplaceAll(string(data), old, with))
}

// TestFeaturesFollowTheSource edits one thing of a tree and names every feature
// that must be read differently then.
func TestFeaturesFollowTheSource(t *testing.T) {
	files := []string{
		"include/linux/kallsyms.h", "kernel/kallsyms_internal.h", "kernel/kallsyms_selftest.c",
		"kernel/module/kallsyms.c", "kernel/trace/ftrace.c", "scripts/kallsyms.c",
	}
	tests := []struct {
		reason, tree string
		edit         func(t *testing.T, dir string)
		want         map[string]string
	}{
		{"a shared shift", "7.3", func(t *testing.T, dir string) {
			edit(t, dir, "kernel/kallsyms_internal.h", "#endif", "#define KALLSYMS_MARKER_SHIFT 4\n#endif")
			edit(t, dir, "kernel/kallsyms.c", "pos >> 8", "pos >> KALLSYMS_MARKER_SHIFT")
		}, map[string]string{"marker-spacing": "16 (KALLSYMS_MARKER_SHIFT 4)"}},
		{"another literal", "7.3", func(t *testing.T, dir string) {
			edit(t, dir, "kernel/kallsyms.c", "pos >> 8", "pos>>6")
		}, map[string]string{"marker-spacing": "64 (a literal)"}},
		{"a spacing that is none", "7.3", func(t *testing.T, dir string) {
			edit(t, dir, "kernel/kallsyms.c", "pos >> 8", "pos >> 32")
		}, map[string]string{"marker-spacing": "unknown"}},
		{"a shift in a comment only", "7.3", func(t *testing.T, dir string) {
			edit(t, dir, "kernel/kallsyms_internal.h", "#endif", "/*\n#define KALLSYMS_MARKER_SHIFT 4\n*/\n#endif")
		}, nil},
		{"code in comments", "6.12", func(t *testing.T, dir string) {
			edit(t, dir, "kernel/kallsyms.c", "/* values are unsigned", "/* offset_to_ptr(x) cleanup_symbol_name(x) values are unsigned")
		}, nil},
		{"base-relative without the option", "6.12", func(t *testing.T, dir string) {
			edit(t, dir, "kernel/kallsyms.c", "CONFIG_KALLSYMS_ABSOLUTE_PERCPU", "CONFIG_OTHER")
		}, map[string]string{"offsets": "base-relative"}},
		{"addresses in another way", "7.3", func(t *testing.T, dir string) {
			edit(t, dir, "kernel/kallsyms.c", "offset_to_ptr", "other")
		}, map[string]string{"offsets": "unknown"}},
		{"no name order, as before v6.2", "6.12", func(t *testing.T, dir string) {
			edit(t, dir, "kernel/kallsyms.c", "kallsyms_seqs_of_names[", "other[")
		}, map[string]string{"seqs-of-names": "no"}},
		{"LTO suffixes stripped", "6.12", func(t *testing.T, dir string) {
			edit(t, dir, "kernel/kallsyms.c", "strcmp(name, namebuf)", "cleanup_symbol_name(namebuf)")
		}, map[string]string{"name-compare": "LTO suffix stripped"}},
		{"one byte of length", "7.3", func(t *testing.T, dir string) {
			edit(t, dir, "kernel/kallsyms.c", "if ((len & 0x80) != 0) {", "if (0) {")
		}, map[string]string{"big-symbols": "no"}},
		{"a longer limit", "7.3", func(t *testing.T, dir string) {
			edit(t, dir, "include/linux/kallsyms.h", "KSYM_NAME_LEN 512", "KSYM_NAME_LEN\t1024")
		}, map[string]string{"name-limit": "1024"}},
		{"a limit that is computed", "7.3", func(t *testing.T, dir string) {
			edit(t, dir, "include/linux/kallsyms.h", "KSYM_NAME_LEN 512", "KSYM_NAME_LEN OTHER")
		}, map[string]string{"name-limit": "unknown"}},
		{"no fast path", "7.3", func(t *testing.T, dir string) {
			edit(t, dir, "kernel/trace/ftrace.c", "cnt == 1", "cnt == 2")
		}, map[string]string{"ftrace-single": "no"}},
		{"a benchmark", "7.3", func(t *testing.T, dir string) {
			write(t, dir, "lib/test_kallsyms_perf.c", "")
		}, map[string]string{"perf-test": "yes"}},
		{"modules in one file", "7.3", func(t *testing.T, dir string) {
			if err := os.Rename(filepath.Join(dir, "kernel/module/kallsyms.c"), filepath.Join(dir, "kernel/module.c")); err != nil {
				t.Fatal(err)
			}
		}, map[string]string{"module-kallsyms": "kernel/module.c"}},
		{"no host tool", "7.3", func(t *testing.T, dir string) {
			if err := os.Remove(filepath.Join(dir, "scripts/kallsyms.c")); err != nil {
				t.Fatal(err)
			}
		}, map[string]string{"host-size": "no", "host-pc-relative": "no"}},
	}
	for _, tt := range tests {
		dir := treetest.Copy(t, tt.tree, files...)
		tr, err := tree.Open(dir)
		if err != nil {
			t.Fatal(err)
		}
		want, err := tr.Features()
		if err != nil {
			t.Fatal(err)
		}
		tt.edit(t, dir)
		for i, f := range want {
			if value, ok := tt.want[f.Name]; ok {
				want[i].Value = value
			}
		}
		got, err := tr.Features()
		if err != nil {
			t.Fatal(err)
		}
		for i := range want { // lines may have moved
			want[i].Evidence, got[i].Evidence = "", ""
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s:\n%s", tt.reason, diff)
		}
	}
}

func TestUnsupported(t *testing.T) {
	tests := []struct {
		reason, old, with string
		ask               func(*tree.Tree) error
		says              string
	}{
		{"no name order", "kallsyms_seqs_of_names[", "other[", (*tree.Tree).Supported, "has no kallsyms_seqs_of_names in kernel/kallsyms.c, which came with v6.2"},
		{"LTO suffixes", "strcmp(name, namebuf)", "cleanup_symbol_name(namebuf)", (*tree.Tree).Supported, "cleanup_symbol_name, kernel/kallsyms.c:187"},
		{"addresses", "offset_to_ptr", "other", func(t *tree.Tree) error { _, err := t.Dialect(); return err }, "addresses that are unknown (kernel/kallsyms.c)"},
		{"no limit", "offset_to_ptr", "other", func(t *tree.Tree) error { _, err := t.NameLimit(); return err }, "KSYM_NAME_LEN in include/linux/kallsyms.h"},
	}
	for _, tt := range tests {
		dir := treetest.Copy(t, "7.3")
		edit(t, dir, "kernel/kallsyms.c", tt.old, tt.with)
		tr, err := tree.Open(dir)
		if err != nil {
			t.Fatal(err)
		}
		if err := tt.ask(tr); !errors.Is(err, tree.ErrUnsupported) || !strings.Contains(err.Error(), tt.says) || !strings.Contains(err.Error(), "use a newer tree") {
			t.Errorf("%s: got %v, want ErrUnsupported that says %q", tt.reason, err, tt.says)
		}
	}
}

// TestFeaturesUnreadable: a file that cannot be read is an error, not an absence.
func TestFeaturesUnreadable(t *testing.T) {
	dir := treetest.Copy(t, "7.3")
	if err := os.MkdirAll(filepath.Join(dir, "kernel/trace/ftrace.c"), 0o755); err != nil {
		t.Fatal(err)
	}
	tr, err := tree.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := tr.Features(); !errors.Is(err, tree.ErrUnreadable) || !strings.Contains(err.Error(), "ftrace.c") {
		t.Errorf("got %v, want ErrUnreadable that names the file", err)
	}
}
