// SPDX-License-Identifier: GPL-2.0-only

package modharness

import (
	"errors"
	"testing"

	"kgen/gen/realmap"
)

// TestMeasure measures a module of middling size. What holds on any machine, a
// loaded one too, is held: costs of thousands of symbols differ by more than
// noise.
func TestMeasure(t *testing.T) {
	const rounds = 8
	o := modules(t, realmap.Modules[4])[0] // e1000e
	designs := []Design{
		{Name: "stock", Source: source(t, "7.3", "")},
		{Name: "module-index", Source: source(t, "7.3", "module-index")},
		{Name: "module-sort", Source: source(t, "7.3", "module-sort"), Changes: true},
		{Name: "ftrace-module", Source: source(t, "7.3", "ftrace-module")},
	}
	all, err := Measure(t.Context(), t.TempDir(), designs, o, MeasureOptions{Rounds: rounds, Progress: func(string) {}})
	if err != nil {
		t.Fatal(err)
	}
	least := func(m *Measured, column string) float64 {
		if len(m.Samples[column]) != rounds {
			t.Fatalf("%s: %d samples of %s, expected %d", m.Name, len(m.Samples[column]), column, rounds)
		}
		v := m.Samples[column][0]
		for _, s := range m.Samples[column] {
			if v = min(v, s); s <= 0 {
				t.Errorf("%s: %s took %v ns", m.Name, column, s)
			}
		}
		return v
	}
	stock, index, sorted, array := all[0], all[1], all[2], all[3]
	for _, m := range all {
		for _, column := range []string{TimeLoad, TimeEnable, TimeLock, TimeBoth, TimeLookup, TimeName, TimeUnload} {
			least(m, column)
		}
		if least(m, TimeLock) > least(m, TimeEnable) || m.Valid == 0 || m.Compared < 1000 {
			t.Errorf("%s: %+v", m.Name, m)
		}
		if (m.Differ > 0) != (m == sorted) {
			t.Errorf("%s: %d answers differ; only module-sort's do", m.Name, m.Differ)
		}
	}
	entries := int64(len(o.Symbols))
	for _, c := range []struct {
		reason string
		holds  bool
	}{
		{"an index makes lookups faster", least(index, TimeLookup)*5 < least(stock, TimeLookup)},
		{"and loading slower", least(index, TimeLoad) > least(stock, TimeLoad)},
		{"the array makes enabling faster", least(array, TimeEnable)*3 < least(stock, TimeEnable)},
		{"and is built before the lock is taken", least(array, TimeLock) < least(array, TimeEnable)*0.8},
		{"an index stays, 4 bytes a symbol of the live table or less", index.Kept-stock.Kept > entries && index.Kept-stock.Kept < 5*entries},
		{"the array goes when records are enabled", array.Kept == stock.Kept && array.Peak(stock) > 2*entries && array.Peak(stock) < 9*entries},
	} {
		if !c.holds {
			t.Errorf("%s: does not hold\nstock %+v\nindex %+v\narray %+v", c.reason, stock, index, array)
		}
	}
}

// TestMeasureRefuses does not time what answers otherwise and does not say so.
func TestMeasureRefuses(t *testing.T) {
	o := modules(t, realmap.Modules[4])[0]
	designs := []Design{{Name: "module-sort", Source: source(t, "7.3", "module-sort")}}
	if _, err := Measure(t.Context(), t.TempDir(), designs, o, MeasureOptions{Rounds: 2, Progress: func(string) {}}); !errors.Is(err, ErrDiffers) {
		t.Errorf("%v, expected ErrDiffers", err)
	}
}
