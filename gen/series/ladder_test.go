// SPDX-License-Identifier: GPL-2.0-only

//go:build ladder

package series

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"kgen/gen/check"
	"kgen/patches"
	"kgen/templates"
)

// compositions are climbed beside the series of patches/: the compositions that
// docs/results.md recommends, and the legal extremes.
var compositions = []string{
	"token-match,hash-order,sub-markers=5",
	"token-match,density=6,name-offsets=1",
	"token-match,density=0",
	"seq-unroll,density=8",
}

// row is a line of the table in docs/.
type row struct{ tree, series, rungs string }

// TestLadder climbs the whole ladder, boot included, with every series on every
// tree that it is made for, and writes the table that LADDER_TABLE names.
func TestLadder(t *testing.T) {
	names, err := Names(patches.FS)
	if err != nil {
		t.Fatal(err)
	}
	trees := []string{"7.3", "6.12"}
	climbed := make([][]row, len(trees))
	// Most of a boot keeps one processor busy: the trees share them.
	t.Run("trees", func(t *testing.T) {
		for i, treeName := range trees {
			t.Run(treeName, func(t *testing.T) {
				t.Parallel()
				for _, name := range slices.Concat(names, compositions) {
					t.Run(name, func(t *testing.T) {
						rungs, err := climbAll(t, treeName, name)
						if err != nil {
							t.Fatal(err)
						}
						climbed[i] = append(climbed[i], row{treeName, name, rungs})
					})
				}
			})
		}
	})
	if to := os.Getenv("LADDER_TABLE"); to != "" && !t.Failed() {
		if err := os.WriteFile(to, []byte(ladderTable(slices.Concat(climbed...))), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// climbAll generates and checks one series, and returns what the rungs showed of
// all its patches together.
func climbAll(t *testing.T, treeName, name string) (string, error) {
	o := options(t, treeName, filepath.Join(t.TempDir(), "out"), 4)
	o.SignOff, o.AcceptSemanticChange, o.Values = true, true, nil
	var err error
	if strings.ContainsAny(name, ",=") {
		o.Series, o.Values, err = Compose(templates.FS, name)
	} else {
		o.Series, err = Load(patches.FS, templates.FS, name)
	}
	if err != nil {
		return "", err
	}
	if _, err := Generate(t.Context(), o); errors.Is(err, ErrNothing) {
		return "already upstream", nil
	} else if err != nil {
		return "", err
	}
	s, err := check.Load(t.Context(), []string{o.Out})
	if err != nil {
		return "", err
	}
	defer s.Close()
	r, err := check.Run(t.Context(), check.Options{
		Series: s, Tree: o.Tree, To: check.Boot, Progress: func(text string) { t.Log(text) },
	})
	if err != nil {
		return "", err
	}
	var cells []string
	for _, c := range r.Checks {
		last := c.Results[len(c.Results)-1]
		for _, res := range c.Results {
			t.Logf("%s, %s: %s %s", c.Rung, cmp.Or(res.Patch, "the tree"), res.Summary, strings.Join(res.Messages, "\n"))
		}
		cells = append(cells, c.Rung+": "+last.Summary)
	}
	return strings.Join(cells, " | "), r.Err()
}

func ladderTable(rows []row) string {
	var b strings.Builder
	b.WriteString(`# What was climbed

Written by ` + "`make ladder`" + `: every series, generated for a tree and taken up the
whole ladder. The row gives what each rung said of the last patch; every patch
before it passed as well, or the command would have failed.

| tree | series | outcome |
|---|---|---|
`)
	for _, r := range rows {
		fmt.Fprintf(&b, "| %s | %s | %s |\n", r.tree, r.series, strings.ReplaceAll(r.rungs, " | ", "; "))
	}
	return b.String()
}
