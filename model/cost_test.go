// SPDX-License-Identifier: GPL-2.0-only

package model

import (
	"encoding/json"
	"testing"
)

func TestMeterCountsLinesOnce(t *testing.T) {
	var m meter
	m.start()
	for _, read := range []struct {
		reason    string
		table     Table
		off, size int
		lines     int // in all, afterwards
	}{
		{"a byte", NamesTable, 0, 1, 1},
		{"the last byte of the same line", NamesTable, 63, 1, 1},
		{"a read across two lines", NamesTable, 127, 2, 3},
		{"another table's first line", TokenTable, 5, 1, 4},
		{"nothing", NamesTable, 600, 0, 4},
		{"far off", NamesTable, 1 << 20, 64, 5},
	} {
		m.read(read.table, read.off, read.size)
		if got := m.cost.CacheLines.Total(); got != read.lines {
			t.Errorf("%s: %d lines, want %d", read.reason, got, read.lines)
		}
	}
	m.start()
	m.read(NamesTable, 0, 1)
	if got := m.cost.CacheLines.Total(); got != 1 {
		t.Errorf("the next lookup counts %d lines, want 1", got)
	}
	m.epoch = ^uint32(0)
	m.start()
	m.read(NamesTable, 0, 1)
	if got := m.cost.CacheLines.Total(); got != 1 {
		t.Errorf("after 2^32 lookups: %d lines, want 1", got)
	}
}

func TestCostAddsUp(t *testing.T) {
	one := Cost{Probes: 1, Entries: 2, Hops: 3, Sums: 4, HeaderBytes: 5, Tokens: 6, NameBytes: 7, Recovery: 8}
	for table := range one.CacheLines {
		one.CacheLines[table] = table
	}
	sum := one
	sum.Add(one)
	want := Cost{Probes: 2, Entries: 4, Hops: 6, Sums: 8, HeaderBytes: 10, Tokens: 12, NameBytes: 14, Recovery: 16}
	for table := range want.CacheLines {
		want.CacheLines[table] = 2 * table
	}
	if sum != want {
		t.Errorf("got %+v, want %+v", sum, want)
	}
}

func TestLinesAsJSON(t *testing.T) {
	var l Lines
	l[NamesTable], l[BucketExplicitTable] = 3, 1
	got, err := json.Marshal(l)
	if want := `{"explicit_starts":1,"names":3,"total":4}`; err != nil || string(got) != want {
		t.Errorf("got %s, %v; want %s", got, err, want)
	}
	for table, name := range tableNames {
		if name == "" {
			t.Errorf("table %d has no name", table)
		}
	}
}
