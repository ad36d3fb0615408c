// SPDX-License-Identifier: GPL-2.0-only

package gomodel

import "fmt"

func init() {
	register("batch-index", mechanism{apply: func(d *design, _ map[string]int) error {
		d.change("batch-index", "between BatchStart and BatchEnd an index in memory says where\nevery record is; without memory for it the markers answer.")
		d.finish = append(d.finish, func(d *design) error {
			if !d.locator.walks() {
				return d.batchUseless(d.locator.by)
			}
			return nil
		})
		if err := fill(&d.batch.part, batchIndex); err != nil {
			return err
		}
		d.batch.body = `if index := t.enter(); index != nil {
	defer t.leave(index)
	return int(index.offsets[pos])
}
`
		return nil
	}})
}

// batchUseless refuses the index where no search would ask it.
func (d *design) batchUseless(by string) error {
	if d.batch.by == "" {
		return nil
	}
	return fmt.Errorf("%w: no probe of %s walks, so %s has nothing to add; leave it out", ErrConflict, by, d.batch.by)
}

var batchIndex = part{
	by: "batch-index",
	types: []structure{{`Batch is the state of the batch index. The kernel has a mutex around changes of
it and RCU around reads; here every step is one function, to be interleaved.`, "Batch", []field{
		{"users", "int", "batches that are open"},
		{"index", "*Index", "what new readers see, or nil"},
		{"held", "[]*Index", "out of sight, but some reader is inside"},
	}}, {"Index is one life of the batch index.", "Index", []field{
		{"offsets", "[]uint32", "where every record starts"},
		{"readers", "int", "between rcu_read_lock() and rcu_read_unlock()"},
	}}},
	fields: []field{{"Batch", "Batch", "not in the image: the index in memory"}},
	lookups: []function{
		method("BatchStart", "memory bool", "", `BatchStart is kallsyms_lookup_batch_start(): it opens a batch, and builds the
index in one walk over the stream unless there is one. Where memory is short
the batch is open all the same.`, `
b := &t.Batch
b.users++
if b.index != nil || !memory {
	return
}
index := &Index{offsets: make([]uint32, len(t.Addrs))}
off := 0
for pos := range index.offsets {
	index.offsets[pos] = uint32(off)
	_, off = t.record(off)
}
b.index = index`),
		method("BatchEnd", "", "error", `BatchEnd is kallsyms_lookup_batch_end(): the last one to close takes the index
out of sight. It is freed when no reader is left that has seen it.`, `
b := &t.Batch
if b.users == 0 {
	return errors.New("no batch is open")
}
b.users--
if index := b.index; b.users == 0 && index != nil {
	b.index = nil
	b.held = append(b.held, index)
	b.reclaim()
}
return nil`),
		method("enter", "", "*Index", "enter begins a read: rcu_read_lock(), and the index as it is then.", `
index := t.Batch.index
if index != nil {
	index.readers++
}
return index`),
		method("leave", "index *Index", "", "leave ends a read: rcu_read_unlock().", `
index.readers--
t.Batch.reclaim()`),
		{recv: "b *Batch", name: "reclaim", doc: "reclaim frees what no reader can see. A freed index answers nonsense, so that a\nreader that is still inside is noticed.", body: `
b.held = slices.DeleteFunc(b.held, func(index *Index) bool {
	if index.readers > 0 {
		return false
	}
	for pos := range index.offsets {
		index.offsets[pos] = ^uint32(0)
	}
	return true
})`},
	},
	checks: []check{property("an open batch answers as the markers do, without a hop", "checkBatch",
		"checkBatch asks before, in and after a batch, with memory and without.", `
starts := recordStarts(t.Names)
for _, memory := range []bool{true, false} {
	t.BatchStart(memory)
	for pos := range symbols {
		var cost Cost
		if got := t.symbolOffset(pos, &cost); got != starts[pos] || memory && cost.Hops > 0 {
			return fmt.Sprintf("with memory %t symbol %d is at %d after %d hops, expected %d", memory, pos, got, cost.Hops, starts[pos])
		}
	}
	if problem := checkLookups(symbols, t); problem != "" {
		return problem
	}
	if err := t.BatchEnd(); err != nil {
		return err.Error()
	}
	if t.Batch.index != nil || len(t.Batch.held) > 0 {
		return "the index outlives its batch"
	}
}
return ""`)},
	tests: []function{{name: "TestInterleavings", params: "tt *testing.T",
		doc: `TestInterleavings lets batches and readers come and go in any order. Every answer
is right, an end without a start is refused, and the index lives exactly as long
as a batch is open that got memory, or a reader inside.`, body: `
t, err := Encode(named("a", "b", "c", "d", "e", "f"))
if err != nil {
	tt.Fatal(err)
}
starts := recordStarts(t.Names)
params := gopter.DefaultTestParametersWithSeed(1)
params.MinSuccessfulTests = 500
params.MaxShrinkCount = 200
all := gopter.NewProperties(params)
all.Property("any order of steps", prop.ForAll(func(steps []uint8) string {
	t.Batch = Batch{}
	users, built := 0, false
	var inside []*Index
	for i, step := range steps {
		switch step {
		case 0, 1:
			t.BatchStart(step == 1)
			users++
			built = built || step == 1
		case 2:
			if err := t.BatchEnd(); (err == nil) != (users > 0) {
				return fmt.Sprintf("step %d: end of %d batches: %v", i, users, err)
			}
			users = max(users-1, 0)
			built = built && users > 0
		case 3:
			if index := t.enter(); index != nil {
				inside = append(inside, index)
			}
		case 4:
			if len(inside) > 0 {
				t.leave(inside[0])
				inside = inside[1:]
			}
		}
		for pos, want := range starts[:len(t.Addrs)] {
			if got := t.symbolOffset(pos, new(Cost)); got != want {
				return fmt.Sprintf("step %d: symbol %d is at %d, expected %d", i, pos, got, want)
			}
			for _, index := range inside {
				if got := int(index.offsets[pos]); got != want {
					return fmt.Sprintf("step %d: a reader finds symbol %d at %d, expected %d", i, pos, got, want)
				}
			}
		}
		if (t.Batch.index != nil) != built {
			return fmt.Sprintf("step %d: with %d batches open an index is %v, expected %t", i, users, t.Batch.index, built)
		}
		if len(t.Batch.held) > len(inside) {
			return fmt.Sprintf("step %d: %d indexes are kept for %d readers", i, len(t.Batch.held), len(inside))
		}
	}
	return ""
}, gen.SliceOf(gen.UInt8Range(0, 4))))
all.TestingRun(tt)`}},
}
