// SPDX-License-Identifier: GPL-2.0-only

package gomodel_test

import (
	"slices"
	"testing"

	"kgen/gen/gomodel"
	"kgen/gen/series"
	"kgen/patches"
	"kgen/templates"
)

// TestEverySeriesIsGenerated: of each series about the core kernel's lookups, the
// model is generated and run with every value of each of its parameters, so that
// a new series or a wider parameter does not go untested. TestOutside has those
// about modules and ftrace, which have no parameter that the model depends on.
func TestEverySeriesIsGenerated(t *testing.T) {
	names, err := series.Names(patches.FS)
	if err != nil {
		t.Fatal(err)
	}
	inCore := 0
	for _, name := range names {
		s, err := series.Load(patches.FS, templates.FS, name)
		if err != nil {
			t.Fatal(err)
		}
		if !s.InCore() {
			continue
		}
		inCore++
		var words []string
		for _, m := range s.Mechanisms {
			words = append(words, m.Name)
		}
		var made []gomodel.Series
		for _, d := range gomodel.Designs() {
			if slices.Equal(lookups(d.Mechanisms), lookups(words)) {
				made = append(made, d)
			}
		}
		if made == nil {
			t.Errorf("%s: no design has its mechanisms, %v", name, lookups(words))
		}
		for _, p := range s.Params() {
			for v := p.Min; v <= p.Max && p.Name != "prefetch"; v += max(p.Step, 1) {
				if !slices.ContainsFunc(made, func(d gomodel.Series) bool { return d.Params[p.Name] == v }) {
					t.Errorf("%s: no design has %s %d", name, p.Name, v)
				}
			}
		}
	}
	if inCore < 7 {
		t.Errorf("only %d series are about the core kernel's lookups", inCore)
	}
}

// lookups are the mechanisms that a lookup depends on, in order of their names.
func lookups(mechanisms []string) []string {
	list := slices.DeleteFunc(slices.Clone(mechanisms), func(m string) bool { return m == "perf-test" || m == "host-limits" })
	slices.Sort(list)
	return list
}
