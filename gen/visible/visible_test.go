// SPDX-License-Identifier: GPL-2.0-only

package visible

import (
	"strings"
	"testing"
)

func TestText(t *testing.T) {
	for in, want := range map[string]string{
		"vfs_read":    "vfs_read",
		"Größe":       "Größe",
		"a\x1b[31mb":  `a\x1b[31mb`,
		"\x80high":    `\x80high`,
		"tab\tand\r":  `tab\tand\r`,
		"":            "",
		`back\slash"`: `back\slash"`,
	} {
		if got := Text(in); got != want {
			t.Errorf("Text(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestLines(t *testing.T) {
	in := "0001-a\x1b[2J.patch:3:\n\tint \"a\";\n"
	want := "0001-a\\x1b[2J.patch:3:\n\tint \"a\";\n"
	if got := Lines(in); got != want {
		t.Errorf("Lines(%q) = %q, want %q", in, got, want)
	}
}

func TestWrap(t *testing.T) {
	long := strings.Repeat("x", 100)
	for in, want := range map[string]string{
		"":                 "",
		"  --shift 0 to 8": "  --shift 0 to 8",
		"  " + strings.Repeat("word ", 15) + "end": "  " + strings.Repeat("word ", 15) + "end",
		"  " + strings.Repeat("word ", 16) + "end": "  " + strings.Repeat("word ", 14) + "word\n    word end",
		"in " + long + " is":                       "in\n    " + long + "\n    is",
		"  " + long:                                "  " + long,
		long + " is":                               long + "\n    is",
	} {
		if got := Wrap(in, "    "); got != want {
			t.Errorf("Wrap(%q) = %q, want %q", in, got, want)
		}
	}
}
