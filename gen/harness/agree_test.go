// SPDX-License-Identifier: GPL-2.0-only

package harness

import (
	"os"
	"testing"

	"kgen/gen/realmap"
	"kgen/gen/realmap/realmaptest"
	"kgen/gen/tree/treetest"
	"kgen/model"
)

func stock(t *testing.T, version string) Tree { return Folder(treetest.Dir(t, version)) }

func realMap(t *testing.T) []model.Symbol {
	t.Helper()
	f, err := os.Open(realmaptest.Path(t, realmap.SystemMap))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	m, err := model.ReadText(f)
	if err != nil {
		t.Fatal(err)
	}
	return m.Symbols
}

func prepare(t *testing.T, src Source) *Work {
	t.Helper()
	w, err := Prepare(t.TempDir(), src)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// Kernels as they are must agree fully, or no disagreement means anything.
func TestStockAgrees(t *testing.T) {
	for _, version := range []string{"7.3", "6.12"} {
		t.Run(version, func(t *testing.T) {
			tree := stock(t, version)
			w := prepare(t, Source{Patched: tree, Base: tree})
			rep, err := w.Agree(t.Context(), Options{Seed: 1, SmallMaps: 44, RealMap: realMap(t)[:8000], ReplayDir: t.TempDir()})
			if err != nil {
				t.Fatal(err)
			}
			t.Log(rep.Summary())
			for _, f := range rep.Findings {
				t.Error(f)
			}
			if rep.Lookups < 100000 {
				t.Errorf("%d lookups compared, expected at least 100000", rep.Lookups)
			}
		})
	}
}
