// SPDX-License-Identifier: GPL-2.0-only

package csrc

import (
	"fmt"
	"slices"
	"strings"
)

// Scope is where a pattern is looked for.
type Scope struct {
	f    *File
	fn   *Function // nil for the file's top level, outside of function bodies
	What string    // for messages
	Line int       // where it begins, or 0
}

// In is the scope of one function, its head included.
func (f *File) In(fn Function) Scope {
	return Scope{f: f, fn: &fn, What: fn.Name + "()", Line: fn.Line}
}

// TopLevel is the scope of everything outside of function bodies.
func (f *File) TopLevel() Scope { return Scope{f: f} }

// pattern reads the C text of a pattern into its tokens.
func pattern(text string) ([]token, error) {
	toks, _ := lex([]byte(text))
	for len(toks) > 0 && toks[len(toks)-1].class == end {
		toks = toks[:len(toks)-1]
	}
	if len(toks) == 0 {
		return nil, fmt.Errorf("the pattern %q has no token, so it %w", text, ErrEdit)
	}
	return toks, nil
}

// Contains says whether the pattern occurs in the scope, and be it as a part
// of an expression.
func (s Scope) Contains(text string) (bool, error) {
	pat, err := pattern(text)
	return err == nil && len(s.matches(pat)) > 0, err
}

// matches lists where the pattern's tokens stand in the scope, one after the
// other without overlap.
func (s Scope) matches(pat []token) []run {
	var found []run
	for _, r := range s.runs() {
		for i := r.from; i+len(pat) <= r.to; i++ {
			if sameTokens(s.f.toks[i:i+len(pat)], pat) {
				found = append(found, run{i, i + len(pat)})
				i += len(pat) - 1
			}
		}
	}
	return found
}

func (s Scope) runs() []run {
	if s.fn != nil {
		return []run{s.fn.run()}
	}
	if len(s.f.toks) == 0 {
		return nil
	}
	runs := []run{{0, 0}}
	for _, it := range s.f.items {
		last := &runs[len(runs)-1]
		last.to = it.to
		if it.function != "" {
			last.to = it.body
			runs = append(runs, run{it.to, it.to})
		}
	}
	return runs
}

func sameTokens(a, b []token) bool {
	for i := range a {
		if a[i].text != b[i].text {
			return false
		}
	}
	return true
}

// find matches a pattern that must occur count times.
func (s Scope) find(text string, count int) ([]run, error) {
	pat, err := pattern(text)
	if err != nil {
		return nil, fmt.Errorf("%s: %s: %w", s.f.Path, s.What, err)
	}
	found := s.matches(pat)
	if len(found) == count {
		return found, nil
	}
	times := fmt.Sprintf(" %d times", count)
	if count == 1 {
		times = " once"
	}
	d := &DriftError{File: s.f.Path, Line: s.Line, What: s.What, Expected: fmt.Sprintf("%q%s", oneLine(text), times)}
	switch len(found) {
	case 0:
		d.Found = "it nowhere"
	default:
		var lines []string
		for _, r := range found {
			lines = append(lines, fmt.Sprint(s.f.toks[r.from].line))
		}
		d.Found = fmt.Sprintf("it in line %s", joinAnd(lines))
	}
	return nil, d
}

// syntaxAt is the tree to judge a match by. A function that the grammar lost,
// because of what stands around it, is parsed once more on its own.
func (s Scope) syntaxAt(at span) *syntax {
	whole := s.f.syntax()
	if s.fn == nil || s.fn.item.broken || at.start < s.f.toks[s.fn.item.body].start {
		return whole
	}
	body := s.f.bytes(run{s.fn.item.body, s.fn.item.to})
	if n := whole.nodes[whole.smallest(body)]; n.kind == "compound_statement" && n.start == body.start && n.end == body.end {
		return whole
	}
	own := parse(s.f.src, body)
	return &own
}

// aligned refuses a match that is not made of complete nodes: "b - c" in
// "a - b - c", "x +" in "x + y".
func (s Scope) aligned(r run) error {
	at := s.f.bytes(r)
	t := s.syntaxAt(at)
	i := t.smallest(at)
	covers := func(from, to int) bool {
		return t.nodes[from].start == at.start && s.f.trimmed(t.nodes[to]) == at.end
	}
	if covers(i, i) {
		return nil
	}
	whole := strings.HasSuffix(t.nodes[i].kind, "_expression") || t.nodes[i].kind == "ERROR"
	if kids := t.children(i); !whole && s.f.balanced(r) {
		from := slices.IndexFunc(kids, func(k int) bool { return t.nodes[k].start == at.start })
		to := slices.IndexFunc(kids, func(k int) bool { return s.f.trimmed(t.nodes[k]) == at.end })
		if from >= 0 && to >= from {
			return nil
		}
	}
	return fmt.Errorf("%s:%d: %q is a part of %q only, so it %w; anchor on whole expressions or statements",
		s.f.Path, s.f.toks[r.from].line, oneLine(s.f.text(r)), shorten(oneLine(string(s.f.src[t.nodes[i].start:t.nodes[i].end]))), ErrEdit)
}

// trimmed is the end of a node without the newline that directives have.
func (f *File) trimmed(n node) int {
	return n.start + len(strings.TrimRight(string(f.src[n.start:n.end]), " \t\r\n"))
}

// balanced says whether the brackets of a run pair up within it.
func (f *File) balanced(r run) bool {
	var open []string
	pair := map[string]string{")": "(", "]": "[", "}": "{"}
	for _, t := range f.toks[r.from:r.to] {
		switch t.text {
		case "(", "[", "{":
			open = append(open, t.text)
		case ")", "]", "}":
			n := len(open) - 1
			if n < 0 || open[n] != pair[t.text] {
				return false
			}
			open = open[:n]
		}
	}
	return len(open) == 0
}

// statement widens a match to the innermost statements or declarations that
// contain it.
func (s Scope) statement(r run) run {
	at := s.f.bytes(r)
	t := s.syntaxAt(at)
	i := t.smallest(at)
	for i >= 0 && !isStatement(t.nodes[i].kind) && !isList(t.nodes[i].kind) {
		i = t.nodes[i].parent
	}
	if i < 0 {
		return r
	}
	wide := span{t.nodes[i].start, s.f.trimmed(t.nodes[i])}
	if isList(t.nodes[i].kind) { // several statements: those that r touches
		wide = at
		for _, k := range t.children(i) {
			if n := t.nodes[k]; n.end > at.start && n.start < at.end {
				wide = span{min(wide.start, n.start), max(wide.end, s.f.trimmed(n))}
			}
		}
	}
	for r.from > 0 && s.f.toks[r.from-1].start >= wide.start {
		r.from--
	}
	for r.to < len(s.f.toks) && s.f.toks[r.to].end <= wide.end {
		r.to++
	}
	return r
}

func isStatement(kind string) bool {
	return (strings.HasSuffix(kind, "_statement") || kind == "declaration") && !isList(kind)
}

// isList says whether a node's children are statements in a row.
func isList(kind string) bool {
	switch kind {
	case "compound_statement", "case_statement", "translation_unit", "function_definition",
		"preproc_if", "preproc_ifdef", "preproc_else", "preproc_elif":
		return true
	}
	return false
}

// oneLine folds white space for a message.
func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

func shorten(s string) string {
	if len(s) > 60 {
		return strings.ToValidUTF8(s[:57], "") + "..."
	}
	return s
}
