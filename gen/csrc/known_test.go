// SPDX-License-Identifier: GPL-2.0-only

package csrc

import (
	"errors"
	"strings"
	"testing"
)

// TestAnchors: each anchor stands for the wanted piece of source, no more and
// no less, which is told by the fingerprint.
func TestAnchors(t *testing.T) {
	const src = `#ifdef A
#define N 1
#else
#define N 2
#endif
int n = m;
struct s {
	int m;
} m[N];
static int f(int m)
{
	int i = m;

	/* c */
	for (i = 0; i < m; i++)
		g(i, m >> 8, m >> 8);
	return m >> 8;
}
`
	f := Parse("t.c", []byte(src))
	for _, c := range []struct {
		anchor Anchor
		code   string
		is     error
	}{
		{Anchor{Function: "f"}, src[strings.Index(src, "static"):], nil},
		{Anchor{Function: "f", Statement: "m >> 8"}, "g(i, m >> 8, m >> 8); return m >> 8;", nil},
		{Anchor{Function: "f", Statement: "i < m"}, "for (i = 0; i < m; i++) g(i, m >> 8, m >> 8);", nil},
		{Anchor{Function: "f", Statement: "i = m"}, "int i = m;", nil},
		{Anchor{Function: "f", Statement: "i > m"}, "", ErrDrift},
		{Anchor{Function: "f", Statement: " "}, "", ErrEdit},
		{Anchor{Declaration: "m"}, "struct s { int m; } m[N];", nil},
		{Anchor{Declaration: "f"}, "", ErrDrift},
		{Anchor{Define: "N"}, "#define N 1\n#define N 2\n", nil},
		{Anchor{Define: "M"}, "", ErrDrift},
		{Anchor{}, "", ErrEdit},
	} {
		k, err := f.Fingerprint(c.anchor)
		if !errors.Is(err, c.is) {
			t.Errorf("%+v: %v, want %v", c.anchor, err, c.is)
		}
		if err != nil {
			continue
		}
		toks, _ := lex([]byte(c.code))
		if sum, marks := fingerprint(toks); k.Sum != sum || k.Marks != marks {
			t.Errorf("%+v is not %q", c.anchor, c.code)
		}
		if err := f.Verify(c.anchor, []Known{k}); err != nil {
			t.Errorf("%+v: %v", c.anchor, err)
		}
	}
}

// TestExpected: what a digest was made of is named where it can be, and
// classed where it cannot.
func TestExpected(t *testing.T) {
	const now = "int f(void)\n{\n\treturn X;\n}\n"
	for _, c := range []struct{ before, want string }{
		{"f", `expected "f" (as in Linux 1.0), found "X" in "return X;"`},
		{"1234", `expected "1234"`},
		{"0x0F", `expected "0x0F"`},
		{"sizeof", `expected "sizeof"`},
		{"~", `expected "~"`},
		{"SHIFT", `expected "SHIFT"`},
		{"unheard_of", "expected a name"},
		{"987654321", "expected a number"},
		{`"text"`, "expected a string"},
		{"'c'", "expected a character"},
		{";", `expected ";"`},
		{"X; }", `t.c:4: f() has drifted: expected the end of it (as in Linux 1.0), found "}"`},
		{"X; ; }", `expected ";"`},
	} {
		k, err := Parse("t.c", []byte(strings.Replace(now, "X", c.before, 1))).Fingerprint(Anchor{Function: "f"})
		if err != nil {
			t.Fatal(err)
		}
		k.Trees = []string{"1.0"}
		err = Parse("t.c", []byte(now)).Verify(Anchor{Function: "f"}, []Known{k}, "a >> SHIFT")
		if c.before == "X; }" { // the same code: what follows it is none of it
			if err != nil {
				t.Error(err)
			}
			continue
		}
		if !errors.Is(err, ErrDrift) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %s", c.before, err, c.want)
		}
	}
	// No variant at all, and one of several.
	f := Parse("t.c", []byte(now))
	if err := f.Verify(Anchor{Function: "f"}, nil); !errors.Is(err, ErrDrift) || !strings.Contains(err.Error(), "expected code that kgen knows") {
		t.Error(err)
	}
	k, err := f.Fingerprint(Anchor{Function: "f"})
	if err != nil {
		t.Fatal(err)
	}
	if err := f.Verify(Anchor{Function: "f"}, []Known{{Sum: "other", Marks: "ixxxx"}, k}); err != nil {
		t.Error(err)
	}
}
