// SPDX-License-Identifier: GPL-2.0-only

package main

import (
	"os/exec"
	"testing"
)

// A shell reads each word back.
func TestShellWord(t *testing.T) {
	for _, word := range []string{"out/d4", "it's here", "$HOME", "a b", "", "x;y", "new\nline", "{a,b}"} {
		out, err := exec.Command("sh", "-c", "printf %s "+shellWord(word)).Output()
		if err != nil || string(out) != word {
			t.Errorf("%q: a shell reads %q, %v", word, out, err)
		}
	}
}
