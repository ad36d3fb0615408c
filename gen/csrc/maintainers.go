// SPDX-License-Identifier: GPL-2.0-only

package csrc

import (
	"fmt"
	"strings"
)

// Maintainers inserts a section, its title on the first line, in its
// alphabetical place, and before the last one, "THE REST", in any case.
//
// The file is not quite in order everywhere, so the place is the one that has
// the fewest sections on the wrong side.
func Maintainers(path string, src []byte, text string) ([]Change, error) {
	text = strings.Trim(text, "\n")
	title, _, _ := strings.Cut(text, "\n")
	sections := sectionTitles(src)
	if len(sections) == 0 {
		return nil, &DriftError{File: path, Expected: `a list of sections under "Maintainers List"`, Found: "none"}
	}
	// wrong counts what would be on the wrong side if the new section came
	// before sections[i]; at first all that sort before it do.
	wrong := 0
	for _, s := range sections {
		if s.text == title {
			return nil, fmt.Errorf("%s: section %q is there already, so it %w", path, title, ErrEdit)
		}
		if before(s.text, title) {
			wrong++
		}
	}
	best, at := wrong, 0
	for i, s := range sections {
		if wrong < best {
			best, at = wrong, i
		}
		if before(s.text, title) {
			wrong--
		} else {
			wrong++
		}
	}
	where := sections[at].start
	return []Change{{where, where, text + "\n\n", "insert section " + title}}, nil
}

func before(a, b string) bool {
	return strings.ToUpper(a) < strings.ToUpper(b)
}

// sectionTitles lists the title lines: the first of each paragraph that has
// "M:" and the like after it.
func sectionTitles(src []byte) []textLine {
	ls := splitLines(src)
	var out []textLine
	inList := false
	for i, l := range ls {
		if l.text == "Maintainers List" {
			inList = true
		}
		if inList && i > 0 && i+1 < len(ls) && ls[i-1].text == "" && l.text != "" && len(ls[i+1].text) > 2 && ls[i+1].text[1] == ':' && l.text[0] != ' ' {
			out = append(out, l)
		}
	}
	return out
}
