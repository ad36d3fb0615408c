// SPDX-License-Identifier: GPL-2.0-only

package main

import (
	"os/exec"
	"testing"
)

func TestVisible(t *testing.T) {
	for in, want := range map[string]string{
		"vfs_read":    "vfs_read",
		"Größe":       "Größe",
		"a\x1b[31mb":  `a\x1b[31mb`,
		"\x80high":    `\x80high`,
		"tab\tand\r":  `tab\tand\r`,
		"":            "",
		`back\slash"`: `back\slash"`,
	} {
		if got := visible(in); got != want {
			t.Errorf("visible(%q) = %q, want %q", in, got, want)
		}
	}
}

// A shell reads each word back.
func TestShellWord(t *testing.T) {
	for _, word := range []string{"out/d4", "it's here", "$HOME", "a b", "", "x;y", "new\nline", "{a,b}"} {
		out, err := exec.Command("sh", "-c", "printf %s "+shellWord(word)).Output()
		if err != nil || string(out) != word {
			t.Errorf("%q: a shell reads %q, %v", word, out, err)
		}
	}
}
