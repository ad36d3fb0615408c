// SPDX-License-Identifier: GPL-2.0-only

package csrc

import (
	"fmt"
	"slices"
	"strings"
)

// Anchor names a piece of code whose wording matters to an edit. Either
// Function is set, with Statement to narrow it to the innermost statements
// that contain that pattern, or Declaration, or Define.
type Anchor struct {
	Function    string
	Branch      string // as in File.Function
	Statement   string // C text
	Declaration string // a name declared at the top level
	Define      string // a macro's name
}

// String is how messages call the code.
func (a Anchor) String() string {
	switch {
	case a.Function != "":
		return a.Function + "()"
	case a.Declaration != "":
		return "the declaration of " + a.Declaration
	}
	return "#define " + a.Define
}

// locate finds the anchored code. It may be in several pieces, as statements or
// the #defines of several branches are.
func (f *File) locate(a Anchor) ([]run, error) {
	switch {
	case a.Function != "":
		fn, err := f.Function(a.Function, a.Branch)
		if err != nil || a.Statement == "" {
			return []run{fn.run()}, err
		}
		return f.In(fn).statements(a.Statement)
	case a.Declaration != "":
		return f.itemsOf(a, f.declares)
	case a.Define != "":
		return f.itemsOf(a, f.defines)
	}
	return nil, fmt.Errorf("%s: the anchor names no code, so it %w", f.Path, ErrEdit)
}

// statements are the innermost statements around each match of a pattern.
func (s Scope) statements(text string) ([]run, error) {
	pat, err := pattern(text)
	if err != nil {
		return nil, fmt.Errorf("%s: %s: %w", s.f.Path, s.What, err)
	}
	found := s.matches(pat)
	if len(found) == 0 {
		_, err := s.find(text, 1)
		return nil, err
	}
	var out []run
	for _, r := range found {
		if stmt := s.statement(r); len(out) == 0 || stmt != out[len(out)-1] {
			out = append(out, stmt)
		}
	}
	return out, nil
}

func (f *File) itemsOf(a Anchor, is func(item, string) bool) ([]run, error) {
	var out []run
	for _, it := range f.items {
		if is(it, a.Declaration+a.Define) {
			out = append(out, run{it.from, it.to})
		}
	}
	if out == nil {
		return nil, &DriftError{File: f.Path, What: a.String(), Expected: "one", Found: "none"}
	}
	return out, nil
}

// defines says whether an item is the #define of name.
func (f *File) defines(it item, name string) bool {
	return it.to-it.from > 1 && f.toks[it.from].text == "#define" && f.toks[it.from+1].text == name
}

// Defines says whether the file has a #define of name.
func (f *File) Defines(name string) bool {
	return slices.ContainsFunc(f.items, func(it item) bool { return f.defines(it, name) })
}

// declares says whether an item declares name: outside of all brackets, before
// an initialiser, and no function or directive.
func (f *File) declares(it item, name string) bool {
	if it.function != "" || f.toks[it.from].class == directive {
		return false
	}
	depth := 0
	for _, t := range f.toks[it.from:it.to] {
		switch {
		case strings.Contains("([{", t.text):
			depth++
		case strings.Contains(")]}", t.text):
			depth--
		case t.text == "=":
			return false
		case depth == 0 && t.text == name:
			return true
		}
	}
	return false
}

// lookalikes lists pieces of the file that could be what is left of the
// anchored code of so many tokens, for a message that says what became of it.
func (f *File) lookalikes(a Anchor, length int) []run {
	var out []run
	if a.Statement != "" {
		if fn, err := f.Function(a.Function, a.Branch); err == nil {
			return f.In(fn).allStatements()
		}
		return nil
	}
	for _, it := range f.items {
		out = append(out, run{it.from, it.to})
		// A definition that lost a bracket is cut into items in the wrong
		// places, so that any item may begin what has the right length but for
		// the token that is changed, gone or new.
		for n := length - 1; n <= length+1 && a.Function != ""; n++ {
			out = append(out, run{it.from, min(it.from+n, len(f.toks))})
		}
	}
	return out
}

// allStatements are the statements of a function, the innermost included.
func (s Scope) allStatements() []run {
	body := s.f.bytes(s.fn.run())
	t := s.syntaxAt(s.f.bytes(run{s.fn.item.body, s.fn.item.to}))
	var out []run
	for _, n := range t.nodes {
		if n.start < body.start || n.end > body.end || !isStatement(n.kind) {
			continue
		}
		r := s.fn.run()
		for r.from < r.to && s.f.toks[r.from].start < n.start {
			r.from++
		}
		for r.to > r.from && s.f.toks[r.to-1].end > n.end {
			r.to--
		}
		if r.from < r.to {
			out = append(out, r)
		}
	}
	return out
}
