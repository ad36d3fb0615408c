// SPDX-License-Identifier: GPL-2.0-only

package check

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"kgen/gen/manifest"
	"kgen/gen/tree"
)

// Rung is one step of the ladder.
type Rung string

// The rungs, from the cheapest to the dearest.
const (
	Apply Rung = "apply" // git am takes every patch
	Style Rung = "style" // checkpatch --strict has nothing to say
	Build Rung = "build" // every prefix compiles without a new warning
	Agree Rung = "agree" // lookups of every prefix answer as the specification does
	Boot  Rung = "boot"  // the kernel boots, and its own selftest passes
)

// Rungs is the ladder from the bottom up.
var Rungs = []Rung{Apply, Style, Build, Agree, Boot}

// ParseRung reads the name of a rung. The error matches ErrRung.
func ParseRung(name string) (Rung, error) {
	if slices.Contains(Rungs, Rung(name)) {
		return Rung(name), nil
	}
	var names []string
	for _, r := range Rungs {
		names = append(names, string(r))
	}
	return "", fmt.Errorf("%q: %w; the ladder is %s", name, ErrRung, strings.Join(names, ", "))
}

// Options say what to check and how far up.
type Options struct {
	Series *Series
	Tree   *tree.Tree // the tree the series is checked against; only read
	To     Rung       // the last rung to climb
	Cache  string     // folder for builds; empty means kgen's own in the user's cache

	// Only leaves out the rungs between Apply and To, as for a series of somebody
	// else whose style is not the question.
	Only bool
	// Replay, if not empty, is a map that a failure of Agree left behind: nothing
	// but that is compared.
	Replay string

	// Progress, if not nil, is told in a line what happens next.
	Progress func(string)
}

// Run climbs the ladder and stops above the first rung that a patch fails. What
// the patches do is in the report; an error means that the check itself could
// not be made, and matches ErrReplay, ErrTool, ErrNoCheckpatch, ErrBase or ErrCache.
func Run(ctx context.Context, o Options) (*Report, error) {
	if o.Progress == nil {
		o.Progress = func(string) {}
	}
	if err := o.checkReplay(); err != nil {
		return nil, err
	}
	r := &Report{Series: o.Series.Name, To: o.To}
	for _, p := range o.Series.Patches {
		r.Patches = append(r.Patches, p.Name)
	}
	tools, err := findTools(ctx, o)
	if err != nil {
		return nil, err
	}
	states, applied, err := applyRung(ctx, o)
	if err != nil {
		return nil, err
	}
	r.add(o, Apply, tools, applied)
	for _, rung := range Rungs[1:] {
		if !r.OK() || !o.reaches(rung) {
			break
		}
		if o.Only && rung != o.To {
			continue
		}
		var results []manifest.Result
		switch rung {
		case Style:
			results, err = styleRung(ctx, o)
		case Build:
			results, err = buildRung(ctx, o, states)
		case Agree:
			results, err = agreeRung(ctx, o, states)
		default:
			results, err = bootRung(ctx, o, states)
		}
		if err != nil {
			return nil, err
		}
		r.add(o, rung, tools, results)
	}
	return r, nil
}

// reaches tells whether the ladder is to be climbed as far as a rung.
func (o Options) reaches(rung Rung) bool {
	return slices.Index(Rungs, rung) <= slices.Index(Rungs, o.To)
}

// cacheDir is where builds are kept between runs.
func (o Options) cacheDir() (string, error) {
	dir := o.Cache
	if dir == "" {
		user, err := os.UserCacheDir()
		if err != nil {
			return "", fmt.Errorf("%w: %w; set XDG_CACHE_HOME or HOME", ErrCache, err)
		}
		dir = filepath.Join(user, "kgen", "build")
	}
	return filepath.Abs(dir)
}
