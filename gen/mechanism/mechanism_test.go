// SPDX-License-Identifier: GPL-2.0-only

package mechanism

import (
	"errors"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"kgen/gen/csrc"
	"kgen/templates"
)

const head = "name = \"m\"\nsummary = \"s\"\n[[present]]\nfile = \"p\"\n"

// load reads a description that is given in one text.
func load(toml string, fragments ...string) (*Mechanism, error) {
	fsys := fstest.MapFS{"m/mechanism.toml": {Data: []byte(toml)}}
	for _, f := range fragments {
		fsys["m/"+f] = &fstest.MapFile{Data: []byte("/* {{.shift}} */\n")}
	}
	return Load(fsys, "m")
}

func TestLoadRefuses(t *testing.T) {
	edit := func(keys string) string { return head + "[[edit]]\n" + keys }
	for _, c := range []struct{ reason, toml, says string }{
		{"unknown key", head + "[[edit]]\nfile = \"a.c\"\nfnid = \"x\"\n", `templates/m/mechanism.toml:7: wrong description: unknown key "edit.fnid"`},
		{"no TOML", "name = \n", "templates/m/mechanism.toml:1: wrong description"},
		{"another name", strings.Replace(head, `"m"`, `"n"`, 1), `name is "n", the folder is "m"`},
		{"no summary", strings.Replace(head, `"s"`, `""`, 1), "summary must be one line"},
		{"no edit", head, "no [[edit]]"},
		{"no sign of presence", "name = \"m\"\nsummary = \"s\"\n[[edit]]\nfile=\"a.c\"\n", "no [[present]]"},
		{"two signs in one", head + "define = \"A\"\nfunction = \"f\"\n[[edit]]\n", "more than one of define, config, object and function; use two"},
		{"contains without function", head + "contains = \"A\"\n[[edit]]\n", "need a function"},
		{"require without anchor", head + "[[require]]\nfile = \"a.c\"\n[[edit]]\n", "one of function, declaration and define"},
		{"readers that name none", head + "[[readers]]\nof = \"x\"\nnow = \"gone\"\n[[edit]]\nfile = \"a.c\"\n", `[[readers]] of "x" needs of, in and now`},
		{"readers without what becomes of it", head + "[[readers]]\nof = \"x\"\nin = [\"f\"]\n[[edit]]\nfile = \"a.c\"\n", "needs of, in and now"},
		{"statement without function", head + "[[require]]\nfile = \"a.c\"\ndefine = \"A\"\nstatement = \"x\"\n[[edit]]\n", "statement and branch need a function"},
		{"parameter out of its own range", head + "[[param]]\nname = \"p\"\nmeaning = \"m\"\nmax = 3\ndefault = 4\n[[edit]]\n", "min <= default <= max"},
		{"changes of answers without a reason", head + "[semantics]\ninstead = \"n\"\n[[semantics.change]]\nanswer = \"a\"\nexample = \"e\"\n[[edit]]\n", "needs a reason"},
		{"changes of answers that name none", head + "[semantics]\nreason = \"r\"\ninstead = \"n\"\n[[edit]]\n", "and its changes"},
		{"change of an answer without example", head + "[semantics]\nreason = \"r\"\ninstead = \"n\"\n[[semantics.change]]\nanswer = \"a\"\n[[edit]]\n", "needs an answer and an example"},
		{"edit without file", edit("find = \"a\"\n"), "[[edit]] 1 (): replace needs file"},
		{"edit without action", edit("file = \"a.c\"\n"), `action "" is none of delete-function, include`},
		{"unknown action", edit("file = \"a.c\"\naction = \"x\"\n"), `action "x" is none of`},
		{"no place", edit("file = \"K\"\naction = \"kconfig\"\nreplace = \"x\"\n"), "kconfig needs place"},
		{"two places", edit("file = \"K\"\naction = \"kconfig\"\nreplace = \"x\"\nbefore = \"A\"\nafter = \"B\"\n"), "before and after; one of them"},
		{"include before", edit("file = \"a.c\"\naction = \"include\"\nreplace = \"x\"\nbefore = \"A\"\n"), "include takes no place"},
		{"a key of another action", edit("file = \"a.c\"\naction = \"new-file\"\nreplace = \"x\"\nfind = \"A\"\n"), "new-file takes no find"},
		{"insertion of nothing", edit("file = \"a.c\"\naction = \"insert-before\"\nfunction = \"f\"\n"), "insert-before needs text"},
		{"two texts", edit("file = \"a.c\"\nfind = \"A\"\nreplace = \"x\"\ntemplate = \"a.tmpl\"\n"), "replace and template; one of them"},
		{"no such fragment", edit("file = \"a.c\"\nfind = \"A\"\ntemplate = \"b.tmpl\"\n"), "there is no b.tmpl"},
		{"fragment that no edit uses", edit("file = \"a.c\"\nfind = \"A\"\nreplace = \"x\"\n"), "a.tmpl is used by no [[edit]]"},
		{"text that is no template", edit("file = \"a.c\"\nfind = \"A\"\nreplace = \"{{\"\n"), "template: "},
		{"branch of no function", edit("file = \"a.c\"\nfind = \"A\"\nreplace = \"x\"\nbranch = \"B\"\n"), "branch needs a function"},
		{"negative count", edit("file = \"a.c\"\nfind = \"A\"\nreplace = \"x\"\ncount = -1\n"), "count -1"},
	} {
		_, err := load(c.toml, "a.tmpl")
		if !errors.Is(err, ErrDescription) || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v, want %q", c.reason, err, c.says)
		}
	}
	if _, err := Load(templates.FS, "nosuch"); !errors.Is(err, ErrUnknown) || !strings.Contains(err.Error(), "density") {
		t.Error(err)
	}
}

func TestParams(t *testing.T) {
	m, err := Load(templates.FS, "density")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		text string
		want int
		says string
	}{
		{"0", 0, ""}, {"8", 8, ""}, {"+3", 3, ""}, {"03", 3, ""},
		{"9", 0, "--shift 9: out of range, density takes 0 to 8 (log2 of the symbols per marker)"},
		{"-1", 0, "--shift -1: out of range, density takes 0 to 8 (log2 of the symbols per marker)"},
		{"99999999999999999999", 0, "--shift 99999999999999999999: out of range, density takes 0 to 8 (log2 of the symbols per marker)"},
		{"four", 0, "--shift four: not a whole number, density takes 0 to 8 (log2 of the symbols per marker)"},
		{"4.0", 0, "--shift 4.0: not a whole number, density takes 0 to 8 (log2 of the symbols per marker)"},
		{"", 0, `--shift "": not a whole number, density takes 0 to 8 (log2 of the symbols per marker)`},
	} {
		have, err := m.Params.Values(map[string]string{"shift": c.text, "other": "x"})
		if c.says != "" {
			if !errors.Is(err, ErrParam) || err.Error() != c.says {
				t.Errorf("%q: %v, want %s", c.text, err, c.says)
			}
		} else if err != nil || !maps.Equal(have, map[string]int{"shift": c.want}) {
			t.Errorf("%q: %v, %v", c.text, have, err)
		}
	}
	if have, err := m.Params.Values(nil); err != nil || have["shift"] != 4 {
		t.Error(have, err)
	}
}

// TestPrefix: what is written before a number may be left out, and is there in
// every text about the values.
func TestPrefix(t *testing.T) {
	p := Param{Name: "review", Min: 1, Max: 2, Default: 2, Prefix: "v", Meaning: "version"}
	for _, c := range []struct {
		text string
		want int
	}{{"v1", 1}, {"1", 1}, {"v2", 2}, {"v3", 0}, {"vv1", 0}, {"1v", 0}, {"v", 0}} {
		have, err := Params{p}.Values(map[string]string{"review": c.text})
		if c.want == 0 && (!errors.Is(err, ErrParam) || !strings.Contains(err.Error(), "v1 or v2")) || c.want != 0 && (err != nil || have["review"] != c.want) {
			t.Errorf("%q: %v, %v, want %d", c.text, have, err, c.want)
		}
	}
	if p.Text(2) != "v2" {
		t.Errorf("2 is written %q", p.Text(2))
	}
}

func TestTogether(t *testing.T) {
	a, b, c := &Mechanism{Name: "a"}, &Mechanism{Name: "b", After: []string{"a"}}, &Mechanism{Name: "c", Conflicts: []Conflict{{"a", "both do it"}}}
	for _, k := range []struct {
		list []*Mechanism
		says string
	}{
		{[]*Mechanism{a, b}, ""},
		{[]*Mechanism{b, c}, ""},
		{[]*Mechanism{b, a}, "b and a do not go together in this order; put a first"},
		{[]*Mechanism{a, c}, "c and a do not go together: both do it; leave one out"},
		{[]*Mechanism{c, a}, "c and a do not go together: both do it; leave one out"},
		{[]*Mechanism{a, a}, "a and a do not go together: it is one mechanism; name it once"},
	} {
		err := Together(k.list)
		if k.says == "" && err != nil || k.says != "" && (!errors.Is(err, ErrConflict) || err.Error() != k.says) {
			t.Errorf("%v, want %q", err, k.says)
		}
	}
}

// memory is a tree of given files.
type memory map[string]string

func (m memory) ReadFile(path string) ([]byte, error) {
	if text, ok := m[path]; ok {
		return []byte(text), nil
	}
	return nil, &os.PathError{Op: "open", Path: path, Err: os.ErrNotExist}
}

func TestUpstream(t *testing.T) {
	src := memory{"K": "config A_B\n\tbool\n", "M": "obj-$(CONFIG_A_B) += a.o\n", "a.c": "#define A 1\n#ifdef B\nint f(int x)\n{\n\treturn x;\n}\n#else\nint f(int x)\n{\n\treturn 0;\n}\n#endif\nint g(int x)\n{\n\treturn x + 1;\n}\n"}
	for _, c := range []struct {
		present string
		want    bool
		is      error
	}{
		{"file = 'a.c'", true, nil},
		{"file = 'b.c'", false, nil},
		{"file = 'b.c'\ndefine = 'A'", false, nil},
		{"file = 'a.c'\ndefine = 'A'", true, nil},
		{"file = 'a.c'\ndefine = 'B'", false, nil},
		{"file = 'a.c'\nfunction = 'g'", true, nil},
		{"file = 'a.c'\nfunction = 'h'", false, nil},
		{"file = 'a.c'\nfunction = 'g'\ncontains = 'x+1'", true, nil},
		{"file = 'a.c'\nfunction = 'g'\ncontains = 'x+2'", false, nil},
		{"file = 'a.c'\nfunction = 'g'\nlacks = 'x+1'", false, nil},
		{"file = 'a.c'\nfunction = 'g'\nlacks = 'y'", true, nil},
		{"file = 'a.c'\nfunction = 'f'\nlacks = 'y'", false, csrc.ErrAmbiguous},
		{"file = 'a.c'\nfunction = 'f'\nbranch = '!B'\ncontains = 'return 0'", true, nil},
		{"file = 'a.c'\nfunction = 'f'\nbranch = 'B'\ncontains = 'return 0'", false, nil},
		{"file = 'a.c'\nfunction = 'g'\ncontains = ' '", false, csrc.ErrEdit},
		{"file = 'a.c'\n[[present]]\nfile = 'b.c'", false, csrc.ErrDrift},
		{"file = 'b.c'\n[[present]]\nfile = 'c.c'", false, nil},
		{"file = 'K'\nconfig = 'A_B'", true, nil},
		{"file = 'K'\nconfig = 'A'", false, nil},
		{"file = 'M'\nobject = 'CONFIG_A_B'", true, nil},
		{"file = 'M'\nobject = 'CONFIG_B'", false, nil},
	} {
		m, err := load(strings.Replace(head, "file = \"p\"", c.present, 1) + "[[edit]]\nfile = 'n'\naction = 'new-file'\nreplace = 'x'\n")
		if err != nil {
			t.Fatal(err)
		}
		if have, err := m.Upstream(src); have != c.want || !errors.Is(err, c.is) {
			t.Errorf("%s: %v, %v", c.present, have, err)
		}
	}
}

func TestTouches(t *testing.T) {
	m, err := Load(templates.FS, "density")
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"kernel/kallsyms.c", "kernel/kallsyms_internal.h", "scripts/kallsyms.c"}
	if !slices.Equal(m.Touches(), want) {
		t.Error(m.Touches())
	}
}
