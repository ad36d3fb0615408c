// SPDX-License-Identifier: GPL-2.0-only

package model

import (
	"slices"
	"testing"
)

func TestBestBase(t *testing.T) {
	for _, tc := range []struct {
		reason string
		sizes  []int
		want   uint8
	}{
		{"no size", nil, 0},
		{"one size", []int{103}, 25},
		{"all fit with the least", []int{300, 200, 454}, 50},
		{"the least is left out for the others", []int{10, 300, 320, 400}, 75},
		{"the greatest is left out", []int{100, 120, 900}, 25},
		{"beyond what a base can say", []int{5000, 1100}, 255},
	} {
		if got := bestBase(tc.sizes); got != tc.want {
			t.Errorf("%s: got %d, want %d", tc.reason, got, tc.want)
		}
	}
}

// TestUnfitGroupsAreWalked: long names beside short ones, so that no base fits
// all groups of a block, and records are found all the same.
func TestUnfitGroupsAreWalked(t *testing.T) {
	names := numberedNames(600)
	for i := 40; i < 44; i++ {
		names[i] = longName(300, uint64(i))
	}
	symbols := table(names...)
	d, err := NewDesign(mustEncode(t, symbols), Choice{Locate: GroupSizes, Shift: 2})
	if err != nil {
		t.Fatal(err)
	}
	checkPositions(t, d, &Spec{Symbols: symbols})
	_, before := d.SymbolOffset(40)
	_, after := d.SymbolOffset(44)
	if before.Hops != 0 || after.Hops != 4 || before.Sums != 10 || after.Sums != 11 {
		t.Errorf("%+v and %+v, want 10 and 11 groups, of which the last is walked", before, after)
	}
}

// TestGroupSizeLimits: the last size that fits a byte, and the first that does
// not, on both sides of the base.
func TestGroupSizeLimits(t *testing.T) {
	sizes := []int{100, 100 + 254, 100 + 255, 100 + 264, 99, 101}
	s := &stream{symbols: make([]Symbol, 7*16), start: make([]uint32, 7*16)}
	for group, size := range sizes {
		s.start[16*(group+1)] = s.start[16*group] + uint32(size)
	}
	got := newGroupSizes(s, 4).rows
	want := []uint8{25, 0, 254, walkGroup, walkGroup, walkGroup, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0}
	if !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}
