// SPDX-License-Identifier: GPL-2.0-only

package csrc

import (
	"fmt"
	"slices"
	"strings"
	"sync"
)

// File is a C source or header, parsed. It never changes: edits are Changes
// against it, and Splice makes the new text.
type File struct {
	Path     string // in its tree, for messages
	src      []byte
	toks     []token
	comments []span
	items    []item
	syntax   func() *syntax // parsed when first asked for
}

// Parse reads a C file. Source that is not C gives a File all the same, with
// parse errors: most kernel files have some, because of their macros. src must
// not change afterwards.
func Parse(path string, src []byte) *File {
	f := &File{Path: path, src: src}
	f.toks, f.comments = lex(src)
	f.items = outline(src, f.toks)
	f.syntax = sync.OnceValue(func() *syntax {
		s := parse(src, span{0, len(src)})
		return &s
	})
	return f
}

// Errors counts the places that the grammar could not read.
func (f *File) Errors() int { return f.syntax().errors }

// Function is a function's definition in a File.
type Function struct {
	Name   string
	Line   int      // of its first token, 1-based
	Branch []string // the conditions it stands under, outermost first
	item   item
}

// Functions lists the definitions in the order of the file.
func (f *File) Functions() []Function {
	var out []Function
	for _, it := range f.items {
		if it.function != "" {
			out = append(out, Function{it.function, f.toks[it.from].line, it.branch, it})
		}
	}
	return out
}

// Function finds the definition of name. Where the file has several, in
// branches of an #ifdef, branch names the one that is meant by its condition:
// "CONFIG_X", or "!CONFIG_X" for the #else. The error is ErrDrift where there
// is none, and ErrAmbiguous too where branch does not tell several apart.
func (f *File) Function(name, branch string) (Function, error) {
	var found, others []Function
	for _, fn := range f.Functions() {
		switch {
		case fn.Name != name:
		case branch != "" && !slices.Contains(fn.Branch, branch):
			others = append(others, fn)
		default:
			found = append(found, fn)
		}
	}
	switch len(found) {
	case 1:
		return found[0], nil
	case 0:
		d := &DriftError{File: f.Path, What: name + "()", Expected: "a definition", Found: "none"}
		if branch != "" {
			d.Expected += " under " + branch
		}
		if len(others) > 0 {
			d.Found = "it " + places(others)
		}
		return Function{}, d
	}
	return Function{}, fmt.Errorf("%s: %s() %w: it is defined %s; either it %w or the edit must name the branch", f.Path, name, ErrAmbiguous, places(found), ErrDrift)
}

// places says where definitions are: "in line 7 (CONFIG_X) and in line 9".
func places(fns []Function) string {
	var p []string
	for _, fn := range fns {
		s := fmt.Sprintf("in line %d", fn.Line)
		if len(fn.Branch) > 0 {
			s += " (" + strings.Join(fn.Branch, ", ") + ")"
		}
		p = append(p, s)
	}
	return strings.Join(p, " and ")
}

// run is a range of tokens, to exclusive.
type run struct{ from, to int }

func (fn Function) run() run { return run{fn.item.from, fn.item.to} }

// bytes is what the tokens of a run cover.
func (f *File) bytes(r run) span { return span{f.toks[r.from].start, f.toks[r.to-1].end} }

// text is the source of a run.
func (f *File) text(r run) string {
	b := f.bytes(r)
	return string(f.src[b.start:b.end])
}

// lineStart is the offset of the line that at lies in.
func lineStart(src []byte, at int) int {
	for at > 0 && src[at-1] != '\n' {
		at--
	}
	return at
}

// lineEnd is the offset after the newline of the line that at lies in.
func lineEnd(src []byte, at int) int {
	for at < len(src) && src[at] != '\n' {
		at++
	}
	return min(at+1, len(src))
}
