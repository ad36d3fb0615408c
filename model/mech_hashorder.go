// SPDX-License-Identifier: GPL-2.0-only

package model

import (
	"math/bits"
	"slices"
)

// hashOrder is the mechanism "hash-order": the 3-byte table sorted by (hash of
// the name, name, address). A lookup goes to the bucket of its hash and opens
// the records of those few entries alone whose fingerprint is the name's.
//
// An entry holds the sequence number in as many low bits as the number of
// symbols needs, and the low bits of the hash, the fingerprint, in the others.
// The bucket comes from the high bits, so the two are independent. Equal names
// are neighbours even where another name has their hash, and the first is the
// one with the lowest address.
type hashOrder struct {
	*parts
	entries packed
	seqBits uint
	buckets buckets
	starts  bucketStarts
}

func newHashOrder(p *parts, bucketShift, startBits uint) (*hashOrder, error) {
	n := p.stream.count()
	o := &hashOrder{
		parts:   p,
		seqBits: uint(bits.Len(uint(max(n-1, 0)))),
		buckets: buckets{count: MarkerCount(n, bucketShift), shift: bucketShift},
	}
	start := make([]int, 0, o.buckets.count+1)
	for i, key := range hashKeys(p.stream) {
		hash, rank := uint32(key>>32), int(uint32(key))
		for bucket := o.buckets.of(hash); len(start) <= bucket; {
			start = append(start, i)
		}
		seq := decodeUnrolled(p.stream.SeqsOfNames, rank)
		o.entries = appendPacked(o.entries, o.fingerprint(hash)<<o.seqBits|seq)
	}
	for len(start) <= o.buckets.count {
		start = append(start, n)
	}
	var err error
	o.starts, err = newBucketStarts(o.buckets, start, startBits)
	return o, err
}

// hashKeys returns for every symbol its hash, above its rank in name order,
// which settles name and address, sorted.
func hashKeys(s *stream) []uint64 {
	keys := make([]uint64, s.count())
	for rank := range keys {
		seq := decodeUnrolled(s.SeqsOfNames, rank)
		keys[rank] = uint64(fnv1a(s.symbols[seq].Name))<<32 | uint64(rank)
	}
	slices.Sort(keys)
	return keys
}

// fnv1a is the 32-bit FNV-1a hash of a name without its type.
func fnv1a(name string) uint32 {
	hash := uint32(0x811c9dc5)
	for i := range len(name) {
		hash = (hash ^ uint32(name[i])) * 0x01000193
	}
	return hash
}

func (o *hashOrder) fingerprint(hash uint32) int {
	return int(hash & (maxPacked>>o.seqBits - 1))
}

func (o *hashOrder) find(m *meter, name string, withEnd bool) (start, end int, ok bool) {
	if o.buckets.count == 0 {
		return 0, 0, false
	}
	hash := fnv1a(name)
	low, high := o.starts.of(m, o.buckets.of(hash))
	for i := low; i < high; i++ {
		if !o.matches(m, Bucket, i, hash, name) {
			continue
		}
		end = i
		for withEnd && end+1 < high && o.matches(m, Last, end+1, hash, name) {
			end++
		}
		return i, end, true
	}
	return 0, 0, false
}

// matches says whether entry i is a symbol of that name. Only where the
// fingerprint agrees is the record opened.
func (o *hashOrder) matches(m *meter, step Step, i int, hash uint32, name string) bool {
	p := m.probe(step, i)
	entry := o.entry(m, o.entries, i)
	p.seq = entry & (1<<o.seqBits - 1)
	if entry>>o.seqBits != o.fingerprint(hash) {
		o.note(m, p, 0)
		return false
	}
	p.off = o.locate.offset(m, p.seq)
	return o.compare(m, p, name) == 0
}

func (o *hashOrder) seq(m *meter, i int) int {
	return o.entry(m, o.entries, i) & (1<<o.seqBits - 1)
}

func (o *hashOrder) added() Space { return Space{TableBytes: o.starts.bytes()} }
