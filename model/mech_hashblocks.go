// SPDX-License-Identifier: GPL-2.0-only

package model

import (
	"errors"
	"fmt"
	"iter"
	"math/bits"
	"slices"
)

// ErrBlockNumber: there are more blocks than an entry can tell apart.
var ErrBlockNumber = errors.New("number of a block does not fit its entry")

// The range of the block shift: at 0, an entry would name a symbol.
const (
	MinBlockShift = 1
	MaxBlockShift = 8
)

// hashBlocks is the mechanism "hash-blocks": a table by hash that says in which
// block of 1<<shift records a name is, not which record of it. The records of
// the block are then compared one by one, which takes the place of the walk to
// the record. What an entry no longer has to say of the symbol makes it two
// bytes instead of three, or leaves more bits for the fingerprint.
//
// An entry holds the block's number in its low bits and the fingerprint, the
// low bits of the hash, in the others. Entries are sorted by bucket,
// fingerprint and block, and none stands there twice. So the blocks that may
// hold a name follow each other in the order of addresses; what other names
// have the same fingerprint does not matter.
type hashBlocks struct {
	*parts
	shift     uint // log2 of the records in a block
	width     int  // bytes of an entry
	blockBits uint
	entries   []uint32
	buckets   buckets
	starts    bucketStarts
}

func newHashBlocks(p *parts, c Choice) (*hashBlocks, error) {
	n := p.stream.count()
	o := &hashBlocks{
		parts:     p,
		shift:     c.BlockShift,
		width:     int(c.EntryBytes),
		blockBits: uint(bits.Len(uint(max(n-1, 0) >> c.BlockShift))),
		buckets:   buckets{count: MarkerCount(n, c.BucketShift), shift: c.BucketShift},
	}
	if most := uint(8 * o.width); o.blockBits > most {
		return nil, fmt.Errorf("%w: %d blocks of %d symbols need %d bits, expected at most %d; use larger blocks",
			ErrBlockNumber, MarkerCount(n, o.shift), 1<<o.shift, o.blockBits, most)
	}
	keys := o.keys()
	start := make([]int, 0, o.buckets.count+1)
	for i, key := range keys {
		for bucket := int(key >> 32); len(start) <= bucket; {
			start = append(start, i)
		}
		o.entries = append(o.entries, uint32(key))
	}
	for len(start) <= o.buckets.count {
		start = append(start, len(keys))
	}
	var err error
	o.starts, err = newBucketStarts(o.buckets, start, c.StartBits)
	return o, err
}

// keys returns the entries, each below the number of its bucket, sorted.
func (o *hashBlocks) keys() []uint64 {
	keys := make([]uint64, o.stream.count())
	for seq, symbol := range o.stream.symbols {
		hash := fnv1a(symbol.Name)
		entry := o.fingerprint(hash)<<o.blockBits | uint32(seq)>>o.shift
		keys[seq] = uint64(o.buckets.of(hash))<<32 | uint64(entry)
	}
	slices.Sort(keys)
	return slices.Compact(keys)
}

func (o *hashBlocks) fingerprint(hash uint32) uint32 {
	return hash & (1<<(8*uint(o.width)-o.blockBits) - 1)
}

// each compares the name with all records of all blocks that may hold it.
func (o *hashBlocks) each(m *meter, name string, visit func(seq int)) {
	o.blocks(m, name, func(block, entry int) bool {
		for p := range o.records(m, block, entry) {
			if o.compare(m, p, name) == 0 {
				visit(p.seq)
			}
		}
		return true
	})
}

func (o *hashBlocks) first(m *meter, name string) (seq int, ok bool) {
	o.blocks(m, name, func(block, entry int) bool {
		for p := range o.records(m, block, entry) {
			if o.compare(m, p, name) == 0 {
				seq, ok = p.seq, true
				return false
			}
		}
		return true
	})
	return seq, ok
}

// blocks calls visit with every block whose entry has the name's fingerprint,
// in the order of addresses, until visit returns false.
func (o *hashBlocks) blocks(m *meter, name string, visit func(block, entry int) bool) {
	if o.buckets.count == 0 {
		return
	}
	hash := fnv1a(name)
	fingerprint := o.fingerprint(hash)
	low, high := o.starts.of(m, o.buckets.of(hash))
	for i := low; i < high; i++ {
		m.cost.Entries++
		m.read(OrderTable, o.width*i, o.width)
		entry := o.entries[i]
		if entry>>o.blockBits > fingerprint {
			return
		}
		if entry>>o.blockBits == fingerprint && !visit(int(entry&(1<<o.blockBits-1)), i) {
			return
		}
	}
}

// records yields a probe for each record of a block. Each is opened by the
// comparison that follows; going on to the next one is a hop.
func (o *hashBlocks) records(m *meter, block, entry int) iter.Seq[probe] {
	return func(yield func(probe) bool) {
		first := block << o.shift
		last := min(first+WorstHops(o.shift), o.stream.count()-1)
		p := m.probe(Block, entry)
		for p.seq, p.off = first, o.locate.offset(m, first); yield(p) && p.seq < last; {
			header, size := recordHeader(o.stream.Names, p.off)
			next := m.probe(Block, entry)
			next.seq, next.off = p.seq+1, p.off+header+size
			m.cost.Hops++
			p = next
		}
	}
}

func (o *hashBlocks) added() Space {
	return Space{TableBytes: o.starts.bytes() + o.width*len(o.entries) - seqEntryBytes*o.stream.count()}
}
