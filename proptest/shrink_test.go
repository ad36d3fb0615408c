// SPDX-License-Identifier: GPL-2.0-only

package proptest

import (
	"fmt"
	"math/rand"
	"slices"
	"strings"
	"testing"

	"github.com/leanovate/gopter"
	"github.com/leanovate/gopter/prop"

	"kgen/model"
)

func newRand(seed int64) *rand.Rand { return rand.New(rand.NewSource(seed)) }

// silent collects a result instead of reporting it.
type silent struct{ result *gopter.TestResult }

func (s *silent) ReportTestResult(_ string, result *gopter.TestResult) { s.result = result }

// TestFailingTablesShrink plants faults that certain tables show, and expects
// the smallest such table.
func TestFailingTablesShrink(t *testing.T) {
	for _, tc := range []struct {
		reason string
		faulty func(t Table) bool
		want   int // symbols
		bytes  int // of all names together, at most
	}{
		{"one name twice", func(t Table) bool {
			names := map[string]bool{}
			for _, s := range t.Symbols {
				if names[s.Name] {
					return true
				}
				names[s.Name] = true
			}
			return false
		}, 2, 0},
		{"a name and its prefix", func(t Table) bool {
			for _, a := range t.Symbols {
				for _, b := range t.Symbols {
					if a.Name != "" && a.Name != b.Name && strings.HasPrefix(b.Name, a.Name) {
						return true
					}
				}
			}
			return false
		}, 2, 3},
		{"more than a block", func(t Table) bool { return len(t.Symbols) > 256 }, 257, 400},
		{"a record of two length bytes", func(t Table) bool {
			records, err := Decode(encode(t, 0))
			return err == nil && slices.ContainsFunc(records, func(r Record) bool { return r.Tokens > 127 })
		}, 3, 700},
	} {
		params := gopter.DefaultTestParametersWithSeed(seed)
		params.MaxShrinkCount = 100
		properties := gopter.NewProperties(params)
		properties.Property(tc.reason, prop.ForAll(func(t Table) bool { return !tc.faulty(t) }, Adversarial()))
		var got silent
		properties.Run(&got)
		if got.result.Passed() {
			t.Errorf("%s: no table shows the fault", tc.reason)
			continue
		}
		table := got.result.Args[0].Arg.(Table)
		bytes := 0
		for _, s := range table.Symbols {
			bytes += len(s.Name)
		}
		if len(table.Symbols) > tc.want || bytes > tc.bytes || !tc.faulty(table) {
			t.Errorf("%s: shrunk to %d symbols and %d bytes, want %d and at most %d:\n%v",
				tc.reason, len(table.Symbols), bytes, tc.want, tc.bytes, table)
		}
	}
}

// TestGeneratedTablesAreTables: ascending addresses, and every shrunk table is
// one, too.
func TestGeneratedTablesAreTables(t *testing.T) {
	hold(t, func(t Table, pick int64) string {
		candidates := []Table{t}
		shrink := ShrinkTable(t)
		for i := int64(0); ; i++ {
			v, more := shrink()
			if !more {
				break
			}
			if i%50 == pick%50 {
				candidates = append(candidates, v.(Table))
			}
		}
		for _, c := range some(candidates, 4) {
			if _, err := model.Encode(c.Symbols, model.EncodeOptions{}); err != nil {
				return fmt.Sprintf("from this table, shrinking makes\n%v%v", c, err)
			}
		}
		return ""
	})
}

// TestSampleRepeats: a seed stands for its tables.
func TestSampleRepeats(t *testing.T) {
	a, b := Sample(Adversarial(), 7, 20), Sample(Adversarial(), 7, 20)
	if !slices.EqualFunc(a, b, func(a, b Table) bool { return a.String() == b.String() }) {
		t.Error("two samples of one seed differ")
	}
	if c := Sample(Adversarial(), 8, 20); slices.EqualFunc(a, c, func(a, b Table) bool { return a.String() == b.String() }) {
		t.Error("samples of two seeds are the same")
	}
}
