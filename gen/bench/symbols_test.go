// SPDX-License-Identifier: GPL-2.0-only

package bench

import (
	"os"
	"testing"

	"kgen/gen/realmap"
	"kgen/gen/realmap/realmaptest"
	"kgen/model"
)

func realSymbols(t *testing.T) []model.Symbol {
	t.Helper()
	f, err := os.Open(realmaptest.Path(t, realmap.SystemMap))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	m, err := model.Read(f)
	if err != nil {
		t.Fatal(err)
	}
	return m.Symbols
}

func TestResize(t *testing.T) {
	source := realSymbols(t)
	whole := model.BoundsOf(source)
	for _, tc := range []struct {
		reason string
		n      int
		atMost int
	}{
		{"fewer: the ends of sections stay, above the number asked for", 2000, 2010},
		{"as many as there are", len(source), len(source)},
		{"a few more: only the first symbols have copies", len(source) + 5, len(source) + 5},
		{"a million", 1_000_000, 1_000_000},
	} {
		t.Run(tc.reason, func(t *testing.T) {
			got, _ := Resize(source, tc.n)
			if len(got) < tc.n || len(got) > tc.atMost {
				t.Fatalf("%d symbols, expected %d to %d", len(got), tc.n, tc.atMost)
			}
			if b := model.BoundsOf(got); b != whole {
				t.Errorf("the ends of sections moved: %+v, were %+v", b, whole)
			}
			for i := 1; i < len(got); i++ {
				if got[i].Addr < got[i-1].Addr {
					t.Fatalf("symbol %d, %+v, follows %+v", i, got[i], got[i-1])
				}
			}
			if _, err := model.Encode(got[:2000], model.EncodeOptions{MarkerShift: 8}); err != nil {
				t.Error(err)
			}
		})
	}
}

func TestMissesAreMissing(t *testing.T) {
	source, _ := Resize(realSymbols(t), 3000)
	s, err := newSymbols(t.TempDir(), source)
	if err != nil {
		t.Fatal(err)
	}
	in := newInput(s)
	known := map[string]bool{}
	for _, sym := range s.table {
		known[sym.Name] = true
	}
	for _, name := range in.misses {
		if known[name] {
			t.Errorf("%s is a symbol", name)
		}
	}
	if len(in.misses) < len(in.unique)*9/10 || len(in.addrs) < len(s.table)/2 {
		t.Errorf("%d misses and %d addresses of %d symbols", len(in.misses), len(in.addrs), len(s.table))
	}
}
