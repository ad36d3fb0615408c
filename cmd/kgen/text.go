// SPDX-License-Identifier: GPL-2.0-only

package main

import (
	"regexp"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// visible is text of a map as a terminal may be given it: what is not printable
// is escaped, so that no symbol can move the cursor. JSON has it as it is.
func visible(text string) string {
	for i := 0; i < len(text); {
		r, n := utf8.DecodeRuneInString(text[i:])
		if r == utf8.RuneError && n == 1 || !unicode.IsPrint(r) {
			quoted := strconv.Quote(text)
			return quoted[1 : len(quoted)-1]
		}
		i += n
	}
	return text
}

// visibleLines is a message of one line or several, which may quote a file's name,
// or what stands in a file.
func visibleLines(text string) string {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		lines[i] = visible(line)
	}
	return strings.Join(lines, "\n")
}

// shellWord is a word as a shell reads it back.
func shellWord(word string) string {
	if word != "" && !strings.ContainsAny(word, " \t\n'\"\\$*?[](){}&;<>|`!#~") {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}

var numberError = regexp.MustCompile(`: strconv\.Parse(Int|Uint): parsing "(?s:.*)": (invalid syntax|value out of range)$`)

// flagText words the complaint about a flag's number without the names of Go's
// functions.
func flagText(err error) string {
	text := err.Error()
	found := numberError.FindStringSubmatchIndex(text)
	if found == nil {
		return text
	}
	kind, why := text[found[2]:found[3]], text[found[4]:found[5]]
	switch {
	case why == "value out of range":
		return text[:found[0]] + ": too large a number"
	case kind == "Uint":
		return text[:found[0]] + ": expected a whole number from 0 on"
	}
	return text[:found[0]] + ": expected a whole number"
}
