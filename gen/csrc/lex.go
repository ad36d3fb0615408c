// SPDX-License-Identifier: GPL-2.0-only

package csrc

import "bytes"

// class is what a token is to the lexer. Its letter opens the token's mark in
// a digest.
type class byte

const (
	ident     class = 'i'
	keyword   class = 'k'
	number    class = 'n'
	str       class = 's' // string literal, or the <header> of an include
	char      class = 'c'
	punct     class = 'p'
	directive class = 'd' // "#define": hash and word in one, however spaced
	end       class = 'e' // the end of a directive's line
	raw       class = 'r' // the prose of #error and #warning
)

// name says what a class is, for messages.
func (c class) name() string {
	return map[class]string{
		ident: "a name", keyword: "a keyword", number: "a number", str: "a string",
		char: "a character", punct: "punctuation", directive: "a directive",
		end: "the end of the directive", raw: "text",
	}[c]
}

// token is one lexical element of C. Comments and white space are none, with
// one exception: the end of a directive's line, which C gives a meaning to.
type token struct {
	class      class
	text       string
	start, end int // byte range
	line       int // 1-based
}

// keywords of C as the kernel uses it.
var keywords = func() map[string]bool {
	m := make(map[string]bool)
	for _, w := range []string{
		"auto", "break", "case", "char", "const", "continue", "default", "do", "double",
		"else", "enum", "extern", "float", "for", "goto", "if", "inline", "int", "long",
		"register", "restrict", "return", "short", "signed", "sizeof", "static", "struct",
		"switch", "typedef", "union", "unsigned", "void", "volatile", "while", "_Bool",
		"_Alignas", "_Alignof", "_Generic", "_Static_assert", "typeof", "asm",
	} {
		m[w] = true
	}
	return m
}()

// puncts are the punctuators of more than one character, longest first.
var puncts = []string{
	"...", "<<=", ">>=", "->", "++", "--", "<<", ">>", "<=", ">=", "==", "!=", "&&",
	"||", "*=", "/=", "%=", "+=", "-=", "&=", "^=", "|=", "##",
}

// lexer walks over src once. It cannot fail: what is no C becomes one
// punctuator a byte, so that broken source still has a stream to compare.
type lexer struct {
	src         []byte
	pos, line   int
	toks        []token
	comments    []span
	inDirective bool
}

// span is a byte range.
type span struct{ start, end int }

// lex is the token stream of src, and where its comments are.
func lex(src []byte) ([]token, []span) {
	l := &lexer{src: src, line: 1, toks: make([]token, 0, len(src)/4)}
	for l.next() {
	}
	return l.toks, l.comments
}

// next adds one token, or says that there are no more.
func (l *lexer) next() bool {
	fresh := l.skip()
	if l.pos >= len(l.src) {
		l.endDirective()
		return false
	}
	c := l.src[l.pos]
	switch {
	case c == '#' && fresh && !l.inDirective:
		l.directive()
	case c == '"':
		l.take(str, l.quoted(l.pos, '"'))
	case c == '\'':
		l.take(char, l.quoted(l.pos, '\''))
	case c == '<' && l.afterInclude():
		stop := bytes.IndexAny(l.src[l.pos:], ">\n")
		if stop < 0 || l.src[l.pos+stop] == '\n' {
			l.take(punct, l.pos+1)
			break
		}
		l.take(str, l.pos+stop+1)
	case isDigit(c) || c == '.' && l.pos+1 < len(l.src) && isDigit(l.src[l.pos+1]):
		l.take(number, l.number())
	case isWord(c):
		p := l.pos
		for p < len(l.src) && isWord(l.src[p]) {
			p++
		}
		l.take(ident, p)
	default:
		l.take(punct, l.punct())
	}
	return true
}

// skip passes over white space and comments and ends a directive at its line's
// end. It reports whether the next token is the first of its line.
func (l *lexer) skip() (fresh bool) {
	fresh = len(l.toks) == 0
	for l.pos < len(l.src) {
		rest := l.src[l.pos:]
		switch {
		case rest[0] == '\n':
			l.endDirective()
			l.line++
			l.pos++
			fresh = true
		case rest[0] == ' ' || rest[0] == '\t' || rest[0] == '\r' || rest[0] == '\f' || rest[0] == '\v':
			l.pos++
		case bytes.HasPrefix(rest, []byte("\\\n")):
			l.line++
			l.pos += 2
		case bytes.HasPrefix(rest, []byte("//")):
			n := bytes.IndexByte(rest, '\n')
			if n < 0 {
				n = len(rest)
			}
			l.comments = append(l.comments, span{l.pos, l.pos + n})
			l.pos += n
		case bytes.HasPrefix(rest, []byte("/*")):
			n := len(rest)
			if stop := bytes.Index(rest[2:], []byte("*/")); stop >= 0 {
				n = stop + 4
			}
			l.line += bytes.Count(rest[:n], []byte("\n"))
			l.comments = append(l.comments, span{l.pos, l.pos + n})
			l.pos += n
		default:
			return fresh
		}
	}
	return fresh
}

func (l *lexer) take(c class, stop int) {
	text := string(l.src[l.pos:stop])
	if c == ident && keywords[text] {
		c = keyword
	}
	l.toks = append(l.toks, token{c, text, l.pos, stop, l.line})
	l.line += bytes.Count(l.src[l.pos:stop], []byte("\n"))
	l.pos = stop
}

func (l *lexer) endDirective() {
	if l.inDirective {
		l.toks = append(l.toks, token{end, "\n", l.pos, l.pos, l.line})
		l.inDirective = false
	}
}

// directive takes "#", white space and the word as one token, and for #error
// and #warning the line's prose, whose apostrophes open nothing.
func (l *lexer) directive() {
	p := l.pos + 1
	for p < len(l.src) && (l.src[p] == ' ' || l.src[p] == '\t') {
		p++
	}
	word := p
	for p < len(l.src) && isWord(l.src[p]) {
		p++
	}
	name := string(l.src[word:p])
	l.toks = append(l.toks, token{directive, "#" + name, l.pos, p, l.line})
	l.pos = p
	l.inDirective = true
	if name != "error" && name != "warning" {
		return
	}
	stop := p
	for stop < len(l.src) && l.src[stop] != '\n' {
		stop++
	}
	if text := bytes.TrimSpace(l.src[p:stop]); len(text) > 0 {
		l.toks = append(l.toks, token{raw, string(text), p, stop, l.line})
	}
	l.pos = stop
}

// quoted finds the end of a literal. One that is not closed ends with its line.
func (l *lexer) quoted(p int, quote byte) int {
	for p++; p < len(l.src) && l.src[p] != '\n'; p++ {
		switch l.src[p] {
		case quote:
			return p + 1
		case '\\':
			if p+1 < len(l.src) {
				p++
			}
		}
	}
	return p
}

func (l *lexer) afterInclude() bool {
	n := len(l.toks)
	return n > 0 && l.inDirective && l.toks[n-1].text == "#include"
}

// number is a preprocessing number: digits, letters, dots, and a sign after an
// exponent.
func (l *lexer) number() int {
	p := l.pos
	for p < len(l.src) {
		c := l.src[p]
		hex := l.pos+1 < len(l.src) && (l.src[l.pos+1] == 'x' || l.src[l.pos+1] == 'X')
		sign := (c == '+' || c == '-') && p > l.pos && (!hex && (l.src[p-1] == 'e' || l.src[p-1] == 'E'))
		if !isWord(c) && c != '.' && !sign {
			break
		}
		p++
	}
	return p
}

func (l *lexer) punct() int {
	for _, p := range puncts {
		if bytes.HasPrefix(l.src[l.pos:], []byte(p)) {
			return l.pos + len(p)
		}
	}
	return l.pos + 1
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

func isWord(c byte) bool {
	return c == '_' || isDigit(c) || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= 0x80
}
