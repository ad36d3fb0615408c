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
	got, err := w.Ask(t.Context(), symbols, true, queries)
	if err != nil {
		t.Fatal(err)
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
