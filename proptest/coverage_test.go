// SPDX-License-Identifier: GPL-2.0-only

package proptest

import (
	"fmt"
	"math"
	"testing"

	"kgen/model"
)

// TestCoverage reports what the tables of this run reach (go test -v -run
// TestCoverage) and fails where the adversarial ones leave a bucket out, or
// where two parts of a design that go together are tried on no table. It draws the very tables that the
// laws see.
func TestCoverage(t *testing.T) {
	tried := map[pair]int{}
	for _, g := range generators(t) {
		var reached Coverage
		draw(t, g.tables, func(t Table, pick int64) string {
			for _, c := range choices(len(t.Symbols), pick) {
				for _, p := range pairsOf(c) {
					tried[p]++
				}
			}
			if err := reached.Add(t, encode(t, pick)); err != nil {
				return err.Error()
			}
			return ""
		})
		t.Logf("%d %s tables; so many of them have\n%v", runs(t), g.name, &reached)
		if g.name != "adversarial" {
			continue
		}
		for _, name := range reached.Missed() {
			t.Errorf("no %s table has %s; set %s higher", g.name, name, runsVariable)
		}
	}
	missed := map[pair]bool{}
	for _, c := range legalChoices() {
		for _, p := range pairsOf(c) {
			missed[p] = tried[p] == 0
		}
	}
	for p, is := range missed {
		if is {
			t.Errorf("no design with %v was tried on a table; set %s higher", p, runsVariable)
		}
	}
	t.Logf("of %d legal designs, each of %d pairs of parts or parameters was tried", len(legalChoices()), len(missed))
}

// pair is two parts of a design, or parameters, that could disturb each other.
type pair [2]string

// pairsOf lists the pairs of a choice.
func pairsOf(c model.Choice) (pairs []pair) {
	parts := []string{
		fmt.Sprintf("%s:%d", c.Locate, c.Shift),
		fmt.Sprintf("%s buckets:%d", c.Order, c.BucketShift),
		fmt.Sprintf("%s starts:%d", c.Order, c.StartBits),
		fmt.Sprintf("%s blocks:%d", c.Order, c.BlockShift),
		fmt.Sprintf("%s entries:%d", c.Order, c.EntryBytes),
		fmt.Sprintf("batch:%v", c.Batch),
		fmt.Sprintf("token-match:%v", c.TokenMatch),
		fmt.Sprintf("seq-unroll:%v", c.SeqUnroll),
	}
	for i := range parts {
		for _, other := range parts[i+1:] {
			pairs = append(pairs, pair{parts[i], other})
		}
	}
	return pairs
}

// TestFittedIsLikeReal holds the fitted tables to the real one.
func TestFittedIsLikeReal(t *testing.T) {
	symbols, err := RealSymbols()
	if err != nil {
		t.Fatal(err)
	}
	stats := NewStats(symbols)
	profile := func(symbols []model.Symbol) Profile {
		p, err := ProfileOf(symbols)
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	real := profile(symbols)
	// As many symbols as the real table: compression depends on their number.
	fitted := profile(stats.Table(newRand(seed), len(symbols)))
	t.Logf("real   %+v", real)
	t.Logf("fitted %+v", fitted)
	for _, tc := range []struct {
		name         string
		real, fitted float64
		within       float64 // of the real figure
	}{
		{"mean length", real.Length, fitted.Length, 0.03},
		{"duplicates", real.Duplicates, fitted.Duplicates, 0.15},
		{"aliases", real.Aliases, fitted.Aliases, 0.10},
		{"text", real.Text, fitted.Text, 0.05},
		{"tokens per byte", real.Compressed, fitted.Compressed, 0.20},
	} {
		if math.Abs(tc.fitted-tc.real) > tc.within*tc.real {
			t.Errorf("%s: got %.3f, want %.3f within %.0f%%", tc.name, tc.fitted, tc.real, 100*tc.within)
		}
	}
}
