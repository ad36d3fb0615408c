// SPDX-License-Identifier: GPL-2.0-only

package series

import (
	"bytes"
	"context"
	"testing"

	"kgen/gen/harness"
	"kgen/gen/mechanism"
	"kgen/gen/realmap"
	"kgen/gen/realmap/realmaptest"
	"kgen/templates"
)

// TestStockTables: at the spacing of the stock markers the host tool of a density
// series writes the tables of the stock tool byte for byte, and so does one that
// only refuses more.
func TestStockTables(t *testing.T) {
	realMap := realmaptest.Path(t, realmap.SystemMap)
	for _, treeName := range []string{"6.12", "7.3"} {
		t.Run(treeName, func(t *testing.T) {
			t.Parallel()
			want := writtenTables(t, treeName, "", realMap)
			for _, with := range []string{"host-limits", "host-limits,density=8"} {
				if !bytes.Equal(writtenTables(t, treeName, with, realMap), want) {
					t.Errorf("%s: other tables than the stock tool's", with)
				}
			}
			if bytes.Equal(writtenTables(t, treeName, "density=7", realMap), want) {
				t.Error("density=7: the tables of 256 symbols a marker, want twice the markers")
			}
		})
	}
}

// writtenTables is what the host tool of a tree with mechanisms applied writes for
// a map, as for a 64-bit kernel that keeps all symbols.
func writtenTables(t *testing.T, treeName, with, mapFile string) []byte {
	t.Helper()
	o := options(t, treeName, "", 8)
	patched := mechanism.Source(o.Tree)
	if with != "" {
		var err error
		if o.Series, o.Values, err = Compose(templates.FS, with); err != nil {
			t.Fatal(err)
		}
		if patched, err = Patched(o); err != nil {
			t.Fatal(err)
		}
	}
	w, err := harness.Prepare(t.TempDir(), harness.Source{Patched: patched, Base: o.Tree})
	if err != nil {
		t.Fatal(err)
	}
	tool, err := w.BuildHostTool(context.Background(), "gcc", false, harness.Optimized)
	if err != nil {
		t.Fatal(err)
	}
	v := harness.Variant{Bits: 64, AllSymbols: true, AbsolutePercpu: true}
	var text bytes.Buffer
	if _, err := harness.RunHostToolOn(t.Context(), tool, w.ToolOptions(v), mapFile, &text); err != nil {
		t.Fatal(err)
	}
	return text.Bytes()
}
