// SPDX-License-Identifier: GPL-2.0-only

package csrc

import (
	"fmt"
	"strings"
)

// Replace replaces a pattern that must occur count times in the scope, each
// time as complete nodes. The text is taken as it is, less one newline at its
// end, and its further lines are indented for the first match: at a match that
// lies deeper or less deep they move along. An empty text removes the lines
// that the match has for itself.
func (s Scope) Replace(find, text string, count int) ([]Change, error) {
	found, err := s.find(find, count)
	if err != nil {
		return nil, err
	}
	text = strings.TrimSuffix(text, "\n")
	var out []Change
	for _, r := range found {
		if err := s.aligned(r); err != nil {
			return nil, err
		}
		at := s.f.bytes(r)
		moved := strings.ReplaceAll(text, "\n"+s.f.indent(found[0]), "\n"+s.f.indent(r))
		if text == "" {
			at = s.f.withLines(at)
		}
		out = append(out, Change{at.start, at.end, moved, fmt.Sprintf("replace %q", oneLine(find))})
	}
	return out, nil
}

// indent is the white space that the line of a run begins with.
func (f *File) indent(r run) string {
	line := string(f.src[lineStart(f.src, f.toks[r.from].start):f.toks[r.from].start])
	return line[:len(line)-len(strings.TrimLeft(line, " \t"))]
}

// withLines widens a span to its whole lines, if nothing else is on them.
func (f *File) withLines(at span) span {
	from, to := lineStart(f.src, at.start), lineEnd(f.src, at.end)
	alone := strings.TrimSpace(string(f.src[from:at.start])) == "" && strings.TrimSpace(string(f.src[at.end:to])) == ""
	if !alone {
		return at
	}
	return span{from, to}
}

// InsertBefore puts whole lines before the statement that contains the
// pattern, and before the comment above it.
func (s Scope) InsertBefore(find, text string) ([]Change, error) {
	stmt, err := s.ownStatement(find, false)
	if err != nil {
		return nil, err
	}
	at := lineStart(s.f.src, s.f.commentAbove(stmt.from).start)
	return []Change{{at, at, lines(text), fmt.Sprintf("insert before %q", oneLine(find))}}, nil
}

// InsertAfter puts whole lines after the statement that contains the pattern.
func (s Scope) InsertAfter(find, text string) ([]Change, error) {
	stmt, err := s.ownStatement(find, true)
	if err != nil {
		return nil, err
	}
	at := lineEnd(s.f.src, s.f.bytes(stmt).end)
	return []Change{{at, at, lines(text), fmt.Sprintf("insert after %q", oneLine(find))}}, nil
}

// ReplaceComment replaces the comment that stands directly above the statement
// containing the pattern. The text begins at the comment's own indentation and
// brings that of its further lines. Where there is no comment, it becomes one.
func (s Scope) ReplaceComment(find, text string) ([]Change, error) {
	found, err := s.find(find, 1)
	if err != nil {
		return nil, err
	}
	stmt := s.statement(found[0])
	first := s.f.toks[stmt.from].start
	at := s.f.commentAbove(stmt.from)
	text = strings.TrimSuffix(text, "\n")
	if at.start == first {
		text += "\n" + string(s.f.src[lineStart(s.f.src, first):first])
	}
	return []Change{{at.start, at.end, text, fmt.Sprintf("replace the comment of %q", oneLine(find))}}, nil
}

// ownStatement finds the statement around a pattern and makes sure that there
// is room before it, or after it, for another one: it stands in a block, which
// the body of an "if" without braces does not, and begins or ends its line.
func (s Scope) ownStatement(find string, after bool) (run, error) {
	found, err := s.find(find, 1)
	if err != nil {
		return run{}, err
	}
	stmt := s.statement(found[0])
	at, toks := s.f.bytes(stmt), s.f.toks
	// In a block, a statement follows a brace, a statement, a label or a
	// directive. What ends otherwise is a macro that goes on, for_each(x) {.
	room := stmt.from > 0 && strings.Contains("{};:\n", toks[stmt.from-1].text)
	if after {
		last := toks[stmt.to-1].text
		room = room && (last == ";" || last == "}") && s.f.endsLine(at.end)
	} else {
		room = room && strings.TrimSpace(string(s.f.src[lineStart(s.f.src, at.start):at.start])) == ""
	}
	if !room {
		return run{}, fmt.Errorf("%s:%d: %q has no line of its own in a block, so beside it %w; anchor on another statement",
			s.f.Path, toks[stmt.from].line, shorten(oneLine(s.f.text(stmt))), ErrEdit)
	}
	return stmt, nil
}

// endsLine says whether nothing but a comment follows on the line.
func (f *File) endsLine(at int) bool {
	stop := lineEnd(f.src, at)
	rest := string(f.src[at:stop])
	for _, c := range f.comments {
		if c.start >= at && c.end <= stop {
			rest = string(f.src[at:c.start]) + string(f.src[c.end:stop])
		}
	}
	return strings.TrimSpace(rest) == ""
}

// commentAbove is the block of comments that ends on the line above a token,
// or else the empty span before the token. The licence line of a file is
// nobody's comment.
func (f *File) commentAbove(tok int) span {
	first := f.toks[tok].start
	at := span{first, first}
	for i := len(f.comments) - 1; i >= 0; i-- {
		c := f.comments[i]
		if c.end > at.start {
			continue
		}
		between := string(f.src[c.end:at.start])
		if strings.TrimSpace(between) != "" || strings.Count(between, "\n") != 1 ||
			strings.TrimSpace(string(f.src[lineStart(f.src, c.start):c.start])) != "" ||
			strings.Contains(string(f.src[c.start:c.end]), "SPDX-License-Identifier") {
			break
		}
		if at.start == first {
			at.end = c.end
		}
		at.start = c.start
	}
	return at
}

// lines makes text end with a newline.
func lines(text string) string {
	if text == "" || strings.HasSuffix(text, "\n") {
		return text
	}
	return text + "\n"
}
