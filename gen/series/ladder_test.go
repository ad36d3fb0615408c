// SPDX-License-Identifier: GPL-2.0-only

//go:build ladder

package series

import (
	"cmp"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"kgen/gen/check"
	"kgen/patches"
	"kgen/templates"
)

// recommended are the compositions that docs/results.md recommends, and extreme
// those at the ends of a parameter. They are climbed beside the series of patches/.
var (
	recommended = []string{"sub-markers=5,token-match,hash-order=4:prefetch=1", "sub-markers=6,token-match,name-offsets"}
	extreme     = []string{"token-match,density=0", "seq-unroll,density=8"}
)

func init() { shiftTrees = append(shiftTrees, "6.12") }

// row is a line of the table in docs/, and all that is kept of a climb.
type row struct {
	Tree   string `json:"tree"`
	Series string `json:"series"`
	Code   string `json:"code"` // a hash of the files as the series leaves them
	Day    string `json:"day"`
	Rungs  string `json:"rungs"`
}

// climbed is what is known of earlier climbs and of this run's. Each climb is
// written at once: all of them take longer than many a machine is left alone.
type climbed struct {
	sync.Mutex
	file string // none: nothing is kept
	rows []row
}

func loadClimbed(file string) (*climbed, error) {
	c := &climbed{file: file}
	if file == "" {
		return c, nil
	}
	data, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		return c, nil
	}
	if err == nil {
		err = json.Unmarshal(data, &c.rows)
	}
	return c, err
}

// find returns the climb of a series whose code is still the same.
func (c *climbed) find(treeName, name, code string) (row, bool) {
	c.Lock()
	defer c.Unlock()
	i := slices.IndexFunc(c.rows, func(r row) bool { return r.Tree == treeName && r.Series == name && r.Code == code })
	if i < 0 {
		return row{}, false
	}
	return c.rows[i], true
}

func (c *climbed) keep(r row) error {
	c.Lock()
	defer c.Unlock()
	c.rows = slices.DeleteFunc(c.rows, func(old row) bool { return old.Tree == r.Tree && old.Series == r.Series })
	c.rows = append(c.rows, r)
	slices.SortFunc(c.rows, func(a, b row) int {
		return cmp.Or(cmp.Compare(b.Tree, a.Tree), cmp.Compare(a.Series, b.Series))
	})
	if c.file == "" {
		return nil
	}
	data, err := json.MarshalIndent(c.rows, "", "\t")
	if err != nil {
		return err
	}
	if err := os.WriteFile(c.file+".tmp", append(data, '\n'), 0o644); err != nil {
		return err
	}
	return os.Rename(c.file+".tmp", c.file)
}

// TestLadder climbs the whole ladder, boot included, with every series on every
// tree that it is made for, and writes the table that LADDER_TABLE names. What
// LADDER_RUNS has of the same code is not climbed again.
func TestLadder(t *testing.T) {
	names, err := Names(patches.FS)
	if err != nil {
		t.Fatal(err)
	}
	// Modules last: what they touch has most of a kernel compiled again.
	slices.SortStableFunc(names, func(a, b string) int {
		return cmp.Compare(strings.Count(a, "module"), strings.Count(b, "module"))
	})
	known, err := loadClimbed(os.Getenv("LADDER_RUNS"))
	if err != nil {
		t.Fatal(err)
	}
	trees := []string{"7.3", "6.12"}
	rows := make([][]row, len(trees))
	// Most of a boot keeps one processor busy: the trees share them.
	t.Run("trees", func(t *testing.T) {
		for i, treeName := range trees {
			t.Run(treeName, func(t *testing.T) {
				t.Parallel()
				for _, name := range slices.Concat(recommended, names, extreme) {
					t.Run(name, func(t *testing.T) {
						r, err := climbOnce(t, known, treeName, name)
						if err != nil {
							t.Fatal(err)
						}
						rows[i] = append(rows[i], r)
					})
				}
			})
		}
	})
	if to := os.Getenv("LADDER_TABLE"); to != "" && !t.Failed() {
		if err := os.WriteFile(to, []byte(ladderTable(slices.Concat(rows...))), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// climbOnce looks up a climb of the same code, or makes and keeps one.
func climbOnce(t *testing.T, known *climbed, treeName, name string) (row, error) {
	o, err := ladderOptions(t, treeName, name)
	if err != nil {
		return row{}, err
	}
	r := row{Tree: treeName, Series: name, Day: time.Now().UTC().Format(time.DateOnly)}
	files, err := Edited(o)
	switch {
	case errors.Is(err, ErrNothing):
		r.Rungs = "already upstream"
		return r, nil
	case err != nil:
		return row{}, err
	}
	h := sha256.New()
	for _, file := range slices.Sorted(maps.Keys(files)) {
		fmt.Fprintf(h, "%s\n%d\n%s", file, len(files[file]), files[file])
	}
	r.Code = fmt.Sprintf("%x", h.Sum(nil)[:6])
	if old, ok := known.find(treeName, name, r.Code); ok {
		t.Logf("climbed on %s", old.Day)
		return old, nil
	}
	if r.Rungs, err = climbAll(t, o); err != nil {
		return row{}, err
	}
	return r, known.keep(r)
}

func ladderOptions(t *testing.T, treeName, name string) (Options, error) {
	o := options(t, treeName, filepath.Join(t.TempDir(), "out"), 4)
	o.SignOff, o.AcceptSemanticChange, o.Values = true, true, nil
	var err error
	if strings.ContainsAny(name, ",=") {
		o.Series, o.Values, err = Compose(templates.FS, name)
	} else {
		o.Series, err = Load(patches.FS, templates.FS, name)
	}
	return o, err
}

// climbAll generates and checks one series, and returns what the rungs showed of
// all its patches together.
func climbAll(t *testing.T, o Options) (string, error) {
	if _, err := Generate(t.Context(), o); err != nil {
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
before it passed as well, or the command would have failed. The code is a hash of
the files that a series leaves; what has the same as in docs/ladder.json is not
climbed again.

| tree | series | code | climbed | outcome |
|---|---|---|---|---|
`)
	for _, r := range rows {
		fmt.Fprintf(&b, "| %s | %s | %s | %s | %s |\n", r.Tree, r.Series, r.Code, r.Day, strings.ReplaceAll(r.Rungs, " | ", "; "))
	}
	return b.String()
}
