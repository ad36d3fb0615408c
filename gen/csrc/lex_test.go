// SPDX-License-Identifier: GPL-2.0-only

package csrc

import (
	"strings"
	"testing"
)

func TestLex(t *testing.T) {
	for _, c := range []struct{ reason, src, want string }{
		{"names, keywords, numbers", "int a1 = 0x7FUL + 1.5e-3 + .5;", "k:int i:a1 p:= n:0x7FUL p:+ n:1.5e-3 p:+ n:.5 p:;"},
		{"hex digits end no exponent", "0xe+1", "n:0xe p:+ n:1"},
		{"longest punctuator", "a>>=b->c...++d", "i:a p:>>= i:b p:-> i:c p:... p:++ i:d"},
		{"literals", `"a\"b" 'c' '\''`, `s:"a\"b" c:'c' c:'\''`},
		{"a literal ends with its line", "\"a\nb", `s:"a i:b`},
		{"comments", "a/* b\n */c // d\ne", "i:a i:c i:e"},
		{"an open comment", "a /* b", "i:a"},
		{"a slash at the end", "a /", "i:a p:/"},
		{"directive and its end", "#define  X(a) a \\\n + 1 /* c */\nb", "d:#define i:X p:( i:a p:) i:a p:+ n:1 e:\n i:b"},
		{"space after the hash", "# if X\n", "d:#if i:X e:\n"},
		{"directive at the end of the file", "#endif", "d:#endif e:\n"},
		{"a comment over lines does not end it", "#define X /* a\n b */ 1\n", "d:#define i:X n:1 e:\n"},
		{"header names", "#include <linux/a.h>\n#include \"b.h\"\n", "d:#include s:<linux/a.h> e:\n d:#include s:\"b.h\" e:\n"},
		{"less than is no header", "a < b > c", "i:a p:< i:b p:> i:c"},
		{"operators of macros", "#define S(x) #x ## y\n", "d:#define i:S p:( i:x p:) p:# i:x p:## i:y e:\n"},
		{"prose of an error", "#error don't do \"that\nint", "d:#error r:don't do \"that e:\n k:int"},
		{"bytes beyond ASCII", "/* é */ \"é\" é", "s:\"é\" i:é"},
		{"nothing", "", ""},
	} {
		toks, _ := lex([]byte(c.src))
		var have []string
		for _, k := range toks {
			have = append(have, string(k.class)+":"+k.text)
			if k.class != end && k.class != directive && k.class != raw && c.src[k.start:k.end] != k.text {
				t.Errorf("%s: %q stands at %d", c.reason, k.text, k.start)
			}
			if line := 1 + strings.Count(c.src[:k.start], "\n"); k.line != line {
				t.Errorf("%s: %q in line %d, want %d", c.reason, k.text, k.line, line)
			}
		}
		if got := strings.Join(have, " "); got != c.want {
			t.Errorf("%s: have %s\n want %s", c.reason, got, c.want)
		}
	}
}

// TestLexKernel: between the tokens of a kernel file there is nothing but white
// space and comments.
func TestLexKernel(t *testing.T) {
	for _, v := range versions {
		for _, path := range kernelC {
			src := kernel(t, v, path)
			toks, comments := lex(src)
			at, c := 0, 0
			for _, k := range append(toks, token{start: len(src), end: len(src)}) {
				for c < len(comments) && comments[c].start < k.start {
					gap := string(src[at:comments[c].start])
					if strings.Trim(gap, " \t\n\f\\") != "" {
						t.Fatalf("%s: %s: %q is in no token", v, path, gap)
					}
					at = comments[c].end
					c++
				}
				if gap := string(src[min(at, k.start):k.start]); strings.Trim(gap, " \t\n\f\\") != "" {
					t.Fatalf("%s: %s: %q is in no token", v, path, gap)
				}
				at = max(at, k.end)
			}
		}
	}
}
