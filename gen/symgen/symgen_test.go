// SPDX-License-Identifier: GPL-2.0-only

package symgen

import (
	"math/rand"
	"slices"
	"testing"

	"kgen/model"
)

// Every table can be encoded, ascends, and is the same for the same numbers.
func TestTables(t *testing.T) {
	counted := NewStats(Adversarial(rand.New(rand.NewSource(5))))
	for _, g := range []struct {
		name string
		make func(*rand.Rand) []model.Symbol
	}{
		{"adversarial", Adversarial},
		{"fitted", func(rng *rand.Rand) []model.Symbol { return counted.Table(rng, rng.Intn(50)) }},
	} {
		sizes := map[int]bool{}
		for seed := range int64(40) {
			symbols := g.make(rand.New(rand.NewSource(seed)))
			if again := g.make(rand.New(rand.NewSource(seed))); !slices.Equal(symbols, again) {
				t.Errorf("%s, seed %d: two tables differ", g.name, seed)
			}
			if !slices.IsSortedFunc(symbols, func(a, b model.Symbol) int {
				return map[bool]int{true: -1}[a.Addr < b.Addr] + map[bool]int{true: 1}[a.Addr > b.Addr]
			}) {
				t.Errorf("%s, seed %d: addresses descend", g.name, seed)
			}
			if _, err := model.Encode(symbols, model.EncodeOptions{MarkerShift: model.StockMarkerShift}); err != nil {
				t.Errorf("%s, seed %d: %v", g.name, seed, err)
			}
			sizes[len(symbols)] = true
		}
		if len(sizes) < 10 {
			t.Errorf("%s: tables of %d sizes, want more", g.name, len(sizes))
		}
	}
}

// Names of so many tokens have records of that length.
func TestNamesOfLengths(t *testing.T) {
	names := NamesOfLengths(rand.New(rand.NewSource(1)), LengthsAtLimits)
	if got := recordLengths(names)[1:]; !slices.Equal(got, LengthsAtLimits) {
		t.Errorf("records of %v tokens, want %v", got, LengthsAtLimits)
	}
}

// Twins differ in all but their hash.
func TestHashTwins(t *testing.T) {
	for _, twin := range HashTwins() {
		if twin[0] == twin[1] || FNV1a(twin[0]) != FNV1a(twin[1]) {
			t.Errorf("%q are no twins", twin)
		}
	}
}
