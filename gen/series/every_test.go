// SPDX-License-Identifier: GPL-2.0-only

package series

import (
	"errors"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"testing"

	"kgen/gen/check"
	"kgen/gen/mechanism"
	"kgen/patches"
	"kgen/templates"
)

// TestEverySeries generates every series on both trees, and checks that it applies
// patch by patch and has the style (on one tree; on both in make ladder, as a second
// for each patch adds up). What a tree has already is reported. Every value
// of each parameter (on one tree: the ends of its range), the others at their
// defaults, is worked out as far as the texts and the files.
func TestEverySeries(t *testing.T) {
	all, err := Names(patches.FS)
	if err != nil {
		t.Fatal(err)
	}
	for _, treeName := range []string{"6.12", "7.3"} {
		for _, name := range all {
			t.Run(treeName+"/"+name, func(t *testing.T) {
				t.Parallel()
				o := options(t, treeName, "", 4)
				if o.Series, err = Load(patches.FS, templates.FS, name); err != nil {
					t.Fatal(err)
				}
				o.SignOff, o.AcceptSemanticChange = true, true
				o.Scale = Scale{Symbols: 184000}
				o.Out = filepath.Join(t.TempDir(), "out")
				all := everyValue(o.Series.Params(), treeName == "6.12")
				o.Values = all[0]
				_, err := Generate(t.Context(), o)
				if slices.Contains(upstream[treeName], name) {
					if _, there := os.Stat(o.Out); !errors.Is(err, ErrNothing) || there == nil {
						t.Fatalf("%v, want ErrNothing and no folder", err)
					}
					return
				}
				if err != nil {
					t.Fatal(err)
				}
				if treeName == "7.3" {
					checkStyle(t, o)
				} else if r := climb(t, o, check.Apply, o.Out); len(r.Checks) != 1 {
					t.Errorf("%d rungs were tried, want apply", len(r.Checks))
				}
				for _, o.Values = range all[1:] {
					if err := rendered(o); err != nil {
						t.Errorf("%v: %v", o.Values, err)
					}
				}
			})
		}
	}
}

// rendered works out all that Generate writes, without writing it.
func rendered(o Options) error {
	p, err := newPlan(o)
	if err != nil {
		return err
	}
	names := []string{o.Series.Name + "/cover.tmpl"}
	for _, step := range p.steps {
		names = append(names, step.mechanism.Name+"/message.tmpl")
	}
	for _, name := range names {
		if _, err := render(patches.FS, name, p.funcs, maps.Clone(p.data)); err != nil {
			return err
		}
	}
	return nil
}

// upstream lists the series that the trees have already.
var upstream = map[string][]string{"7.3": {"ftrace-single"}}

// everyValue lists the defaults, and each value of each parameter among them, or
// the ends of its range alone.
func everyValue(params []mechanism.Param, ends bool) []map[string]string {
	defaults := make(map[string]string)
	for _, p := range params {
		defaults[p.Name] = strconv.Itoa(p.Default)
	}
	all := []map[string]string{defaults}
	for _, p := range params {
		step := max(p.Step, 1)
		if ends {
			step = max(p.Max-p.Min, 1)
		}
		for v := p.Min; v <= p.Max; v += step {
			one := maps.Clone(defaults)
			one[p.Name] = strconv.Itoa(v)
			all = append(all, one)
		}
	}
	return all
}

func checkStyle(t *testing.T, o Options) {
	t.Helper()
	if r := climb(t, o, check.Style, o.Out); len(r.Checks) != 2 {
		t.Errorf("%d rungs were tried, want apply and style", len(r.Checks))
	}
}

// climb checks patches up to a rung, none of which may have anything to report.
func climb(t *testing.T, o Options, to check.Rung, args ...string) *check.Report {
	t.Helper()
	return checked(t, check.Options{Tree: o.Tree, To: to}, args...)
}

// checked checks patches, none of which may have anything to report.
func checked(t *testing.T, o check.Options, args ...string) *check.Report {
	t.Helper()
	var err error
	if o.Series, err = check.Load(t.Context(), args); err != nil {
		t.Fatal(err)
	}
	defer o.Series.Close()
	r, err := check.Run(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range r.Checks {
		for _, res := range c.Results {
			if !res.OK {
				t.Errorf("%s, %s: %s\n%v", c.Rung, res.Patch, res.Summary, res.Messages)
			}
		}
	}
	return r
}
