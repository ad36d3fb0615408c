// SPDX-License-Identifier: GPL-2.0-only

package series

import (
	"slices"
	"testing"

	"kgen/patches"
	"kgen/templates"
)

// What a series is about decides which flags it has and what may be measured of it.
func TestAbout(t *testing.T) {
	all, err := Names(patches.FS)
	if err != nil {
		t.Fatal(err)
	}
	modules := []string{"ftrace-bitmap", "ftrace-module", "module-index", "module-scan", "module-sort"}
	for _, name := range all {
		s, err := Load(patches.FS, templates.FS, name)
		if err != nil {
			t.Fatal(err)
		}
		ofModules := slices.Contains(modules, name)
		if got := s.InCore(); got != (!ofModules && name != "ftrace-single") {
			t.Errorf("%s: InCore is %v", name, got)
		}
		// ftrace-single asks the kernel's table another way;
		// host-limits has limits for figures.
		if got, err := s.StatesScale(patches.FS); err != nil || got != (!ofModules && name != "host-limits") {
			t.Errorf("%s: StatesScale is %v, %v", name, got, err)
		}
	}
}
