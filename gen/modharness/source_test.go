// SPDX-License-Identifier: GPL-2.0-only

package modharness

import (
	"testing"

	"kgen/gen/harness"
	"kgen/gen/tree/treetest"
)

func TestStockCompiles(t *testing.T) {
	for _, version := range []string{"6.12", "7.3"} {
		for _, arch := range []Arch{X86, ARM64, ARM} {
			t.Run(version+"/"+string(arch), func(t *testing.T) {
				tree := harness.Folder(treetest.Dir(t, version))
				w, err := Prepare(t.TempDir(), harness.Source{Patched: tree, Base: tree}, arch)
				if err != nil {
					t.Fatal(err)
				}
				for _, compiler := range []string{"gcc", "clang"} {
					if _, err := w.BuildChild(t.Context(), harness.Variant{Compiler: compiler, Bits: arch.bits(), UnsignedChar: true, AllSymbols: true}, harness.Sanitized); err != nil {
						t.Error(err)
					}
				}
			})
		}
	}
}
