// SPDX-License-Identifier: GPL-2.0-only

package model

import (
	"errors"
	"slices"
	"strings"
	"testing"
)

func TestChoose(t *testing.T) {
	params := Params{Shift: 4, BucketShift: 5, StartBits: 8, BlockShift: 6, EntryBytes: 2}
	for _, tc := range []struct {
		words  string
		want   string // of the choice
		reason string // a part of the refusal
	}{
		{words: "", want: "stock"},
		{words: "density", want: "density:4"},
		{words: "density token-match", want: "density:4 token-match"},
		{words: "token-match batch-index seq-unroll", want: "batch-index token-match seq-unroll"},
		{words: "sub-markers hash-order token-match", want: "sub-markers:4 hash-order:5:8 token-match"},
		{words: "static-index token-match", want: "static-index token-match"},
		{words: "group-sizes hash-blocks token-match", want: "group-sizes:4 hash-blocks:5:8:6:2 token-match"},
		{words: "name-offsets", want: "name-offsets"},
		{words: "density sub-markers", reason: "density and sub-markers both say how records are found"},
		{words: "static-index density", reason: "static-index and density both"},
		{words: "name-offsets hash-order", reason: "both say how names are ordered"},
		{words: "hash-blocks hash-order", reason: "both say how names are ordered"},
		{words: "hash-blocks seq-unroll", reason: "seq-unroll has nothing to add"},
		{words: "static-index batch-index", reason: "batch-index has nothing to add"},
		{words: "name-offsets batch-index", reason: "batch-index has nothing to add"},
		{words: "density density", reason: "density is named twice"},
		{words: "module-sort", reason: `"module-sort" is not a mechanism`},
	} {
		c, err := Choose(strings.Fields(tc.words), params)
		switch {
		case tc.reason == "" && (err != nil || c.String() != tc.want):
			t.Errorf("%q: got %v, %v; want %s", tc.words, c, err, tc.want)
		case tc.reason != "" && (!errors.Is(err, ErrChoice) || !strings.Contains(err.Error(), tc.reason)):
			t.Errorf("%q: got %v, want a refusal with %q", tc.words, err, tc.reason)
		}
	}
}

func TestParametersOutOfRange(t *testing.T) {
	for _, c := range []Choice{
		{},
		{Locate: Density, Shift: 9},
		{Locate: SubMarkers, Shift: 1},
		{Locate: SubMarkers, Shift: 8},
		{Locate: StaticIndex, Shift: 8},
		{Locate: TokenMatch},
		{Locate: Density, Order: SeqUnroll},
		{Locate: Density, BucketShift: 4},
		{Locate: GroupSizes, Shift: 5},
		{Locate: Density, Order: HashOrder, BucketShift: 1, StartBits: 8},
		{Locate: Density, Order: HashOrder, BucketShift: 4, StartBits: 8, BlockShift: 4, EntryBytes: 2},
		{Locate: Density, Order: HashBlocks, BucketShift: 4, StartBits: 8, BlockShift: 0, EntryBytes: 2},
		{Locate: Density, Order: HashBlocks, BucketShift: 4, StartBits: 8, BlockShift: 9, EntryBytes: 2},
		{Locate: Density, Order: HashBlocks, BucketShift: 4, StartBits: 8, BlockShift: 4, EntryBytes: 4},
		{Locate: Density, Order: HashOrder, BucketShift: 7, StartBits: 8},
		{Locate: Density, Order: HashOrder, BucketShift: 4, StartBits: 32},
	} {
		if _, err := NewDesign(&Tables{}, c); !errors.Is(err, ErrChoice) {
			t.Errorf("%+v: got %v, want %v", c, err, ErrChoice)
		}
	}
}

// TestChoicesAreLegalAndDifferent also pins their number: a combination that
// disappears takes its tests with it.
func TestChoicesAreLegalAndDifferent(t *testing.T) {
	var names []string
	for _, c := range Choices() {
		if err := c.Check(); err != nil {
			t.Errorf("%v: %v", c, err)
		}
		names = append(names, c.String())
	}
	// 18 ways to find records that leave the rest free, and a static index that
	// leaves no batch; 2 comparers, 2 readers of entries, with or without a
	// batch. 10 hash orders are like the stock order, name-offsets has no batch,
	// 160 sorts of hash-blocks have one reader.
	want := 18*(8*(1+10)+4+4*160) + 4*(1+10) + 4 + 2*160
	if len(names) != want {
		t.Errorf("%d choices, want %d", len(names), want)
	}
	slices.Sort(names)
	if len(slices.Compact(names)) != len(Choices()) {
		t.Error("two choices have one name")
	}
}
