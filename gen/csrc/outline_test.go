// SPDX-License-Identifier: GPL-2.0-only

package csrc

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// regexNames finds functions the simple way: in the kernel's style a body opens
// in column 0, below a head that closes a parenthesis.
func regexNames(src string) []string {
	strip := regexp.MustCompile(`(?s)/\*.*?\*/|"(?:\\.|[^"\\\n])*"`)
	src = strip.ReplaceAllStringFunc(src, func(s string) string {
		return `""` + strings.Repeat("\n", strings.Count(s, "\n"))
	})
	head := regexp.MustCompile(`(?m)^[A-Za-z_][^;{}#=]*\)[^;{}#=()]*\n\{$`)
	name := regexp.MustCompile(`(\w+)\s*\(`)
	var out []string
	for _, h := range head.FindAllString(src, -1) {
		// What is above a blank line is a macro without a semicolon.
		h = h[strings.LastIndex(h, "\n\n")+1:]
		for _, m := range name.FindAllStringSubmatch(h, -1) {
			if m[1] != "__printf" && m[1] != "BTF_ID" {
				out = append(out, m[1])
				break
			}
		}
	}
	return out
}

func TestFunctionsOfTheKernel(t *testing.T) {
	for _, v := range versions {
		for _, path := range kernelC {
			src := kernel(t, v, path)
			var have []string
			for _, fn := range Parse(path, src).Functions() {
				have = append(have, fn.Name)
			}
			want := regexNames(string(src))
			if len(want) < 10 {
				t.Fatalf("%s: %s: the regexp finds %d functions", v, path, len(want))
			}
			// One-line definitions are beyond the regexp.
			oneLine := regexp.MustCompile(`(?m)^[a-z].*\b(\w+)\([^;]*\)\s*\{.*\}$`)
			for _, m := range oneLine.FindAllStringSubmatch(string(src), -1) {
				want = append(want, m[1])
			}
			slices.Sort(want)
			slices.Sort(have)
			if !slices.Equal(have, want) {
				t.Errorf("%s: %s: %d functions, the regexp finds %d: only here %v, only there %v",
					v, path, len(have), len(want), minus(have, want), minus(want, have))
			}
		}
	}
}

func minus(a, b []string) []string {
	var out []string
	for _, s := range a {
		if !slices.Contains(b, s) {
			out = append(out, s)
		}
	}
	return out
}

func TestFunctions(t *testing.T) {
	for _, c := range []struct{ reason, src, want string }{
		{"plain", "int f(void)\n{\n}\n", "f@1"},
		{"section attribute", "static int __init f(int a)\n{\n}\n", "f@1"},
		{"unknown attribute", "static noinline_for_stack int f(int a)\n{\n}\n", "f@1"},
		{"attribute with arguments before", "__printf(1, 0)\nstatic int f(int a)\n{\n}\n", "f@1"},
		{"attribute after", "static int f(void) __acquires(RCU)\n{\n}\n", "f@1"},
		{"attribute after a name with __", "static int __f(void) __acquires(RCU)\n{\n}\n", "__f@1"},
		{"GNU attribute in the middle", "static int __attribute__((cold)) f(void)\n{\n}\n", "f@1"},
		{"BTF ids above", "BTF_ID_LIST(x)\nBTF_ID(struct, y)\n\nstatic int __f(void)\n{\n}\n", "__f@4"},
		{"BTF ids directly above", "BTF_ID_LIST_SINGLE(x, struct, y)\nstatic int f(void)\n{\n}\n", "f@2"},
		{"an initcall without semicolon above", "module_init(x)\n\nstatic int f(void)\n{\n}\n", "f@3"},
		{"syscall", "SYSCALL_DEFINE2(f, int, a, int, b)\n{\n}\n", "SYSCALL_DEFINE2@1"},
		{"callback argument", "int f(int (*fn)(void *, int), void *d)\n{\n}\n", "f@1"},
		{"struct, enum, table", "struct s {\n\tint a;\n};\nenum e { A };\nstatic struct s t[2] = {\n\t{ X(1) },\n};\n", ""},
		{"statement expression in a table", "static int x = ({ int y = f(1); y; });\nint g(void)\n{\n}\n", "g@2"},
		{"branches", "#ifdef CONFIG_A\nint f(void)\n{\n}\n#else\nint f(void)\n{\n}\n#endif\n", "f@2[CONFIG_A] f@6[!CONFIG_A]"},
		{"#if defined, #elif", "#if defined(CONFIG_A)\nint f(void)\n{\n}\n#elif IS_ENABLED(CONFIG_B)\nint g(void)\n{\n}\n#endif\nint h(void)\n{\n}\n", "f@2[CONFIG_A] g@6[CONFIG_B] h@10"},
		{"#else after #elif", "#if defined(A)\n#elif defined(B)\nint f(void)\n{\n}\n#else\nint g(void)\n{\n}\n#endif\n", "f@3[B] g@7[!B]"},
		{"a head in each of two branches", "#ifdef A\nint f(int a)\n{\n#else\nint f(void)\n{\n#endif\n}\nint g(void)\n{\n}\n", "f@5 g@9"},
		{"#ifndef", "#ifndef CONFIG_A\nint f(void)\n{\n}\n#else\nint g(void)\n{\n}\n#endif\n", "f@2[!CONFIG_A] g@6[CONFIG_A]"},
		{"an expression negated", "#if A > 1\nint f(void)\n{\n}\n#else\nint g(void)\n{\n}\n#endif\n", "f@2[A > 1] g@6[!(A > 1)]"},
		{"include guard is no branch", "#ifndef X_H\n#define X_H\nint f(void)\n{\n}\n#endif\n", "f@3"},
		{"braces of two branches", "int f(int a)\n{\n#ifdef X\n\tif (a) {\n#else\n\tif (!a) {\n#endif\n\t\treturn 1;\n\t}\n\treturn 0;\n}\nint g(void)\n{\n}\n", "f@1 g@12"},
		{"braces in strings and comments", "int f(void)\n{\n\tputs(\"}\"); /* } */ // }\n\tc = '}';\n}\nint g(void)\n{\n}\n", "f@1 g@6"},
		{"apostrophe in #error", "#error don't\nint f(void)\n{\n}\n", "f@2"},
		{"macro of several lines", "#define M(x) do { \\\n\tif (x) { \\\n} while (0)\nint f(void)\n{\n}\n", "f@4"},
		{"linkage", "extern \"C\" {\nint f(void)\n{\n}\n}\nint g(void)\n{\n}\n", "f@2 g@6"},
	} {
		var have []string
		for _, fn := range Parse("t.c", []byte(c.src)).Functions() {
			s := fmt.Sprintf("%s@%d", fn.Name, fn.Line)
			if len(fn.Branch) > 0 {
				s += fmt.Sprint(fn.Branch)
			}
			have = append(have, s)
		}
		if got := strings.Join(have, " "); got != c.want {
			t.Errorf("%s: have %q, want %q", c.reason, got, c.want)
		}
	}
}

func TestFunctionByBranch(t *testing.T) {
	f := Parse("t.c", []byte("#ifdef CONFIG_A\nint f(void)\n{\n}\n#else\nint f(void)\n{\n}\n#endif\n"))
	for _, c := range []struct {
		name, branch string
		line         int
		is           error
		want         string
	}{
		{"f", "CONFIG_A", 2, nil, ""},
		{"f", "!CONFIG_A", 6, nil, ""},
		{"f", "", 0, ErrAmbiguous, "t.c: f() is ambiguous: it is defined in line 2 (CONFIG_A) and in line 6 (!CONFIG_A); either it has drifted or the edit must name the branch"},
		{"f", "CONFIG_B", 0, ErrDrift, "expected a definition under CONFIG_B, found it in line 2 (CONFIG_A) and in line 6 (!CONFIG_A)"},
		{"g", "", 0, ErrDrift, "t.c: g() has drifted: expected a definition, found none"},
	} {
		fn, err := f.Function(c.name, c.branch)
		if fn.Line != c.line || !errors.Is(err, c.is) || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s %q: line %d, %v", c.name, c.branch, fn.Line, err)
		}
	}
}
