// SPDX-License-Identifier: GPL-2.0-only

package mechanism

import (
	"errors"
	"maps"
	"slices"
	"strings"
	"testing"

	"kgen/gen/csrc"
	"kgen/gen/tree"
	"kgen/gen/tree/treetest"
	"kgen/templates"
)

// small is a tree with a place for every action.
var small = memory{
	"a.c": `#include <linux/a.h>

int t[2];

/* one */
int f(int x)
{
	/* two */
	return x >> 8;
}

int g(int x)
{
	return x;
}
`,
	"Kconfig":     "config A\n\tbool\n\nconfig B\n\tbool\n",
	"Makefile":    "obj-$(CONFIG_A) += a.o\n",
	"MAINTAINERS": "Maintainers List\n\nA\nM:\ta\n\nTHE REST\nM:\tr\n",
}

func TestApplyActions(t *testing.T) {
	for _, c := range []struct {
		keys string // of the edit
		old  string // in the file
		new  string // in its place
	}{
		{"file='a.c'\nfunction='f'\nfind='x>>8'\nreplace='x >> {{.shift}}'", "x >> 8", "x >> 4"},
		{"file='a.c'\nfind='t[2]'\nreplace='t[3]'", "t[2]", "t[3]"},
		{"file='a.c'\nfunction='f'\nfind='return'\naction='insert-before'\nreplace=\"\\tx++;\"", "\t/* two */", "\tx++;\n\t/* two */"},
		{"file='a.c'\nfunction='f'\nfind='return'\naction='insert-after'\nreplace=\"\\tx++;\"", ">> 8;\n", ">> 8;\n\tx++;\n"},
		{"file='a.c'\nfunction='f'\nfind='return'\naction='replace-comment'\ntemplate='a.tmpl'", "/* two */", "/* 4 */"},
		{"file='a.c'\nfunction='f'\naction='insert-before'\ntemplate='a.tmpl'", "/* one */", "/* 4 */\n\n/* one */"},
		{"file='a.c'\nfunction='f'\naction='insert-after'\ntemplate='a.tmpl'", "8;\n}\n", "8;\n}\n\n/* 4 */\n"},
		{"file='a.c'\nfunction='g'\naction='replace-function'\nreplace='int h;'", "int g(int x)\n{\n\treturn x;\n}", "int h;"},
		{"file='a.c'\nfunction='g'\naction='delete-function'", "int g(int x)\n{\n\treturn x;\n}\n", ""},
		{"file='a.c'\nfind='t[2]'\naction='insert-before-item'\nreplace='int u;'", "int t[2];", "int u;\nint t[2];"},
		{"file='a.c'\nfind='t[2]'\naction='insert-after-item'\nreplace='int u;'", "int t[2];", "int t[2];\nint u;"},
		{"file='a.c'\nfind='t[2]'\naction='replace-item'\nreplace='int u;'", "int t[2];", "int u;"},
		{"file='a.c'\naction='include'\nreplace='#include <b.h>'", "a.h>\n", "a.h>\n#include <b.h>\n"},
		{"file='a.c'\naction='include'\nreplace='#include <linux/a.h>'", "", ""},
		{"file='Kconfig'\naction='kconfig'\nbefore='B'\nreplace='config N'", "config B", "config N\n\nconfig B"},
		{"file='Kconfig'\naction='kconfig'\nafter='A'\nreplace='config N'", "config B", "config N\n\nconfig B"},
		{"file='Makefile'\naction='makefile'\nbefore='CONFIG_A'\nreplace='obj-y += b.o'", "obj-$", "obj-y += b.o\nobj-$"},
		{"file='Makefile'\naction='makefile'\nafter='CONFIG_A'\nreplace='obj-y += b.o'", "a.o\n", "a.o\nobj-y += b.o\n"},
		{"file='MAINTAINERS'\naction='maintainers'\nreplace=\"B\\nM:\\tb\"", "THE", "B\nM:\tb\n\nTHE"},
		{"file='new.c'\naction='new-file'\ntemplate='a.tmpl'", "", "/* 4 */\n"},
		{"file='a.c'\nfunction='f'\nfind='x>>8'\nreplace='x'\nwhen='{{eq .shift 5}}'", "", ""},
		{"file='a.c'\nfunction='f'\nfind='x>>8'\nreplace='x'\nwhen='{{eq .shift 4}}'", "x >> 8", "x"},
	} {
		toml := head + "[[edit]]\n" + c.keys + "\n"
		var fragments []string
		if strings.Contains(toml, "a.tmpl") {
			fragments = append(fragments, "a.tmpl")
		}
		m, err := load(toml, fragments...)
		if err != nil {
			t.Errorf("%s: %v", c.keys, err)
			continue
		}
		if err := m.Check(small); err != nil {
			t.Errorf("%s: %v", c.keys, err)
		}
		want := map[string]string{}
		if file := m.Touches()[0]; c.old != c.new {
			want[file] = strings.Replace(small[file], c.old, c.new, 1)
		}
		out, err := m.Apply(small, map[string]any{"shift": 4})
		have := map[string]string{}
		for k, v := range out {
			have[k] = string(v)
		}
		if err != nil || !maps.Equal(have, want) {
			t.Errorf("%s: %v\nhave %q\nwant %q", c.keys, err, have, want)
		}
	}
}

func TestApplyRefuses(t *testing.T) {
	for _, c := range []struct {
		reason, keys string
		is           error
		says         string
	}{
		{"a function that is not there", "file='a.c'\nfunction='h'\nfind='x'\nreplace='y'", csrc.ErrDrift, "a.c: h() has drifted: expected a definition, found none"},
		{"a pattern that is not there", "file='a.c'\nfunction='f'\nfind='y'\nreplace='y'", csrc.ErrDrift, `a.c:6: f() has drifted: expected "y" once, found it nowhere`},
		{"a file that is not there", "file='b.c'\nfunction='f'\nfind='y'\nreplace='y'", csrc.ErrDrift, "b.c: has drifted: expected a file, found none"},
		{"a list that is not there", "file='K'\naction='kconfig'\nafter='A'\nreplace='y'", csrc.ErrDrift, "K: has drifted"},
		{"a new file that is there", "file='a.c'\naction='new-file'\nreplace='y'", csrc.ErrDrift, "a.c: has drifted: expected no such file, found one"},
		{"a name that the data lacks", "file='n.c'\naction='new-file'\nreplace='{{.other}}'", ErrDescription, `map has no entry for key "other"`},
		{"a condition that the data lacks", "file='n.c'\naction='new-file'\nreplace='x'\nwhen='{{.other}}'", ErrDescription, `map has no entry for key "other"`},
		{"a result that does not parse", "file='a.c'\nfunction='f'\nfind='x >> 8'\nreplace='x >>'", csrc.ErrEdit, `a.c: replace "x >> 8": cannot be edited so`},
	} {
		m, err := load(head + "[[edit]]\n" + c.keys + "\n")
		if err != nil {
			t.Fatal(err)
		}
		_, err = m.Apply(small, map[string]any{"shift": 4})
		if !errors.Is(err, c.is) || !strings.Contains(err.Error(), c.says) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v, want %q", c.reason, err, c.says)
		}
	}
}

// layers is a tree with the edits made so far.
type layers struct {
	Source
	files map[string][]byte
}

func (l layers) ReadFile(path string) ([]byte, error) {
	if text, ok := l.files[path]; ok {
		return text, nil
	}
	return l.Source.ReadFile(path)
}

// data is what package series hands to the texts of some mechanisms.
func data(t testing.TB, version string, list []*Mechanism) map[string]any {
	t.Helper()
	tr, err := tree.Open(treetest.Dir(t, version))
	if err != nil {
		t.Fatal(err)
	}
	features, err := tr.Features()
	if err != nil {
		t.Fatal(err)
	}
	with := make(map[string]bool)
	d := map[string]any{
		"author": "A U Thor <author@example.org>",
		"with":   with,
		"feature": func(name string) string {
			for _, f := range features {
				if f.Name == name {
					return f.Value
				}
			}
			t.Errorf("no feature %s", name)
			return ""
		},
	}
	for _, m := range list {
		with[m.Name] = true
		for _, p := range m.Params {
			d[strings.ReplaceAll(p.Name, "-", "_")] = p.Default
		}
	}
	return d
}

// upstream is what the kernels have already.
var upstream = map[string][]string{"7.3": {"ftrace-single"}}

// TestApplyReal applies every mechanism on its own to both kernels, and those of
// the density series one after the other; afterwards they are upstream. What
// goes together otherwise is for package series to test.
func TestApplyReal(t *testing.T) {
	all, err := All(templates.FS)
	if err != nil {
		t.Fatal(err)
	}
	var lists [][]*Mechanism
	for _, m := range all {
		lists = append(lists, []*Mechanism{m})
	}
	lists = append(lists, density(t))
	for _, v := range versions {
		for _, list := range lists {
			now, texts := layers{lab(t, v), map[string][]byte{}}, data(t, v, list)
			for _, m := range list {
				if err := m.Check(now.Source); err != nil {
					t.Errorf("%s: %s: %v", v, m.Name, err)
				}
				if slices.Contains(upstream[v], m.Name) {
					if up, err := m.Upstream(now); !up || err != nil {
						t.Errorf("%s: %s is not upstream (%v)", v, m.Name, err)
					}
					continue
				}
				if up, err := m.Upstream(now); up || err != nil {
					t.Errorf("%s: %s is upstream before it is applied (%v)", v, m.Name, err)
				}
				out, err := m.Apply(now, texts)
				if err != nil {
					t.Errorf("%s: %s: %v", v, m.Name, err)
				}
				for path := range out {
					if !slices.Contains(m.Touches(), path) {
						t.Errorf("%s: %s changes %s, which is none of %v", v, m.Name, path, m.Touches())
					}
				}
				maps.Copy(now.files, out)
				if up, err := m.Upstream(now); !up || err != nil {
					t.Errorf("%s: %s is not upstream after it is applied (%v)", v, m.Name, err)
				}
			}
		}
	}
}

// density is the list of mechanisms of the first series.
func density(t testing.TB) []*Mechanism {
	t.Helper()
	var list []*Mechanism
	for _, name := range []string{"perf-test", "density", "token-match"} {
		m, err := Load(templates.FS, name)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, m)
	}
	if err := Together(list); err != nil {
		t.Fatal(err)
	}
	return list
}

// BenchmarkSeries is the work on the text of the density series: check and
// apply every mechanism, nothing parsed beforehand.
func BenchmarkSeries(b *testing.B) {
	list := density(b)
	texts := data(b, "7.3", list)
	for b.Loop() {
		clear(parsed.files)
		parsed.order = nil
		now := layers{lab(b, "7.3"), map[string][]byte{}}
		for _, m := range list {
			if _, err := m.Upstream(now.Source); err != nil {
				b.Fatal(err)
			}
			if err := m.Check(now.Source); err != nil {
				b.Fatal(err)
			}
			out, err := m.Apply(now, texts)
			if err != nil {
				b.Fatal(err)
			}
			maps.Copy(now.files, out)
		}
	}
}
