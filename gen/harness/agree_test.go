// SPDX-License-Identifier: GPL-2.0-only

package harness

import (
	"os"
	"path/filepath"
	"testing"

	"kgen/model"
)

// cached is a file or folder below kgen's cache.
func cached(t *testing.T, name string) string {
	t.Helper()
	dir, err := os.UserCacheDir()
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, "kgen", name)
	if _, err := os.Stat(path); err != nil {
		t.Fatalf("%v; fetch it with: kgen tree fetch", err)
	}
	return path
}

func stock(t *testing.T, version string) Tree {
	return Folder(cached(t, filepath.Join("lab", version)))
}

func realMap(t *testing.T) []model.Symbol {
	t.Helper()
	f, err := os.Open(cached(t, "maps/System.map-6.12-amd64"))
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
			rep, err := w.Agree(t.Context(), Options{Seed: 1, SmallMaps: 60, RealMap: realMap(t)[:8000], ReplayDir: t.TempDir()})
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
