// SPDX-License-Identifier: GPL-2.0-only

package series

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"kgen/gen/mechanism"
	"kgen/templates"
)

func TestCompose(t *testing.T) {
	s, values, err := Compose(templates.FS, "token-match, density=6,hash-order:bucket-shift=5:start-bits=16")
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(names(s.Mechanisms), " "); got != "token-match density hash-order" {
		t.Errorf("mechanisms %s", got)
	}
	want := map[string]string{"shift": "6", "bucket-shift": "5", "start-bits": "16"}
	if diff := cmp.Diff(want, values); diff != "" {
		t.Error(diff)
	}
	for _, tt := range []struct{ reason, text, says string }{
		{"two that exclude each other", "density,sub-markers", "both say how far apart the markers are"},
		{"verdicts of two kinds", "ftrace-module,module-sort", "valid by the one and not by the other"},
		{"the wrong order", "hash-order,token-match", "put token-match first"},
		{"two that exclude each other, with values", "density=3,sub-markers=5", "both say how far apart the markers are"},
		{"twice the same", "density,density", "name it once"},
		{"nobody knows it", "densty", `"densty"; there are: batch-index`},
		{"no such parameter", "density:speed=3", `density has no parameter "speed"`},
		{"a parameter twice", "density=3:shift=4", "shift is 3 already"},
		{"the same value twice", "token-match,hash-order:bucket-shift=5:bucket-shift=5", "bucket-shift is 5 already"},
		{"no value", "density:shift", "NAME[=VALUE]"},
		{"none that could take it", "token-match=3", "token-match has no parameter"},
		{"nothing", "", "no such mechanism"},
	} {
		if _, _, err := Compose(templates.FS, tt.text); !errors.Is(err, ErrCompose) || !strings.Contains(err.Error(), tt.says) {
			t.Errorf("%s: Compose(%q): %v, want ErrCompose with %q", tt.reason, tt.text, err, tt.says)
		}
	}
}

// TestEveryComposition works out every set of mechanisms that may go together,
// on both trees: what is not refused has to work. Mechanisms that touch no file in
// common, not even by way of others, cannot get in each other's way, so sets are
// taken of those that do.
func TestEveryComposition(t *testing.T) {
	all, err := mechanism.All(templates.FS)
	if err != nil {
		t.Fatal(err)
	}
	all = order(t, all)
	for _, treeName := range []string{"6.12", "7.3"} {
		t.Run(treeName, func(t *testing.T) {
			t.Parallel()
			legal := 0
			for _, list := range sets(all) {
				if mechanism.Together(list) != nil {
					continue
				}
				legal++
				o := options(t, treeName, "", 4)
				o.Series = &Series{Name: composed, Mechanisms: list}
				o.Scale = Scale{Symbols: 184000}
				if err := rendered(o); err != nil && !errors.Is(err, ErrNothing) {
					t.Errorf("%v: %v", names(list), err)
				}
			}
			if legal < 40 {
				t.Errorf("only %d compositions are legal", legal)
			}
		})
	}
}

// sets lists every set of those that share files.
func sets(all []*mechanism.Mechanism) [][]*mechanism.Mechanism {
	var groups [][]*mechanism.Mechanism
	for _, m := range all {
		with, rest := []*mechanism.Mechanism{}, groups[:0:0]
		for _, g := range groups {
			if slices.ContainsFunc(g, func(o *mechanism.Mechanism) bool { return shareFiles(m, o) }) {
				with = append(with, g...)
			} else {
				rest = append(rest, g)
			}
		}
		groups = append(rest, append(with, m))
	}
	var lists [][]*mechanism.Mechanism
	for _, g := range groups {
		slices.SortFunc(g, func(a, b *mechanism.Mechanism) int { return slices.Index(all, a) - slices.Index(all, b) })
		for set := 1; set < 1<<len(g); set++ {
			var list []*mechanism.Mechanism
			for i, m := range g {
				if set>>i&1 == 1 {
					list = append(list, m)
				}
			}
			lists = append(lists, list)
		}
	}
	return lists
}

func shareFiles(a, b *mechanism.Mechanism) bool {
	return slices.ContainsFunc(a.Touches(), func(f string) bool { return slices.Contains(b.Touches(), f) })
}

// order puts each mechanism behind those it wants to come first. perf-test is
// left out: it touches nothing that another one does but for batch-index, and
// doubles the work.
func order(t *testing.T, all []*mechanism.Mechanism) []*mechanism.Mechanism {
	t.Helper()
	var sorted []*mechanism.Mechanism
	for len(all) > 0 {
		var rest []*mechanism.Mechanism
		for i, m := range all {
			first := true
			for j, other := range all {
				for _, a := range m.After {
					first = first && (i == j || a != other.Name)
				}
			}
			switch {
			case m.Name == "perf-test":
			case first:
				sorted = append(sorted, m)
			default:
				rest = append(rest, m)
			}
		}
		if len(rest) == len(all) {
			t.Fatalf("%v wait for each other", names(rest))
		}
		all = rest
	}
	return sorted
}
