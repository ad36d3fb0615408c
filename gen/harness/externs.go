// SPDX-License-Identifier: GPL-2.0-only

package harness

import (
	"regexp"
	"strings"
)

var (
	notCode   = regexp.MustCompile(`(?s)/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])+'`)
	directive = regexp.MustCompile(`(?m)^[ \t]*#(?:[^\n]*\\\n)*[^\n]*`)
	attribute = regexp.MustCompile(`\b__\w+\s*(\(\s*(\([^()]*\)|[^()]*)\s*\))?`)
	constant  = regexp.MustCompile(`\bconst\b`)
	lastName  = regexp.MustCompile(`([A-Za-z_]\w*)\s*(\[[^\]]*\]\s*)*$`)
)

// externs lists the constants that a C file declares extern: the tables that
// the host tool writes. Functions, and variables that can be written, are left
// out.
func externs(text string) []string {
	text = notCode.ReplaceAllString(text, " ")
	text = directive.ReplaceAllString(text, " ")
	var names []string
	for _, stmt := range strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(";{}", r) }) {
		decl, ok := strings.CutPrefix(strings.TrimSpace(stmt), "extern ")
		if !ok {
			continue
		}
		decl = attribute.ReplaceAllString(decl, " ")
		if strings.ContainsAny(decl, "()") || !constant.MatchString(decl) {
			continue
		}
		for _, d := range strings.Split(decl, ",") {
			if m := lastName.FindStringSubmatch(strings.TrimSpace(d)); m != nil {
				names = append(names, m[1])
			}
		}
	}
	return names
}
