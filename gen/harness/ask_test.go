// SPDX-License-Identifier: GPL-2.0-only

package harness

import (
	"testing"

	"kgen/model"
)

func TestAsk(t *testing.T) {
	base := stock(t, "7.3")
	symbols := []model.Symbol{
		{Addr: 0xffffffff81000000, Type: 'T', Name: "_text"},
		{Addr: 0xffffffff81000000, Type: 'T', Name: "_stext"},
		{Addr: 0xffffffff81000010, Type: 'T', Name: "twice"},
		{Addr: 0xffffffff81000030, Type: 't', Name: "twice"},
		{Addr: 0xffffffff81000040, Type: 'T', Name: "_end"},
	}
	queries := []Query{
		{Op: LookupName, Name: "twice"},
		{Op: OnEachMatch, Name: "twice"},
		{Op: LookupName, Name: "never"},
		{Op: LookupSizeOffset, A: 0xffffffff81000018},
		{Op: LookupSymbolName, A: 0xffffffff81000018},
	}
	w := prepare(t, Source{Patched: base, Base: base})
	got, moved, err := w.Ask(t.Context(), symbols, true, queries)
	if err != nil || moved != 0 {
		t.Fatal(moved, err)
	}
	for i, want := range []string{
		"0xffffffff81000010",
		"2: [0xffffffff81000010 0xffffffff81000030], 0",
		"0x0",
		"1, 0x20, 0x8",
		`0, "twice"`,
	} {
		if got[i].Got != want || got[i].Want != want {
			t.Errorf("%s = %s, specified %s, want %s", got[i].Call, got[i].Got, got[i].Want, want)
		}
	}
}

// A per-CPU symbol at a small number is where the map has it if the tree can store
// that, and is counted where it cannot.
func TestAskOfPercpuSymbols(t *testing.T) {
	symbols := []model.Symbol{
		{Addr: 0, Type: 'D', Name: "__per_cpu_start"},
		{Addr: 0x1000, Type: 'D', Name: "percpu"},
		{Addr: 0x2000, Type: 'D', Name: "__per_cpu_end"},
		{Addr: 0xffffffff81000000, Type: 'T', Name: "_text"},
		{Addr: 0xffffffff81000010, Type: 'T', Name: "f"},
	}
	for _, tt := range []struct {
		tree, want string
		moved      int
	}{{"6.12", "0x1000", 0}, {"7.3", "0xffffffff81011000", 3}} {
		base := stock(t, tt.tree)
		w := prepare(t, Source{Patched: base, Base: base})
		got, moved, err := w.Ask(t.Context(), symbols, true, []Query{{Op: LookupName, Name: "percpu"}})
		if err != nil || moved != tt.moved || got[0].Got != tt.want || got[0].Want != tt.want {
			t.Errorf("%s: %+v, %d moved, %v; want %s, %d moved", tt.tree, got, moved, err, tt.want, tt.moved)
		}
	}
}
