// SPDX-License-Identifier: GPL-2.0-only

package tree

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestBlank(t *testing.T) {
	tests := []struct{ reason, text, code, bare string }{
		{"a comment", "a /* b */ c", "a         c", "a         c"},
		{"over lines", "a /* b\n c */ d", "a     \n      d", "a     \n      d"},
		{"to the end of the line", "a // b\nc", "a     \nc", "a     \nc"},
		{"continued by a backslash", "// a\\\nb\nc", "     \n \nc", "     \n \nc"},
		{"a comment that looks nested", "/* /* */ a */", "         a */", "         a */"},
		{"/*/ is not closed", "/*/ a */b", "        b", "        b"},
		{"never closed", "a /* b", "a     ", "a     "},
		{"a string", `f("a b")`, `f("a b")`, `f("   ")`},
		{"a comment in a string", `"/* x */" y`, `"/* x */" y`, `"       " y`},
		{"a string in a comment", `/* " */ a "b"`, `        a "b"`, `        a " "`},
		{"an escaped quote", `"a\"b" c`, `"a\"b" c`, `"    " c`},
		{"a backslash before the end", `"a\\" c // d`, `"a\\" c     `, `"   " c     `},
		{"character constants", `'"' a '\'' b '"'`, `'"' a '\'' b '"'`, `' ' a '  ' b ' '`},
		{"an apostrophe in #error ends with its line", "#error can't\na /* b */", "#error can't\na        ", "#error can' \na        "},
	}
	for _, tt := range tests {
		code, bare := blank([]byte(tt.text))
		if string(code) != tt.code || string(bare) != tt.bare {
			t.Errorf("%s: blank(%q)\n got %q, %q\nwant %q, %q", tt.reason, tt.text, code, bare, tt.code, tt.bare)
		}
	}
}

// TestBlankRealFiles keeps every line end of real files, so that places stay right.
func TestBlankRealFiles(t *testing.T) {
	for _, rel := range []string{kallsyms, ftrace, hostTool} {
		dir, err := FetchedDir("7.3")
		if err != nil {
			t.Fatal(err)
		}
		text, err := os.ReadFile(filepath.Join(dir, rel))
		if err != nil {
			t.Fatalf("%v; run make trees", err)
		}
		code, bare := blank(text)
		for i, c := range text {
			if (c == '\n') != (code[i] == '\n') || (c == '\n') != (bare[i] == '\n') {
				t.Fatalf("%s: byte %d is %q, blanked to %q and %q", rel, i, c, code[i], bare[i])
			}
		}
		if strings.Contains(string(bare), "/*") || strings.Contains(string(bare), "*/") {
			t.Errorf("%s: a comment is left", rel)
		}
	}
}

func TestFindIn(t *testing.T) {
	const text = `
int f(int a);              /* f(b) { mark */
static int g(void) { if (f(1)) { mark(0); } return 0; }
const char *s = "f(c) { mark }";
int
f(int (*a)(void), int b)
{
	char c = '}';
	if (x) { y(); }
	return mark; // here
}
int h(void) { return mark; }
`
	s := newSource("x.c", []byte(text))
	tests := []struct {
		reason, function, pattern, place string
	}{
		{"the definition, not a call, a declaration, a comment or a string", "f", `\bmark\b`, "x.c:10"},
		{"nothing behind the closing brace", "f", `\bh\b`, ""},
		{"nothing in comments", "f", `here`, ""},
		{"nothing in strings and characters", "f", `'}'`, ""},
		{"a body on one line", "g", `\bmark\b`, "x.c:3"},
		{"no such function", "ff", `mark`, ""},
		{"a name that ends alike", "x_f", `mark`, ""},
	}
	for _, tt := range tests {
		place, _, ok := s.findIn(tt.function, tt.pattern)
		if place != tt.place || ok != (tt.place != "") {
			t.Errorf("%s: findIn(%s, %s) = %q, %v; want %q", tt.reason, tt.function, tt.pattern, place, ok, tt.place)
		}
	}
}

// TestFindInBroken: whatever the text, a scan ends and stays inside it.
func TestFindInBroken(t *testing.T) {
	for _, text := range []string{"", "f(", "f(()", "f() ", "f()\n{", "f() { \"", "f() { '", "f() { /*", "f() {{}"} {
		s := newSource("x.c", []byte(text))
		if place, _, ok := s.findIn("f", `z`); ok {
			t.Errorf("%q: found at %s", text, place)
		}
	}
}
