// SPDX-License-Identifier: GPL-2.0-only

package main

import (
	"regexp"
	"strings"
)

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
