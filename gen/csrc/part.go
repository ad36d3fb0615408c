// SPDX-License-Identifier: GPL-2.0-only

package csrc

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// ErrMissing: a file does not define what is to be taken from it.
var ErrMissing = errors.New("the code under test is not where it was")

// Part takes part of a file: the roots, and of the rest what they use and what
// known does not have. The error matches ErrMissing and names a root that the file
// lacks.
func (f *File) Part(roots []string, known map[string]bool) ([]Item, error) {
	items := f.Items()
	at := map[string][]int{}
	for i, it := range items {
		for _, name := range it.Names {
			at[name] = append(at[name], i)
		}
	}
	for _, root := range roots {
		if at[root] == nil {
			return nil, fmt.Errorf("%s: %w: it defines no %s", f.Path, ErrMissing, root)
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
	var part []Item
	for i, it := range items {
		if taken[i] {
			part = append(part, it)
		}
	}
	return part, nil
}

// PartText is the C of items of the file. Conditions stay around each, and #line
// tells the compiler and the sanitizers where it came from.
func (f *File) PartText(items []Item) string {
	var b strings.Builder
	for _, it := range items {
		for _, cond := range it.Branch {
			fmt.Fprintln(&b, "#if "+expression(cond))
		}
		fmt.Fprintf(&b, "#line %d %q\n%s\n", it.Line, f.Path, it.Text)
		b.WriteString(strings.Repeat("#endif\n", len(it.Branch)))
	}
	return b.String()
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

// expression turns a branch into one for #if.
func expression(cond string) string {
	name, not := strings.CutPrefix(cond, "!")
	if slices.ContainsFunc([]byte(name), func(c byte) bool { return !isWord(c) }) {
		return cond
	}
	if not {
		return "!defined(" + name + ")"
	}
	return "defined(" + name + ")"
}
