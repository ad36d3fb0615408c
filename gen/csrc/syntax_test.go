// SPDX-License-Identifier: GPL-2.0-only

package csrc

import "testing"

// TestAnnotations: a pointer that sparse watches is not a parse error, nor is an
// array of a told length or a variable that frees what it points to, so that a mechanism may bring one in.
func TestAnnotations(t *testing.T) {
	for _, src := range []string{
		"static unsigned int __rcu *p;\n",
		"int f(const char __user *from, void __iomem *to);\n",
		"struct s {\n\tint num;\n\tu32 a[] __counted_by(num);\n};\n",
		"void f(void)\n{\n\tg();\n\tstruct s *p __free(kvfree) = h();\n}\n",
		"void f(void)\n{\n\tint __percpu *n = (__force int __percpu *)q;\n}\n",
	} {
		f := Parse("t.c", []byte(src))
		if f.Errors() != 0 {
			t.Errorf("%d parse errors in %q", f.Errors(), src)
		}
	}
	if f := Parse("t.c", []byte("static unsigned int __what *p;\n")); f.Errors() == 0 {
		t.Error("a word that nobody knows is taken as well")
	}
}
