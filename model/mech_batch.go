// SPDX-License-Identifier: GPL-2.0-only

package model

import (
	"errors"
	"sync"
)

// ErrBatchNotOpen: a batch is ended that was not started.
var ErrBatchNotOpen = errors.New("kallsyms_lookup_batch_end() without a batch")

// Batch is the mechanism "batch-index": while a batch is open, memory holds the
// stream offset of every symbol. Outside a batch, and where there was no memory
// for it, offsets are found as without it.
//
// Start and End nest. Lookups may run meanwhile: a reader sees the index as it
// was when the reader asked, and the index is freed only once the readers that
// can see it have left, as RCU has it.
type Batch struct {
	stream   *stream
	fallback locator

	mu      sync.Mutex
	users   int
	current *batchTable
	retired []*batchTable // out of sight, some reader still inside
}

// batchTable is one life of the index.
type batchTable struct {
	offset  []uint32
	readers int
}

// Start opens a batch and returns what building the index costs: a walk over
// the whole stream, or nothing where one is open already. memory says whether
// the allocation succeeds; without it, the batch is open and answers are found
// by the markers. It mirrors kallsyms_lookup_batch_start().
func (b *Batch) Start(memory bool) Cost {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.users++
	if b.current != nil || !memory {
		return Cost{}
	}
	var m meter
	m.start()
	table := &batchTable{offset: make([]uint32, b.stream.count())}
	off := 0
	for i := range table.offset {
		table.offset[i] = uint32(off)
		m.read(IndexTable, batchEntryBytes*i, batchEntryBytes)
		off = b.stream.walk(&m, off, 1)
	}
	b.current = table
	return m.cost
}

// End closes a batch. The last one to close takes the index out of sight and
// frees it as soon as no reader is left inside. It mirrors
// kallsyms_lookup_batch_end().
func (b *Batch) End() error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.users == 0 {
		return ErrBatchNotOpen
	}
	b.users--
	if b.users == 0 && b.current != nil {
		b.retired = append(b.retired, b.current)
		b.current = nil
		b.reclaim()
	}
	return nil
}

// reclaim frees what no reader can see any more. A freed index answers
// nonsense, so that a reader that outlives it is noticed.
func (b *Batch) reclaim() {
	kept := b.retired[:0]
	for _, table := range b.retired {
		if table.readers > 0 {
			kept = append(kept, table)
		} else {
			clear(table.offset)
		}
	}
	b.retired = kept
}

// RAMBytes is the memory held now: the index in use, and those that wait for
// their last reader.
func (b *Batch) RAMBytes() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	tables := len(b.retired)
	if b.current != nil {
		tables++
	}
	return tables * BatchIndexBytes(b.stream.count())
}

// Enter begins a read-side critical section: rcu_read_lock() and the load of
// the index.
func (b *Batch) Enter() *BatchReader {
	b.mu.Lock()
	defer b.mu.Unlock()
	table := b.current
	if table != nil {
		table.readers++
	}
	return &BatchReader{batch: b, table: table}
}

// BatchReader is a reader between rcu_read_lock() and rcu_read_unlock().
type BatchReader struct {
	batch *Batch
	table *batchTable
}

// Offset is get_symbol_offset() as this reader sees it.
func (r *BatchReader) Offset(seq int) (int, Cost) {
	var m meter
	m.start()
	off := r.batch.offsetIn(&m, r.table, seq)
	return off, m.cost
}

// Leave ends the critical section.
func (r *BatchReader) Leave() {
	if r.table == nil {
		return
	}
	r.batch.mu.Lock()
	defer r.batch.mu.Unlock()
	r.table.readers--
	r.table = nil
	r.batch.reclaim()
}

func (b *Batch) offset(m *meter, seq int) int {
	r := b.Enter()
	defer r.Leave()
	return b.offsetIn(m, r.table, seq)
}

func (b *Batch) offsetIn(m *meter, table *batchTable, seq int) int {
	if table == nil {
		return b.fallback.offset(m, seq)
	}
	m.read(IndexTable, batchEntryBytes*seq, batchEntryBytes)
	return int(table.offset[seq])
}

func (b *Batch) seqOf(m *meter, off int) int { return b.fallback.seqOf(m, off) }

func (b *Batch) added() Space {
	s := b.fallback.added()
	s.RAMBytes = BatchIndexBytes(b.stream.count())
	return s
}
