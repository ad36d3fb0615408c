// SPDX-License-Identifier: GPL-2.0-only

package series

import (
	"fmt"
	"testing"

	"kgen/gen/check"
)

// TestEveryShiftBuilds builds what the density series leaves at each of the nine
// densities, on both trees, W=1. The densities are put in one row of patches,
// each from one density to the next, so that a density costs its objects alone
// and not the way there.
func TestEveryShiftBuilds(t *testing.T) {
	for _, name := range []string{"6.12", "7.3"} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			o := options(t, name, dir, 0)
			s, err := newScratch(o.Author, o.Date, nil)
			if err != nil {
				t.Fatal(err)
			}
			defer s.remove()
			for shift := 0; shift <= 8; shift++ {
				at := options(t, name, dir, shift)
				if shift == 0 {
					p, err := newPlan(at)
					if err != nil {
						t.Fatal(err)
					}
					s.add(commit{Message: "base\n", Files: p.before})
				}
				files, err := Edited(at)
				if err != nil {
					t.Fatal(err)
				}
				s.add(commit{
					Message: fmt.Sprintf("kallsyms: Go to a marker every %d symbols\n\nOne density after the other, to build each.\n\nSigned-off-by: %s\n", 1<<shift, o.Author),
					Files:   files,
				})
			}
			patches, err := s.formatPatch(t.Context(), dir, "PATCH", 1, message{Subject: "kallsyms: Every density", Body: "All in a row.\n"})
			if err != nil {
				t.Fatal(err)
			}
			r := climb(t, o, check.Build, patches[1:]...) // without the cover letter
			if last := r.Checks[len(r.Checks)-1]; last.Rung != string(check.Build) || len(last.Results) != 10 {
				t.Errorf("the ladder ended at %s with %d results, want build of the base and nine densities", last.Rung, len(last.Results))
			}
		})
	}
}
