// SPDX-License-Identifier: GPL-2.0-only

package model

import "testing"

func TestFigures(t *testing.T) {
	const n = 184_000 // the table that the discussions of these designs speak of
	for _, tc := range []struct {
		reason    string
		got, want int
	}{
		{"no symbols, no markers", MarkerCount(0, 8), 0},
		{"a block begun needs a marker", MarkerCount(1, 8), 1},
		{"one short of a block", MarkerCount(255, 8), 1},
		{"exactly a block", MarkerCount(256, 8), 1},
		{"one more than a block", MarkerCount(257, 8), 2},
		{"exactly two blocks", MarkerCount(512, 8), 2},
		{"one more than two", MarkerCount(513, 8), 3},
		{"shift 0 marks each symbol", MarkerCount(513, 0), 513},
		{"stock adds nothing", AddedMarkerBytes(n, 8), 0},
		{"16:1 adds 42.1 KiB", AddedMarkerBytes(n, 4), 43_124},
		{"8:1 adds 87.0 KiB", AddedMarkerBytes(n, 3), 89_124},
		{"no sub-marker on a lone marker", SubMarkerCount(16, 4), 0},
		{"the second sixteen has one", SubMarkerCount(17, 4), 1},
		{"a full block has one less than its sixteens", SubMarkerCount(256, 4), 15},
		{"the next block starts with a marker", SubMarkerCount(257, 4), 15},
		{"sub-markers are half the price", 2 * SubMarkerBytes(n, 4), AddedMarkerBytes(n, 4)},
		{"u32 for each symbol is 718.75 KiB", 4 * BatchIndexBytes(n), 4*718*1024 + 3*1024},
		{"three bytes for each symbol", StaticIndexBytes(n), 552_000},
		{"a walk within 256", WorstHops(8), 255},
		{"no walk at 1:1", WorstHops(0), 0},
		{"twice the mean", int(2 * MeanHops(8)), 255},
		{"an empty table is not probed", MaxProbes(0), 0},
		{"one name", MaxProbes(1), 1},
		{"a full tree of 8 levels", MaxProbes(255), 8},
		{"one name more", MaxProbes(256), 9},
		{"184,000 names", MaxProbes(n), 18},
	} {
		if tc.got != tc.want {
			t.Errorf("%s: got %d, want %d", tc.reason, tc.got, tc.want)
		}
	}
}

func TestBreakEven(t *testing.T) {
	for _, tc := range []struct {
		reason                      string
		setup, teardown, slow, fast uint64
		want                        uint64
		ok                          bool
	}{
		{"figures of a posted draft, in ns", 1_037_000, 3_440_000, 3_280, 246, 1_476, true},
		{"the same, set-up alone", 1_037_000, 0, 3_280, 246, 342, true},
		{"an exact multiple is enough", 10, 10, 7, 5, 10, true},
		{"part of a lookup counts whole", 10, 11, 7, 5, 11, true},
		{"free set-up pays at once", 0, 0, 7, 5, 0, true},
		{"equal lookups never pay", 1, 0, 5, 5, 0, false},
		{"slower lookups never pay", 1, 0, 5, 6, 0, false},
	} {
		got, ok := BreakEven(tc.setup, tc.teardown, tc.slow, tc.fast)
		if got != tc.want || ok != tc.ok {
			t.Errorf("%s: got %d, %v; want %d, %v", tc.reason, got, ok, tc.want, tc.ok)
		}
	}
}
