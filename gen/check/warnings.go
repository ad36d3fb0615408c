// SPDX-License-Identifier: GPL-2.0-only

package check

import (
	"regexp"
	"strings"
)

// diagnostic is a warning or an error of the compiler, objtool, kernel-doc or
// Kconfig.
type diagnostic struct {
	text  string // as said, with paths inside the tree
	key   string // the same without what moves when lines are added above
	file  string // the C file that it is about, or empty
	fatal bool
}

var (
	saysSomething = regexp.MustCompile(`(?i)\b(fatal error|error|warning)\s*:`)
	saysError     = regexp.MustCompile(`(?i)\berror\s*:`)
	lineNumber    = regexp.MustCompile(`((?:\.[chSs]|Kconfig[\w.]*|Makefile|Kbuild)):\d+(?::\d+)?`)
	hexNumber     = regexp.MustCompile(`\b0x[0-9a-fA-F]+\b`)
	sourceFile    = regexp.MustCompile(`(?:^|[\s(])((?:[\w.-]+/)*[\w.-]+\.[cS])\b`)
)

// diagnostics reads them from what make said. root is where the tree is seen, and
// is taken off the paths.
func diagnostics(out output, root string) []diagnostic {
	var all []diagnostic
	for line := range strings.Lines(out.stdout + out.stderr) {
		line = strings.ReplaceAll(strings.TrimSpace(line), root+"/", "")
		// The second is a line of source below a warning, quoted.
		if !saysSomething.MatchString(line) || quotedSource.MatchString(line) {
			continue
		}
		d := diagnostic{text: line, fatal: saysError.MatchString(line)}
		d.key = hexNumber.ReplaceAllString(lineNumber.ReplaceAllString(line, "$1"), "0x")
		if m := sourceFile.FindStringSubmatch(line); m != nil {
			d.file = m[1]
		}
		all = append(all, d)
	}
	return all
}

// "   12 |     label: ..." below a warning.
var quotedSource = regexp.MustCompile(`^\d* *\|`)

// known counts the diagnostics of the tree as it was before a patch.
type known map[diagnosticKey]int

type diagnosticKey struct{ file, key string }

// fresh returns those that are not known. In a C file the number counts: the same
// words about a second place are new. A header speaks once for each file that
// includes it, so there it does not.
func (k known) fresh(all []diagnostic) []diagnostic {
	var out []diagnostic
	seen := make(map[diagnosticKey]int)
	for _, d := range all {
		key := diagnosticKey{d.file, d.key}
		seen[key]++
		if n := k[key]; seen[key] > n && (d.file != "" || n == 0 && seen[key] == 1) {
			out = append(out, d)
		}
	}
	return out
}

// update makes what was said the new state of the compiled files, and adds the
// rest.
func (k known) update(compiled []target, all []diagnostic) {
	for key := range k {
		for _, t := range compiled {
			if key.file == t.source {
				delete(k, key)
			}
		}
	}
	seen := make(map[diagnosticKey]int)
	for _, d := range all {
		key := diagnosticKey{d.file, d.key}
		seen[key]++
		k[key] = max(k[key], seen[key])
	}
}
