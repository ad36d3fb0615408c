// SPDX-License-Identifier: GPL-2.0-only

package csrc

import (
	"regexp"
	"slices"
	"strings"
)

// kconfigNext begins whatever ends an entry of a Kconfig file.
var kconfigNext = regexp.MustCompile(`^(config|menuconfig|choice|endchoice|comment|menu|endmenu|if|endif|source|mainmenu)\b`)

// KconfigBefore inserts an entry before "config anchor", blank line between.
// The entry goes before the comment lines directly above it.
func KconfigBefore(path string, src []byte, anchor, text string) ([]Change, error) {
	ls := splitLines(src)
	i, err := kconfigEntry(path, ls, anchor)
	if err != nil {
		return nil, err
	}
	for i > 0 && strings.HasPrefix(ls[i-1].text, "#") {
		i--
	}
	return []Change{{ls[i].start, ls[i].start, strings.Trim(text, "\n") + "\n\n", "insert before config " + anchor}}, nil
}

// KconfigAfter inserts an entry after "config anchor", its help included.
func KconfigAfter(path string, src []byte, anchor, text string) ([]Change, error) {
	ls := splitLines(src)
	i, err := kconfigEntry(path, ls, anchor)
	if err != nil {
		return nil, err
	}
	at := ls[i].end
	for i++; i < len(ls) && !kconfigNext.MatchString(ls[i].text) && !strings.HasPrefix(ls[i].text, "#"); i++ {
		if strings.TrimSpace(ls[i].text) != "" {
			at = ls[i].end
		}
	}
	return []Change{{at, at, "\n" + strings.Trim(text, "\n") + "\n", "insert after config " + anchor}}, nil
}

func kconfigEntry(path string, ls []textLine, anchor string) (int, error) {
	i := slices.IndexFunc(ls, func(l textLine) bool {
		w := strings.Fields(l.text)
		return len(w) == 2 && (w[0] == "config" || w[0] == "menuconfig") && w[1] == anchor && strings.HasPrefix(l.text, w[0])
	})
	if i < 0 {
		return 0, &DriftError{File: path, Expected: "config " + anchor, Found: "none"}
	}
	return i, nil
}

// MakefileBefore inserts whole lines before the line that builds
// obj-$(anchor).
func MakefileBefore(path string, src []byte, anchor, text string) ([]Change, error) {
	l, err := makefileLine(path, src, anchor)
	return []Change{{l.start, l.start, lines(text), "insert before obj-$(" + anchor + ")"}}, err
}

// MakefileAfter inserts whole lines after the line that builds obj-$(anchor).
func MakefileAfter(path string, src []byte, anchor, text string) ([]Change, error) {
	l, err := makefileLine(path, src, anchor)
	return []Change{{l.end, l.end, lines(text), "insert after obj-$(" + anchor + ")"}}, err
}

// makefileLine finds the first assignment, its continuation lines included.
func makefileLine(path string, src []byte, anchor string) (textLine, error) {
	goal := "obj-$(" + anchor + ")"
	ls := splitLines(src)
	for i, l := range ls {
		rest, ok := strings.CutPrefix(l.text, goal)
		rest = strings.TrimLeft(rest, " \t")
		if !ok || !(strings.HasPrefix(rest, "+=") || strings.HasPrefix(rest, ":=") || strings.HasPrefix(rest, "=")) {
			continue
		}
		for strings.HasSuffix(ls[i].text, `\`) && i+1 < len(ls) {
			i++
			l.end = ls[i].end
		}
		return l, nil
	}
	return textLine{}, &DriftError{File: path, Expected: goal, Found: "none"}
}

// textLine is a line of a text file. Its text has no newline, its range does.
type textLine struct {
	text       string
	start, end int
}

func splitLines(src []byte) []textLine {
	var out []textLine
	at := 0
	for l := range strings.Lines(string(src)) {
		out = append(out, textLine{strings.TrimSuffix(l, "\n"), at, at + len(l)})
		at += len(l)
	}
	return out
}
