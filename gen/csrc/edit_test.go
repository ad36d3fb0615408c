// SPDX-License-Identifier: GPL-2.0-only

package csrc

import (
	"errors"
	"strings"
	"testing"
)

// function is the scope of a function that must be there.
func function(t testing.TB, f *File, name string) Function {
	t.Helper()
	fn, err := f.Function(name, "")
	if err != nil {
		t.Fatal(err)
	}
	return fn
}

// changedLines lists what a change does to a text: "-old" lines, then "+new"
// lines, between the nearest lines with text that stay.
func changedLines(before, after string) string {
	a, b := strings.SplitAfter(before, "\n"), strings.SplitAfter(after, "\n")
	var above, below string
	for len(a) > 0 && len(b) > 0 && a[0] == b[0] {
		if strings.TrimSpace(a[0]) != "" {
			above = " " + a[0]
		}
		a, b = a[1:], b[1:]
	}
	for len(a) > 0 && len(b) > 0 && a[len(a)-1] == b[len(b)-1] {
		if strings.TrimSpace(a[len(a)-1]) != "" {
			below = " " + a[len(a)-1]
		}
		a, b = a[:len(a)-1], b[:len(b)-1]
	}
	if len(a)+len(b) == 0 {
		return ""
	}
	var out strings.Builder
	out.WriteString(above)
	for _, l := range a {
		out.WriteString("-" + l)
	}
	for _, l := range b {
		out.WriteString("+" + l)
	}
	return out.String() + below
}

// TestEditsOfTheKernel makes each edit of C on both kernels.
func TestEditsOfTheKernel(t *testing.T) {
	const (
		names    = "kernel/kallsyms.c"
		internal = "kernel/kallsyms_internal.h"
		tool     = "scripts/kallsyms.c"
		ftrace   = "kernel/trace/ftrace.c"
	)
	for _, c := range []struct {
		reason, path string
		edit         func(f *File, fn func(string) Function) ([]Change, error)
		want         string
	}{
		{"an expression", names, func(f *File, fn func(string) Function) ([]Change, error) {
			return f.In(fn("get_symbol_offset")).Replace("pos>>8", "pos >> SHIFT", 1)
		}, " \t */\n-\tname = &kallsyms_names[kallsyms_markers[pos >> 8]];\n+\tname = &kallsyms_names[kallsyms_markers[pos >> SHIFT]];\n \t/*\n"},
		{"one more statement of two", names, func(f *File, fn func(string) Function) ([]Change, error) {
			return f.In(fn("kallsyms_on_each_symbol")).Replace("if (ret != 0) return ret; cond_resched();", "if (ret)\n\t\t\tbreak;", 1)
		}, " \t\tret = fn(data, namebuf, kallsyms_sym_address(i));\n-\t\tif (ret != 0)\n-\t\t\treturn ret;\n-\t\tcond_resched();\n+\t\tif (ret)\n+\t\t\tbreak;\n \t}\n"},
		{"a declaration removed with its line", names, func(f *File, fn func(string) Function) ([]Change, error) {
			return f.In(fn("kallsyms_lookup_names")).Replace("char namebuf[KSYM_NAME_LEN];", "", 1)
		}, " \tunsigned int seq, off;\n-\tchar namebuf[KSYM_NAME_LEN];\n \tlow = 0;\n"},
		{"an argument in the head", names, func(f *File, fn func(string) Function) ([]Change, error) {
			return f.In(fn("get_symbol_offset")).Replace("unsigned long pos", "unsigned int pos", 1)
		}, "  */\n-static unsigned int get_symbol_offset(unsigned long pos)\n+static unsigned int get_symbol_offset(unsigned int pos)\n {\n"},
		{"before a statement", names, func(f *File, fn func(string) Function) ([]Change, error) {
			return f.In(fn("get_symbol_offset")).InsertBefore("return name - kallsyms_names;", "\tbarrier();\n")
		}, " \t}\n+\tbarrier();\n \treturn name - kallsyms_names;\n"},
		{"before the comment of a statement", names, func(f *File, fn func(string) Function) ([]Change, error) {
			return f.In(fn("kallsyms_expand_symbol")).InsertBefore("data = &kallsyms_names[off]", "\tbarrier();")
		}, " \tconst u8 *data;\n+\tbarrier();\n \t/* Get the compressed symbol length from the first symbol byte. */\n"},
		{"after a statement", names, func(f *File, fn func(string) Function) ([]Change, error) {
			return f.In(fn("kallsyms_lookup_names")).InsertAfter("high = kallsyms_num_syms - 1", "\tbarrier();")
		}, " \thigh = kallsyms_num_syms - 1;\n+\tbarrier();\n \twhile (low <= high) {\n"},
		{"after the last statement", tool, func(f *File, fn func(string) Function) ([]Change, error) {
			return f.In(fn("usage")).InsertAfter("exit(1)", "\tabort();")
		}, " \texit(1);\n+\tabort();\n }\n"},
		{"a comment in another style", tool, func(f *File, fn func(string) Function) ([]Change, error) {
			return f.In(fn("write_src")).ReplaceComment("markers_cnt = (table_cnt + 255) / 256;", "/* new */\n")
		}, " \tprintf(\"\\n\");\n-\t/* table of offset markers, that give the offset in the compressed stream\n-\t * every 256 symbols */\n+\t/* new */\n \tmarkers_cnt = (table_cnt + 255) / 256;\n"},
		{"a comment where there is none", names, func(f *File, fn func(string) Function) ([]Change, error) {
			return f.In(fn("get_symbol_offset")).ReplaceComment("return name - kallsyms_names", "/* new */\n")
		}, " \t}\n+\t/* new */\n \treturn name - kallsyms_names;\n"},
		{"before a function and its comment", names, func(f *File, fn func(string) Function) ([]Change, error) {
			return f.BeforeFunction(fn("get_symbol_offset"), "int new;\n"), nil
		}, " }\n+int new;\n+\n /*\n"},
		{"after a function and its export", names, func(f *File, fn func(string) Function) ([]Change, error) {
			return f.AfterFunction(fn("sprint_symbol"), "int new;\n"), nil
		}, " EXPORT_SYMBOL_GPL(sprint_symbol);\n+int new;\n+\n /**\n"},
		{"after a function", names, func(f *File, fn func(string) Function) ([]Change, error) {
			return f.AfterFunction(fn("get_symbol_seq"), "int new;\n"), nil
		}, " }\n+int new;\n+\n static int kallsyms_lookup_names(const char *name,\n"},
		{"a function alone", tool, func(f *File, fn func(string) Function) ([]Change, error) {
			return f.ReplaceFunction(fn("string_starts_with"), "void f(void)\n{\n}\n"), nil
		}, " }\n-static bool string_starts_with(const char *s, const char *prefix)\n-{\n-\treturn strncmp(s, prefix, strlen(prefix)) == 0;\n+void f(void)\n+{\n }\n"},
		{"a function deleted", tool, func(f *File, fn func(string) Function) ([]Change, error) {
			return f.DeleteFunction(fn("string_starts_with")), nil
		}, " }\n-static bool string_starts_with(const char *s, const char *prefix)\n-{\n-\treturn strncmp(s, prefix, strlen(prefix)) == 0;\n-}\n-\n static int symbol_valid(const struct sym_entry *s)\n"},
		{"an include after another", names, func(f *File, fn func(string) Function) ([]Change, error) {
			return f.Include("#include <linux/mm.h>", "linux/slab.h")
		}, " #include <linux/slab.h>\n+#include <linux/mm.h>\n #include <linux/filter.h>\n"},
		{"an include of its kind", names, func(f *File, fn func(string) Function) ([]Change, error) {
			return f.Include("#include <linux/mm.h>", "")
		}, " #include <linux/btf_ids.h>\n+#include <linux/mm.h>\n #include \"kallsyms_internal.h\"\n"},
		{"an include that is there", names, func(f *File, fn func(string) Function) ([]Change, error) {
			return f.Include("#include <linux/slab.h>", "")
		}, ""},
		{"before a directive", internal, func(f *File, fn func(string) Function) ([]Change, error) {
			return f.BeforeItem("#include <linux/types.h>", "#define X 1\n\n")
		}, " #define LINUX_KALLSYMS_INTERNAL_H_\n+#define X 1\n+\n #include <linux/types.h>\n"},
		{"before the file's first directive", internal, func(f *File, fn func(string) Function) ([]Change, error) {
			return f.BeforeItem("#ifndef LINUX_KALLSYMS_INTERNAL_H_", "/* x */")
		}, " /* SPDX-License-Identifier: GPL-2.0-only */\n+/* x */\n #ifndef LINUX_KALLSYMS_INTERNAL_H_\n"},
		{"after a declaration", internal, func(f *File, fn func(string) Function) ([]Change, error) {
			return f.AfterItem("kallsyms_token_index", "extern int x;")
		}, " extern const u16 kallsyms_token_index[];\n+extern int x;\n extern const unsigned int kallsyms_markers[];\n"},
		{"a declaration replaced", internal, func(f *File, fn func(string) Function) ([]Change, error) {
			return f.ReplaceItem("kallsyms_markers", "extern const u16 m[];")
		}, " extern const u16 kallsyms_token_index[];\n-extern const unsigned int kallsyms_markers[];\n+extern const u16 m[];\n extern const u8 kallsyms_seqs_of_names[];\n"},
		{"a declaration removed", internal, func(f *File, fn func(string) Function) ([]Change, error) {
			return f.ReplaceItem("kallsyms_seqs_of_names", "")
		}, " extern const unsigned int kallsyms_markers[];\n-extern const u8 kallsyms_seqs_of_names[];\n #endif // LINUX_KALLSYMS_INTERNAL_H_\n"},
		{"an expression at the top level", internal, func(f *File, fn func(string) Function) ([]Change, error) {
			return f.TopLevel().Replace("unsigned int kallsyms_markers[]", "u32 kallsyms_markers[]", 1)
		}, " extern const u16 kallsyms_token_index[];\n-extern const unsigned int kallsyms_markers[];\n+extern const u32 kallsyms_markers[];\n extern const u8 kallsyms_seqs_of_names[];\n"},
		{"in a large file with many macros", ftrace, func(f *File, fn func(string) Function) ([]Change, error) {
			return f.In(fn("ftrace_lookup_symbols")).InsertBefore("args.found = 0", "\tbarrier();")
		}, " \targs.cnt = cnt;\n+\tbarrier();\n \targs.found = 0;\n"},
	} {
		for _, v := range versions {
			src := kernel(t, v, c.path)
			f := Parse(c.path, src)
			changes, err := c.edit(f, func(name string) Function { return function(t, f, name) })
			if err != nil {
				t.Errorf("%s: %s: %v", v, c.reason, err)
				continue
			}
			out, err := f.Splice(changes)
			if err != nil {
				t.Errorf("%s: %s: %v", v, c.reason, err)
				continue
			}
			if have := changedLines(string(src), string(out)); have != c.want {
				t.Errorf("%s: %s: have\n%swant\n%s", v, c.reason, have, c.want)
			}
		}
	}
}

// sample has a place for each refusal.
const sample = `// SPDX-License-Identifier: GPL-2.0
#include <linux/a.h>
#include "b.h"

/* doc of f */
int f(int a, int b, int c)
{
	int x;

	/* first */
	/* second */
	x = a - b - c; /* same line */
	if (a)
		g(a);
	else
		g(b);
	if (c) { g(c); }
	g(a + b * c);
	/* apart */

	return x;
}
EXPORT_SYMBOL(f);

#define N (1 << 8)
int t1[1 << 8], t2;
`

func TestEdits(t *testing.T) {
	in := func(edit func(Scope) ([]Change, error)) func(*File) ([]Change, error) {
		return func(f *File) ([]Change, error) {
			fn, err := f.Function("f", "")
			if err != nil {
				return nil, err
			}
			return edit(f.In(fn))
		}
	}
	replace := func(find, text string, count int) func(*File) ([]Change, error) {
		return in(func(s Scope) ([]Change, error) { return s.Replace(find, text, count) })
	}
	for _, c := range []struct {
		reason string
		edit   func(*File) ([]Change, error)
		want   string // changed lines
		is     error
		says   string
	}{
		{"left operand and operator are half an expression", replace("a -", "", 1), "", ErrEdit, `t.c:12: "a -" is a part of "a - b" only`},
		{"b - c is no operand of a - b - c", replace("b - c", "0", 1), "", ErrEdit, `"b - c" is a part of "a - b - c" only`},
		{"a - b is", replace("a - b", "d", 1), " \t/* second */\n-\tx = a - b - c; /* same line */\n+\tx = d - c; /* same line */\n \tif (a)\n", nil, ""},
		{"a + b is no operand of a + b * c", replace("a + b", "0", 1), "", ErrEdit, `"a + b" is a part of`},
		{"brackets not closed", replace("(a, ", "(", 1), "", ErrDrift, `t.c:6: f() has drifted: expected "(a," once, found it nowhere`},
		{"an open bracket", replace("g(a +", "g(", 1), "", ErrEdit, `is a part of`},
		{"nowhere", replace("a / b", "0", 1), "", ErrDrift, `t.c:6: f() has drifted: expected "a / b" once, found it nowhere`},
		{"more often than said", replace("x", "y", 1), "", ErrDrift, `expected "x" once, found it in line 8, 12 and 21`},
		{"less often than said", replace("x", "y", 4), "", ErrDrift, `expected "x" 4 times, found it in line 8, 12 and 21`},
		{"no token", replace(" /* x */ ", "y", 1), "", ErrEdit, "has no token"},
		{"worse syntax", replace("int x;", "int x", 1), "", ErrEdit, `t.c: replace "int x;": cannot be edited so: the result does not parse as well`},
		{"the body of an if without braces", in(func(s Scope) ([]Change, error) { return s.InsertBefore("g(a);", "\tnew();") }), "", ErrEdit, `t.c:14: "g(a);" has no line of its own in a block`},
		{"the body of an else", in(func(s Scope) ([]Change, error) { return s.InsertAfter("g(b)", "\tnew();") }), "", ErrEdit, "no line of its own"},
		{"an if that shares its line", in(func(s Scope) ([]Change, error) { return s.InsertAfter("g(c)", "\tnew();") }), "", ErrEdit, "no line of its own"},
		{"the whole if", in(func(s Scope) ([]Change, error) { return s.InsertAfter("if (a) g(a); else g(b);", "\tnew();") }), " \t\tg(b);\n+\tnew();\n \tif (c) { g(c); }\n", nil, ""},
		{"a comment on the same line is passed", in(func(s Scope) ([]Change, error) { return s.InsertAfter("a - b - c", "\tnew();") }), " \tx = a - b - c; /* same line */\n+\tnew();\n \tif (a)\n", nil, ""},
		{"all comments above", in(func(s Scope) ([]Change, error) { return s.ReplaceComment("x = a - b - c", "/* new */") }),
			" \tint x;\n-\t/* first */\n-\t/* second */\n+\t/* new */\n \tx = a - b - c; /* same line */\n", nil, ""},
		{"a comment set apart is not above", in(func(s Scope) ([]Change, error) { return s.ReplaceComment("return x", "/* new */") }),
			" \t/* apart */\n+\t/* new */\n \treturn x;\n", nil, ""},
		{"a function with its comment", func(f *File) ([]Change, error) {
			return f.ReplaceFunction(function(t, f, "f"), "/* doc */\nint f(void);"), nil
		}, " #include \"b.h\"\n-/* doc of f */\n-int f(int a, int b, int c)\n-{\n-\tint x;\n-\n-\t/* first */\n-\t/* second */\n-\tx = a - b - c; /* same line */\n-\tif (a)\n-\t\tg(a);\n-\telse\n-\t\tg(b);\n-\tif (c) { g(c); }\n-\tg(a + b * c);\n-\t/* apart */\n-\n-\treturn x;\n-}\n+/* doc */\n+int f(void);\n EXPORT_SYMBOL(f);\n", nil, ""},
		{"an include after one that is not there", func(f *File) ([]Change, error) { return f.Include("#include <x.h>", "y.h") }, "", ErrDrift, "t.c: has drifted: expected #include of y.h, found none"},
		{"an include of quotes", func(f *File) ([]Change, error) { return f.Include(`#include "c.h"`, "") }, " #include \"b.h\"\n+#include \"c.h\"\n /* doc of f */\n", nil, ""},
		{"an include of brackets", func(f *File) ([]Change, error) { return f.Include(`#include <linux/c.h>`, "") }, " #include <linux/a.h>\n+#include <linux/c.h>\n #include \"b.h\"\n", nil, ""},
		{"no include", func(f *File) ([]Change, error) { return f.Include(`int x;`, "") }, "", ErrEdit, "includes nothing"},
		{"an item that is in a body", func(f *File) ([]Change, error) { return f.BeforeItem("int x;", "y") }, "", ErrDrift, "found it nowhere"},
		{"an item that is there twice", func(f *File) ([]Change, error) { return f.BeforeItem("1 << 8", "y") }, "", ErrDrift, "in line 25 and 26"},
		{"a define", func(f *File) ([]Change, error) { return f.ReplaceItem("#define N", "#define N 7") }, " EXPORT_SYMBOL(f);\n-#define N (1 << 8)\n+#define N 7\n int t1[1 << 8], t2;\n", nil, ""},
		{"edits that overlap", func(f *File) ([]Change, error) {
			s := f.In(function(t, f, "f"))
			a, _ := s.Replace("a - b", "0", 1)
			b, err := s.Replace("x = a - b - c;", "", 1)
			return append(a, b...), err
		}, "", ErrEdit, `replace "a - b": cannot be edited so: it overlaps replace "x = a - b - c;"`},
		{"two insertions keep their order", func(f *File) ([]Change, error) {
			fn := function(t, f, "f")
			return append(f.BeforeFunction(fn, "int p;"), f.BeforeFunction(fn, "int q;")...), nil
		}, " #include \"b.h\"\n+int p;\n+\n+int q;\n+\n /* doc of f */\n", nil, ""},
	} {
		f := Parse("t.c", []byte(sample))
		changes, err := c.edit(f)
		var out []byte
		if err == nil {
			out, err = f.Splice(changes)
		}
		if !errors.Is(err, c.is) || err != nil && !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v, want %v saying %q", c.reason, err, c.is, c.says)
			continue
		}
		if err == nil {
			if have := changedLines(sample, string(out)); have != c.want {
				t.Errorf("%s: have\n%swant\n%s", c.reason, have, c.want)
			}
		}
	}
}

// TestMovesWithTheMatch: a text of several lines, indented for the first match,
// is indented for each.
func TestMovesWithTheMatch(t *testing.T) {
	const src = "void f(void)\n{\n\ta();\n\twhile (1) {\n\t\ta();\n\t}\n}\n"
	f := Parse("t.c", []byte(src))
	changes, err := f.In(function(t, f, "f")).Replace("a();", "if (b)\n\t\ta();", 2)
	if err != nil {
		t.Fatal(err)
	}
	out, err := f.Splice(changes)
	want := "void f(void)\n{\n\tif (b)\n\t\ta();\n\twhile (1) {\n\t\tif (b)\n\t\t\ta();\n\t}\n}\n"
	if err != nil || string(out) != want {
		t.Errorf("%v\n%s", err, out)
	}
}

// TestLostFunction: where the grammar loses a function because of the macros
// around it, its body is parsed on its own.
func TestLostFunction(t *testing.T) {
	const path = "kernel/exit.c"
	f := Parse(path, kernel(t, "7.3", path))
	fn := function(t, f, "__do_wait")
	body := f.bytes(run{fn.item.body, fn.item.to})
	is := func(s *syntax) bool {
		n := s.nodes[s.smallest(body)]
		return n.kind == "compound_statement" && n.start == body.start && n.end == body.end
	}
	if is(f.syntax()) {
		t.Fatalf("the grammar can read %s of %s now; find one that it cannot", fn.Name, path)
	}
	if !is(f.In(fn).syntaxAt(body)) {
		t.Errorf("the body of %s in %s is no block", fn.Name, path)
	}
}

// TestPlaces has a source of its own for each place that is easily missed.
func TestPlaces(t *testing.T) {
	f := func(name string, edit func(Scope) ([]Change, error)) func(*File) ([]Change, error) {
		return func(f *File) ([]Change, error) { return edit(f.In(function(t, f, name))) }
	}
	for _, c := range []struct {
		reason, src string
		edit        func(*File) ([]Change, error)
		want        string
		is          error
	}{
		{"matches do not overlap", "void f(int a)\n{\n\tg(a, a, a);\n}\n",
			f("f", func(s Scope) ([]Change, error) { return s.Replace("a, a", "b", 1) }), " {\n-\tg(a, a, a);\n+\tg(b, a);\n }\n", nil},
		{"brackets that are not closed", "void f(int a)\n{\n\tg(a, a, a);\n}\n",
			f("f", func(s Scope) ([]Change, error) { return s.Replace("(a, a,", "(", 1) }), "", ErrEdit},
		{"a loop's macro is no statement of its own", "void f(int a)\n{\n\tfor_each(a) {\n\t\tg(a);\n\t}\n}\n",
			f("f", func(s Scope) ([]Change, error) { return s.InsertAfter("for_each(a)", "\tx;") }), "", ErrEdit},
		{"nor with its brace on the next line", "void f(int a)\n{\n\tfor_each(a)\n\t{\n\t\tg(a);\n\t}\n}\n",
			f("f", func(s Scope) ([]Change, error) { return s.InsertAfter("for_each(a)", "\tx;") }), "", ErrEdit},
		{"a loop's macro and its body", "void f(int a)\n{\n\tfor_each(a)\n\t\tg(a);\n}\n",
			f("f", func(s Scope) ([]Change, error) { return s.InsertAfter("for_each(a)", "\tx;") }), " \t\tg(a);\n+\tx;\n }\n", nil},
		{"pieces of what the grammar cannot read", "void f(int a)\n{\n\tg(a b c d);\n}\n",
			f("f", func(s Scope) ([]Change, error) { return s.Replace("c d", "0", 1) }), "", ErrEdit},
		{"before a loop's macro", "void f(int a)\n{\n\tfor_each(a) {\n\t\tg(a);\n\t}\n}\n",
			f("f", func(s Scope) ([]Change, error) { return s.InsertBefore("for_each(a)", "\tx;") }), " {\n+\tx;\n \tfor_each(a) {\n", nil},
		{"the licence is no declaration's comment", "// SPDX-License-Identifier: GPL-2.0\nint x;\n",
			func(f *File) ([]Change, error) { return f.BeforeItem("int x;", "int y;") }, " // SPDX-License-Identifier: GPL-2.0\n+int y;\n int x;\n", nil},
		{"a declaration's comment", "int w;\n\n/* x */\nint x;\n",
			func(f *File) ([]Change, error) { return f.BeforeItem("int x;", "int y;") }, " int w;\n+int y;\n /* x */\n", nil},
		{"a macro's comment", "int w;\n\n/* x */\n#define X 1\n",
			func(f *File) ([]Change, error) { return f.BeforeItem("#define X", "int y;") }, " int w;\n+int y;\n /* x */\n", nil},
		{"the file's comment", "/* file */\n#include <a.h>\n",
			func(f *File) ([]Change, error) { return f.BeforeItem("#include <a.h>", "int y;") }, " /* file */\n+int y;\n #include <a.h>\n", nil},
		{"includes under a condition are passed", "#include <a.h>\n#ifdef X\n#include <b.h>\n#endif\n",
			func(f *File) ([]Change, error) { return f.Include("#include <c.h>", "") }, " #include <a.h>\n+#include <c.h>\n #ifdef X\n", nil},
		{"no include at all", "int x;\n",
			func(f *File) ([]Change, error) { return f.Include("#include <c.h>", "") }, "", ErrDrift},
	} {
		f := Parse("t.c", []byte(c.src))
		changes, err := c.edit(f)
		var out []byte
		if err == nil {
			out, err = f.Splice(changes)
		}
		if !errors.Is(err, c.is) {
			t.Errorf("%s: %v, want %v", c.reason, err, c.is)
		} else if err == nil && changedLines(c.src, string(out)) != c.want {
			t.Errorf("%s: have\n%swant\n%s", c.reason, changedLines(c.src, string(out)), c.want)
		}
	}
}
