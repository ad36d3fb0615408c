// SPDX-License-Identifier: GPL-2.0-only

//go:build ladder

package check

import (
	"strings"
	"testing"
)

// Where no overlay can be mounted, a copy made of links does, and it is not
// written through.
func TestBuildWithoutOverlay(t *testing.T) {
	o := oneComment(t, t.TempDir())
	before := snapshot(t, o.Tree.Dir)
	pathWithout(t, "unshare")
	told := false
	states, _, err := applyRung(t.Context(), progressless(o))
	if err != nil {
		t.Fatal(err)
	}
	o.Progress = func(text string) { told = told || strings.Contains(text, "unshare is missing") }
	got, err := buildRung(t.Context(), o, states)
	if err != nil {
		t.Fatal(err)
	}
	if !told {
		t.Error("the user is not told that there is no overlay")
	}
	wantResult(t, got[1], true, "1 built")
	wantSame(t, before, snapshot(t, o.Tree.Dir))
}
