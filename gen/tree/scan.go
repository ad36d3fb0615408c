// SPDX-License-Identifier: GPL-2.0-only

package tree

import (
	"bytes"
	"fmt"
	"regexp"
)

// source is a C file to be scanned for facts. Both texts are as long as the file,
// with the same line ends, so that offsets are exchangeable.
type source struct {
	rel  string
	code []byte // comments blanked
	bare []byte // also the insides of string and character constants
}

func newSource(rel string, text []byte) *source {
	code, bare := blank(text)
	return &source{rel, code, bare}
}

// blank replaces comments by spaces, and in the second result also what is between
// quotes. Line ends stay. Escapes and continued lines count as in C.
func blank(text []byte) (code, bare []byte) {
	code, bare = bytes.Clone(text), bytes.Clone(text)
	erase := func(from, to int, in ...[]byte) {
		for _, b := range in {
			for i := from; i < to; i++ {
				if b[i] != '\n' {
					b[i] = ' '
				}
			}
		}
	}
	for i := 0; i < len(text); {
		rest := text[i:]
		switch {
		case bytes.HasPrefix(rest, []byte("/*")):
			end := len(text)
			if n := bytes.Index(rest[2:], []byte("*/")); n >= 0 {
				end = i + 2 + n + 2
			}
			erase(i, end, code, bare)
			i = end
		case bytes.HasPrefix(rest, []byte("//")):
			end := lineEnd(text, i)
			erase(i, end, code, bare)
			i = end
		case rest[0] == '"' || rest[0] == '\'':
			end := closingQuote(text, i)
			erase(i+1, end, bare)
			i = end + 1
		default:
			i++
		}
	}
	return code, bare
}

// lineEnd is the offset of the line end after i that no backslash continues.
func lineEnd(text []byte, i int) int {
	for ; i < len(text); i++ {
		if text[i] == '\\' {
			i++
		} else if text[i] == '\n' {
			return i
		}
	}
	return len(text)
}

// closingQuote is the offset of the quote that closes the one at i, or of the end
// of the line when none does, as with the apostrophes of #error.
func closingQuote(text []byte, i int) int {
	quote := text[i]
	for i++; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case quote, '\n':
			return i
		}
	}
	return len(text)
}

// at names the line of an offset: "kernel/kallsyms.c:128".
func (s *source) at(offset int) string {
	return fmt.Sprintf("%s:%d", s.rel, 1+bytes.Count(s.code[:offset], []byte("\n")))
}

// find gives the place of the first match of a pattern outside comments and
// strings, with the pattern's groups.
func (s *source) find(pattern string) (place string, groups []string, ok bool) {
	return s.match(s.bare, 0, len(s.bare), pattern)
}

// findText is find that also looks into strings.
func (s *source) findText(pattern string) (place string, groups []string, ok bool) {
	return s.match(s.code, 0, len(s.code), pattern)
}

// findIn is find within the body of a function.
func (s *source) findIn(function, pattern string) (place string, groups []string, ok bool) {
	from, to, ok := s.body(function)
	if !ok {
		return "", nil, false
	}
	return s.match(s.bare, from, to, pattern)
}

func (s *source) match(text []byte, from, to int, pattern string) (place string, groups []string, ok bool) {
	m := regexp.MustCompile(pattern).FindSubmatchIndex(text[from:to])
	if m == nil {
		return "", nil, false
	}
	for i := 2; i < len(m); i += 2 {
		group := ""
		if m[i] >= 0 {
			group = string(text[from+m[i] : from+m[i+1]])
		}
		groups = append(groups, group)
	}
	return s.at(from + m[0]), groups, true
}

// body finds the braces of the first definition of a function: its name, a
// parenthesised list, and a brace. A call has something else after the list.
func (s *source) body(function string) (from, to int, ok bool) {
	for _, m := range regexp.MustCompile(`\b`+function+`\s*\(`).FindAllIndex(s.bare, -1) {
		list := s.closing(m[1]-1, '(', ')')
		brace := list + len(s.bare[list:]) - len(bytes.TrimLeft(s.bare[list:], " \t\n"))
		if brace < len(s.bare) && s.bare[brace] == '{' {
			return brace, s.closing(brace, '{', '}'), true
		}
	}
	return 0, 0, false
}

// closing is the offset behind the bracket that closes the one at i.
func (s *source) closing(i int, open, shut byte) int {
	for depth := 0; i < len(s.bare); i++ {
		switch s.bare[i] {
		case open:
			depth++
		case shut:
			if depth--; depth == 0 {
				return i + 1
			}
		}
	}
	return len(s.bare)
}
