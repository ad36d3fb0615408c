// SPDX-License-Identifier: GPL-2.0-only

package modbench

import (
	"fmt"
	"maps"
	"slices"

	"kgen/gen/bench"
	"kgen/gen/harness"
	"kgen/gen/modharness"
	"kgen/gen/series"
	"kgen/gen/tree"
	"kgen/patches"
	"kgen/templates"
)

// Design is one thing to measure.
type Design struct {
	List       string // of mechanisms, as for --with
	Params     map[string]int
	Mechanisms []string // in the order of the patches
	Changes    bool     // it declares to change answers
	Tree       harness.Tree
}

// sweepLists are all designs of lookups in modules and of ftrace's pass, and
// ftrace-module in both its versions.
var sweepLists = []string{"module-scan", "module-index", "module-sort", "ftrace-module:review=1", "ftrace-module", "ftrace-bitmap"}

// Sweep lists the designs of kgen sweep --module. Those that the tree has
// already are left out: they are what stock is.
func Sweep(t *tree.Tree) ([]Design, error) {
	var out []Design
	for _, text := range sweepLists {
		d, err := FromList(t, text)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", text, err)
		}
		if d.Tree != harness.Tree(t) {
			out = append(out, d)
		}
	}
	return out, nil
}

// FromList is the design of mechanisms put together, as series.Compose takes
// them. The error matches bench.ErrSeries where one of them has no bearing on
// modules.
func FromList(t *tree.Tree, text string) (Design, error) {
	s, values, err := series.Compose(templates.FS, text)
	if err != nil {
		return Design{}, fmt.Errorf("%w: %w", bench.ErrSeries, err)
	}
	d := Design{List: bench.ListName(text), Params: map[string]int{}}
	touches := false
	for _, m := range s.Mechanisms {
		own, err := m.Params.Values(values)
		if err != nil {
			return Design{}, err
		}
		maps.Copy(d.Params, own)
		d.Mechanisms = append(d.Mechanisms, m.Name)
		d.Changes = d.Changes || m.Semantics != nil
	}
	d.Tree, err = series.Patched(series.Options{
		Series: s, Tree: t, Values: values, Patches: patches.FS, Templates: templates.FS,
		AcceptSemanticChange: true, Warn: func(string) {},
	})
	if err != nil {
		return Design{}, err
	}
	for _, name := range modharness.Files {
		before, err := t.ReadFile(name)
		if err != nil {
			return Design{}, err
		}
		after, err := d.Tree.ReadFile(name)
		if err != nil {
			return Design{}, err
		}
		touches = touches || !slices.Equal(before, after)
	}
	if !touches && d.Tree != harness.Tree(t) {
		return Design{}, fmt.Errorf("%w: %s changes nothing that lookups in modules are made of; leave --module out", bench.ErrSeries, text)
	}
	return d, nil
}
