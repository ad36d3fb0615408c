// SPDX-License-Identifier: GPL-2.0-only

package model

import (
	"errors"
	"sync"
	"testing"
)

func newBatchDesign(t *testing.T) *Design {
	t.Helper()
	d, err := NewDesign(mustEncode(t, numbered(600)), Choice{Locate: Density, Shift: 8, Batch: true})
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// TestBatchLife takes a batch through its steps. After each, every position is
// asked for, and the hops of the one at the end of a block tell whether the
// index or a marker answered.
func TestBatchLife(t *testing.T) {
	d := newBatchDesign(t)
	b := d.Batch()
	var reader *BatchReader
	steps := []struct {
		reason string
		step   func() error
		hops   int
		ram    int
	}{
		{"before any batch", func() error { return nil }, 255, 0},
		{"no memory", func() error { b.Start(false); return nil }, 255, 0},
		{"a second user finds memory", func() error { b.Start(true); return nil }, 0, 2400},
		{"a third shares it", func() error { b.Start(true); return nil }, 0, 2400},
		{"one leaves", b.End, 0, 2400},
		{"another leaves", b.End, 0, 2400},
		{"a reader enters", func() error { reader = b.Enter(); return nil }, 0, 2400},
		{"the last leaves, the reader holds the index", b.End, 255, 2400},
		{"a new batch opens beside it", func() error { b.Start(true); return nil }, 0, 4800},
		{"the reader leaves", func() error { reader.Leave(); return nil }, 0, 2400},
		{"and leaves again, which is nothing", func() error { reader.Leave(); return nil }, 0, 2400},
		{"the new batch ends", b.End, 255, 0},
	}
	for _, s := range steps {
		if err := s.step(); err != nil {
			t.Fatalf("%s: %v", s.reason, err)
		}
		for seq, want := range d.stream.start {
			if off, _ := d.SymbolOffset(seq); off != int(want) {
				t.Fatalf("%s: symbol %d at %d, want %d", s.reason, seq, off, want)
			}
		}
		if _, cost := d.SymbolOffset(255); cost.Hops != s.hops {
			t.Errorf("%s: %d hops, want %d", s.reason, cost.Hops, s.hops)
		}
		if ram := b.RAMBytes(); ram != s.ram {
			t.Errorf("%s: %d bytes held, want %d", s.reason, ram, s.ram)
		}
	}
	if err := b.End(); !errors.Is(err, ErrBatchNotOpen) {
		t.Errorf("an end too many: got %v, want %v", err, ErrBatchNotOpen)
	}
}

// TestReaderOutlivesBatch: what a reader got hold of stays true until it leaves.
func TestReaderOutlivesBatch(t *testing.T) {
	d := newBatchDesign(t)
	b := d.Batch()
	b.Start(true)
	reader := b.Enter()
	if err := b.End(); err != nil {
		t.Fatal(err)
	}
	if off, cost := reader.Offset(599); off != int(d.stream.start[599]) || cost.Hops != 0 {
		t.Errorf("got %d after %d hops, want %d from the index", off, cost.Hops, d.stream.start[599])
	}
	reader.Leave()
	if off, cost := reader.Offset(599); off != int(d.stream.start[599]) || cost.Hops != 599&255 {
		t.Errorf("after it left: got %d after %d hops, want %d from a marker", off, cost.Hops, d.stream.start[599])
	}
}

// TestLookupsDuringBatches runs lookups while batches open and close.
func TestLookupsDuringBatches(t *testing.T) {
	d := newBatchDesign(t)
	var users sync.WaitGroup
	for range 4 {
		users.Go(func() {
			for range 20 {
				d.Batch().Start(true)
				if err := d.Batch().End(); err != nil {
					t.Error(err)
				}
			}
		})
	}
	for seq := range 600 {
		name := d.stream.symbols[seq].Name
		if addr, ok, _ := d.LookupName(name); !ok || addr != d.stream.Addrs[seq] {
			t.Errorf("%s: got %#x, %v; want %#x", name, addr, ok, d.stream.Addrs[seq])
		}
	}
	users.Wait()
}

// TestBatchBreaksEven counts, in hops, what a batch costs and saves.
func TestBatchBreaksEven(t *testing.T) {
	d := newBatchDesign(t)
	name := "sym_13"
	_, _, without := d.LookupName(name)
	setup := d.Batch().Start(true)
	_, _, with := d.LookupName(name)
	if setup.Hops != 600 {
		t.Errorf("set-up walks %d records, want all 600", setup.Hops)
	}
	if again := d.Batch().Start(true); again != (Cost{}) {
		t.Errorf("a second batch costs %+v, want nothing", again)
	}
	lookups, ok := BreakEven(uint64(setup.Hops), 0, uint64(without.Hops), uint64(with.Hops))
	if !ok || lookups*uint64(without.Hops) < lookups*uint64(with.Hops)+uint64(setup.Hops) {
		t.Errorf("breaks even after %d, %v, with %d and %d hops", lookups, ok, without.Hops, with.Hops)
	}
	if _, ok := BreakEven(uint64(setup.Hops), 0, uint64(with.Hops), uint64(with.Hops)); ok {
		t.Error("a batch breaks even that saves nothing")
	}
}
