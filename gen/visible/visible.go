// SPDX-License-Identifier: GPL-2.0-only

// Package visible makes text from elsewhere - names of symbols and files, what a
// compiler said of them - fit for a terminal, which it cannot steer any more.
package visible

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Text is text on one line: where a character is not printable, all that a Go
// string would escape is escaped. JSON has it as it is.
func Text(text string) string {
	if printable(text) {
		return text
	}
	quoted := strconv.Quote(text)
	return quoted[1 : len(quoted)-1]
}

// Lines is a message of one line or several, with tabs as they are.
func Lines(text string) string {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		cells := strings.Split(line, "\t")
		for k, cell := range cells {
			cells[k] = Text(cell)
		}
		lines[i] = strings.Join(cells, "\t")
	}
	return strings.Join(lines, "\n")
}

// Width is that of a terminal, which lines for people fit.
const Width = 80

// Wrap breaks a line between words to fit Width, and indents what follows. A word
// that is longer stays whole, as it may be a path to copy.
func Wrap(line, indent string) string {
	var b strings.Builder
	column, begun := 0, false // the line, with a word
	for i, word := range strings.Split(line, " ") {
		n := utf8.RuneCountInString(word)
		switch {
		case i == 0:
		case column+1+n > Width && begun:
			b.WriteString("\n" + indent)
			column, begun = len(indent), false
		default:
			b.WriteByte(' ')
			column++
		}
		b.WriteString(word)
		column, begun = column+n, begun || n > 0
	}
	return b.String()
}

func printable(text string) bool {
	for i := 0; i < len(text); {
		r, n := utf8.DecodeRuneInString(text[i:])
		if r == utf8.RuneError && n == 1 || !unicode.IsPrint(r) {
			return false
		}
		i += n
	}
	return true
}
