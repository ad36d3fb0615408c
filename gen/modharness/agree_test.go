// SPDX-License-Identifier: GPL-2.0-only

package modharness

import (
	"testing"

	"kgen/gen/harness"
	"kgen/gen/tree/treetest"
)

func TestStockAgrees(t *testing.T) {
	for _, version := range []string{"6.12", "7.3"} {
		t.Run(version, func(t *testing.T) {
			tree := harness.Folder(treetest.Dir(t, version))
			rep, err := Agree(t.Context(), t.TempDir(), harness.Source{Patched: tree, Base: tree}, Options{Seed: 1, Scenes: 200, ReplayDir: t.TempDir()})
			if err != nil {
				t.Fatal(err)
			}
			t.Log(rep.Summary())
			for _, f := range rep.Findings {
				t.Error(f)
			}
		})
	}
}
