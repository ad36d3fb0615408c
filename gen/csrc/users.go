// SPDX-License-Identifier: GPL-2.0-only

package csrc

import (
	"slices"
	"strings"
)

// User is an element of the top level in which a name stands.
type User struct {
	Names  []string // what it defines, as in Item
	What   string   // how messages call it: "f()", "#define X", ...
	Line   int      // of the first place where the name stands, 1-based
	Source string   // that line
}

// Users lists the elements of the top level in which a name stands, as that of
// a variable, function, type or member, but for those that define or declare it.
// What stands in strings and comments does not count.
func (f *File) Users(name string) []User {
	var out []User
	for _, it := range f.items {
		if it.function == name || f.declares(it, name) {
			continue
		}
		toks := f.toks[it.from:it.to]
		at := slices.IndexFunc(toks, func(t token) bool { return t.class == ident && t.text == name })
		if at < 0 {
			continue
		}
		u := User{Names: []string{it.function}, What: it.function + "()", Line: toks[at].line, Source: f.excerpt(toks[at])}
		if it.function == "" {
			u.Names = definedNames(toks)
			u.What = "the declaration of " + joinAnd(u.Names)
			if toks[0].class == directive || len(u.Names) == 0 {
				u.What = strings.Join(append([]string{toks[0].text}, u.Names...), " ")
			}
		}
		out = append(out, u)
	}
	return out
}

// Overlap says whether the tokens of one text stand in the other, in a row.
func Overlap(a, b string) bool {
	short, errA := pattern(a)
	long, errB := pattern(b)
	if errA != nil || errB != nil {
		return false
	}
	if len(short) > len(long) {
		short, long = long, short
	}
	for i := 0; i+len(short) <= len(long); i++ {
		if sameTokens(short, long[i:]) {
			return true
		}
	}
	return false
}
