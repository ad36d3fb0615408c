// SPDX-License-Identifier: GPL-2.0-only

package modharness

import (
	"testing"

	"kgen/gen/realmap"
)

// moduleDesigns are what docs/modules-numbers.md has, on the tree of Linux 7.3.
var moduleDesigns = []string{"", "module-scan", "module-index", "ftrace-module:review=1", "ftrace-module"}

// BenchmarkAmdgpu measures the designs on the module with the most symbols. It
// reports the medians of each in milliseconds.
func BenchmarkAmdgpu(b *testing.B) {
	var designs []Design
	for _, compose := range moduleDesigns {
		name := compose
		if name == "" {
			name = "stock"
		}
		designs = append(designs, Design{name, source(b, "7.3", compose)})
	}
	o := modules(b, realmap.Amdgpu)[0]
	for b.Loop() {
		all, err := Measure(b.Context(), b.TempDir(), designs, o, 5)
		if err != nil {
			b.Fatal(err)
		}
		b.Logf("%d records, %d valid", all[0].Records, all[0].Valid)
		for _, m := range all {
			b.Logf("%-22s load %8.3f ms, lookups %9.3f ms, enable %9.3f ms", m.Name,
				Median(m.Load).Seconds()*1e3, Median(m.Lookups).Seconds()*1e3, Median(m.Enable).Seconds()*1e3)
		}
	}
}
