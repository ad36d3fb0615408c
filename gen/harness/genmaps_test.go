// SPDX-License-Identifier: GPL-2.0-only

package harness

import (
	"strings"
	"testing"

	"kgen/gen/symgen"
	"kgen/model"
)

// Every generated map is one that a kernel of the word size could have and that
// the host tool takes, and both kinds of tables are among them.
func TestGeneratedMaps(t *testing.T) {
	s := &session{opts: Options{Seed: 1}, real: symgen.NewStats(realMap(t)[:4000])}
	kinds := map[string]int{}
	for _, bits := range []int{64, 32} {
		for i := range 200 {
			m := s.generated(i, bits)
			text := m[0].Addr
			for _, sym := range m {
				if bits == 32 && sym.Addr > 1<<32-1 || sym.Addr-text > 1<<31-1 {
					t.Fatalf("map %d of %d bits: %#x is out of reach of _text at %#x", i, bits, sym.Addr, text)
				}
				if strings.Contains(sym.Name, "__start_name") {
					kinds["adversarial"]++
				}
				if len(sym.Name) > 8 && strings.Contains(sym.Name, "_get") {
					kinds["fitted"]++
				}
			}
			if b := model.BoundsOf(m); b.Text != text || b.Stext != text {
				t.Errorf("map %d: sections begin at %#x, want %#x", i, b.Text, text)
			}
		}
	}
	if kinds["adversarial"] == 0 || kinds["fitted"] == 0 {
		t.Errorf("kinds of tables that were seen: %v", kinds)
	}
}

// A fault that the harness's own maps do not show, as they are not made, is found
// on the property generators' tables.
func TestGeneratedMapsCatch(t *testing.T) {
	const kernel = "kernel/kallsyms.c"
	base := stock(t, "7.3")
	w := prepare(t, Source{Patched: edited{base, kernel, "len = (len & 0x7F) | (*data << 7);", "len = (len & 0x7F);"}, Base: base})
	rep, err := w.Agree(t.Context(), Options{Seed: 1, Generated: 60, ReplayDir: t.TempDir(), Brief: true, Variants: w.Variants()[:1]})
	if err != nil {
		t.Fatal(err)
	}
	if len(rep.Findings) == 0 || rep.Tables == 0 {
		t.Errorf("%s: expected a failure", rep.Summary())
	}
}
