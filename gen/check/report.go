// SPDX-License-Identifier: GPL-2.0-only

package check

import (
	"fmt"
	"strings"

	"kgen/gen/manifest"
)

// notReached is the summary of a patch behind one that does not apply.
const notReached = "not reached"

// Report is the outcome of Run.
type Report struct {
	Series  string   // as the user named it
	Patches []string // in the order of git am
	To      Rung
	Checks  []manifest.Check // one for each rung that was tried
}

func (r *Report) add(o Options, rung Rung, tools toolSet, results []manifest.Result) {
	c := manifest.Check{
		Rung: string(rung), OK: true, Results: results,
		Tools: tools.versionsFor(rung),
		Tree: manifest.Tree{
			Name: o.Tree.Name, Version: o.Tree.Version,
			Flavour: string(o.Tree.Flavour), Base: o.Tree.Base,
		},
	}
	for _, res := range results {
		c.OK = c.OK && res.OK
	}
	r.Checks = append(r.Checks, c)
}

// OK tells whether no rung failed.
func (r *Report) OK() bool {
	for _, c := range r.Checks {
		if !c.OK {
			return false
		}
	}
	return true
}

// Err is nil, or matches ErrFailed and says which rung and how many patches.
func (r *Report) Err() error {
	for _, c := range r.Checks {
		if c.OK {
			continue
		}
		n := 0
		for _, res := range c.Results {
			if !res.OK && res.Summary != notReached {
				n++
			}
		}
		return fmt.Errorf("%s: %w: %s, %s of %d", r.Series, ErrFailed, c.Rung, count(n, "patch"), len(r.Patches))
	}
	return nil
}

// count is a number with its noun, as 1 error or 3 patches.
func count(n int, noun string) string {
	switch {
	case n == 1:
		return "1 " + noun
	case strings.HasSuffix(noun, "ch"):
		return fmt.Sprintf("%d %ses", n, noun)
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
