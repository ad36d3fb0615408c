// SPDX-License-Identifier: GPL-2.0-only

package modharness

import (
	"fmt"
	"slices"
	"strings"

	"kgen/gen/csrc"
)

// excerpt takes part of a C file: the roots, and of the rest what they use and
// what known does not have. Conditions stay around each piece, and #line tells
// the compiler and the sanitizers where it came from. The error names the roots
// that the file lacks.
func excerpt(path string, src []byte, roots []string, known map[string]bool) (string, error) {
	items := csrc.Parse(path, src).Items()
	at := map[string][]int{}
	for i, it := range items {
		for _, name := range it.Names {
			at[name] = append(at[name], i)
		}
	}
	for _, root := range roots {
		if at[root] == nil {
			return "", fmt.Errorf("%s: %w: it defines no %s", path, ErrMissing, root)
		}
	}
	taken := make([]bool, len(items))
	for todo := slices.Clone(roots); len(todo) > 0; {
		name := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		for _, i := range at[name] {
			if !taken[i] {
				taken[i] = true
				todo = append(todo, unknown(items[i].Uses, known)...)
			}
		}
	}
	var b strings.Builder
	for i, it := range items {
		if !taken[i] {
			continue
		}
		for _, cond := range it.Branch {
			fmt.Fprintln(&b, "#if "+expression(cond))
		}
		fmt.Fprintf(&b, "#line %d %q\n%s\n", it.Line, path, it.Text)
		b.WriteString(strings.Repeat("#endif\n", len(it.Branch)))
	}
	return b.String(), nil
}

func unknown(names []string, known map[string]bool) []string {
	var out []string
	for _, name := range names {
		if !known[name] {
			out = append(out, name)
		}
	}
	return out
}

// expression turns a branch as package csrc names it into one for #if.
func expression(cond string) string {
	name, not := strings.CutPrefix(cond, "!")
	if strings.ContainsFunc(name, func(r rune) bool { return !isWord(r) }) {
		return cond
	}
	if not {
		return "!defined(" + name + ")"
	}
	return "defined(" + name + ")"
}

func isWord(r rune) bool {
	return r == '_' || '0' <= r && r <= '9' || 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z'
}

// names adds what a file of ours or of the tree defines.
func names(known map[string]bool, path string, src []byte) {
	for _, it := range csrc.Parse(path, src).Items() {
		for _, name := range it.Names {
			known[name] = true
		}
	}
}
