// SPDX-License-Identifier: GPL-2.0-only

package gomodel

import (
	"fmt"
	"strconv"
)

func init() {
	register("hash-order", mechanism{
		params: map[string]limits{"bucket-shift": {2, 6}, "start-bits": {8, 16}},
		apply: func(d *design, params map[string]int) error {
			shift, bits := params["bucket-shift"], params["start-bits"]
			var starts part
			switch bits {
			case 8:
				starts = narrowStarts
			case 16:
				starts = wideStarts(shift)
			default:
				return fmt.Errorf("%w hash-order: start-bits is %d, expected 8 or 16", ErrParam, bits)
			}
			d.change(fmt.Sprintf("hash-order, %d symbols a bucket, %d-bit starts", 1<<shift, bits),
				"the 3-byte table is sorted by hash\nfirst; a lookup opens only the records of its bucket whose fingerprint is right.")
			p := hashOrder(shift)
			p.fields = append(p.fields, starts.fields...)
			p.constants = append(p.constants, starts.constants...)
			p.sizes = append(p.sizes, starts.sizes...)
			p.lookups = append(p.lookups, starts.lookups...)
			p.encoders = append(p.encoders, starts.encoders...)
			p.tests = append(p.tests, starts.tests...)
			return fill(&d.order, p)
		},
	})
}

// hashOrder is the table in the order of hashes, without the bucket starts.
func hashOrder(bucketShift int) part {
	return part{
		by: "hash-order",
		constants: []constant{
			{"BucketShift", strconv.Itoa(bucketShift), "BucketShift is log2 of the symbols that a bucket is made for."},
		},
		fields: []field{{"Order", "[]byte", "fingerprints and sequence numbers by (hash, name, address), three bytes each"}},
		after: `
if err := t.orderByHash(symbols); err != nil {
	return nil, err
}`,
		sizes:    []size{orderSize},
		lookups:  hashLookups,
		encoders: hashEncoders,
		checks:   hashChecks,
		tests:    hashTests,
	}
}

var hashLookups = []function{
	method("lookupNames", "name string, cost *Cost", "(start, end int, ok bool)",
		`lookupNames is kallsyms_lookup_names(): the entries of all symbols of this name,
which are neighbours in their bucket. A miss is the kernel's -ESRCH.`, `
if len(t.Addrs) == 0 {
	return 0, 0, false
}
hash := hashOf(name)
bucket := t.bucketOf(hash)
high := t.bucketStart(bucket + 1)
for start = t.bucketStart(bucket); start < high; start++ {
	if !t.matches(name, hash, start, &cost.Probes, cost) {
		continue
	}
	end = start
	for end+1 < high && t.matches(name, hash, end+1, &cost.Neighbours, cost) {
		end++
	}
	return start, end, true
}
return 0, 0, false`),
	method("matches", "name string, hash uint32, i int, count *int, cost *Cost", "bool",
		"matches says whether entry i is a symbol of this name. It opens the record only\nif the fingerprint is the name's.", `
if unpack(t.Order, i)>>t.seqBits() != t.fingerprint(hash) {
	return false
}
*count++
return t.compareName(name, t.symbolOffset(t.seqOfRank(i, cost), cost), cost) == 0`),
	method("seqOfRank", "i int, _ *Cost", "int", "seqOfRank is the sequence number in entry i: its low bits.",
		"return unpack(t.Order, i) & (1<<t.seqBits() - 1)"),
	method("seqBits", "", "int", "seqBits is how many bits of an entry the sequence number needs.",
		"return bits.Len(uint(max(len(t.Addrs)-1, 0)))"),
	method("fingerprint", "hash uint32", "int",
		"fingerprint fills the other bits of an entry with low bits of the hash. The\nbucket comes from the high ones, so each says something of its own.",
		"return int(hash & (1<<(24-t.seqBits()) - 1))"),
	method("buckets", "", "int", "buckets is how many buckets there are.", "return (len(t.Addrs) + 1<<BucketShift - 1) >> BucketShift"),
	method("bucketOf", "hash uint32", "int", "bucketOf divides the range of hashes evenly.",
		"return int(uint64(hash) * uint64(t.buckets()) >> 32)"),
	{name: "hashOf", params: "name string", results: "uint32", doc: "hashOf is the 32-bit FNV-1a hash of a name without its type.", body: `
hash := uint32(0x811c9dc5)
for i := range len(name) {
	hash = (hash ^ uint32(name[i])) * 0x01000193
}
return hash`},
}

var hashEncoders = []function{
	method("orderByHash", "symbols []Symbol", "error",
		"orderByHash sorts by hash what is sorted by name already, so that equal names\nstay neighbours even where another name has their hash.", `
order := byName(symbols)
slices.SortStableFunc(order, func(a, b int) int {
	return cmp.Or(
		cmp.Compare(hashOf(symbols[a].Name), hashOf(symbols[b].Name)),
		strings.Compare(symbols[a].Name, symbols[b].Name))
})
var starts []int // of every bucket, and where the last one ends
for i, pos := range order {
	hash := hashOf(symbols[pos].Name)
	for len(starts) <= t.bucketOf(hash) {
		starts = append(starts, i)
	}
	var err error
	if t.Order, err = pack(t.Order, t.fingerprint(hash)<<t.seqBits()|pos); err != nil {
		return err
	}
}
for len(starts) <= t.buckets() {
	starts = append(starts, len(order))
}
return t.packStarts(starts)`),
}

var hashChecks = []check{
	property("the match range is that of a linear scan", "checkRange",
		"checkRange holds the entries of every match against their count, by hash and name.", `
hashes := hashesOf(symbols)
for _, name := range queries(symbols) {
	var cost Cost
	start, end, ok := t.lookupNames(name, &cost)
	hash, smaller, equal := fnv1a(name), 0, 0
	for pos, s := range symbols {
		switch order := cmp.Or(cmp.Compare(hashes[pos], hash), strings.Compare(s.Name, name)); {
		case order < 0:
			smaller++
		case order == 0:
			equal++
		}
	}
	if ok != (equal > 0) || ok && (start != smaller || end != smaller+equal-1) {
		return fmt.Sprintf("%q matches %d to %d (%t), expected %d matches from %d", name, start, end, ok, equal, smaller)
	}
}
return ""`),
	property("every symbol has one entry, in its bucket, with its fingerprint", "checkBuckets",
		"checkBuckets reads the whole table.", `
if len(symbols) == 0 {
	return ""
}
if len(t.Order) != 3*len(symbols) || t.bucketStart(0) != 0 || t.bucketStart(t.buckets()) != len(symbols) {
	return fmt.Sprintf("%d symbols have buckets from %d to %d", len(symbols), t.bucketStart(0), t.bucketStart(t.buckets()))
}
seen := make([]bool, len(symbols))
for bucket := range t.buckets() {
	for i := t.bucketStart(bucket); i < t.bucketStart(bucket+1); i++ {
		pos := t.seqOfRank(i, nil)
		hash := fnv1a(symbols[pos].Name)
		// The shift loses the bits of the hash for which there is no room.
		if want := int(hash<<t.seqBits()&0xffffff) | pos; seen[pos] || t.bucketOf(hash) != bucket || unpack(t.Order, i) != want {
			return fmt.Sprintf("entry %d in bucket %d is %#06x, expected %#06x", i, bucket, unpack(t.Order, i), want)
		}
		seen[pos] = true
	}
}
return ""`),
	property("a search opens no record whose bucket or fingerprint is another", "checkProbes",
		"checkProbes bounds what is opened by the symbols that look like the name.", `
hashes := hashesOf(symbols)
for _, name := range queries(symbols) {
	hash, alike := fnv1a(name), 0
	for _, h := range hashes {
		if t.bucketOf(h) == t.bucketOf(hash) && t.fingerprint(h) == t.fingerprint(hash) {
			alike++
		}
	}
	var cost Cost
	_, _, ok := t.lookupNames(name, &cost)
	if opened := cost.Probes + cost.Neighbours; opened > alike || !ok && opened != alike {
		return fmt.Sprintf("%q opened %d records, expected %d", name, opened, alike)
	}
}
return ""`),
}

var hashTests = []function{
	{name: "fnv1a", params: "name string", results: "uint32", doc: "fnv1a is the hash from another source.", body: `
h := fnv.New32a()
h.Write([]byte(name))
return h.Sum32()`},
	{name: "hashesOf", params: "symbols []Symbol", results: "[]uint32", doc: "hashesOf are the hashes of all names.", body: `
var hashes []uint32
for _, s := range symbols {
	hashes = append(hashes, fnv1a(s.Name))
}
return hashes`},
	{name: "TestSameHash", params: "tt *testing.T",
		doc: "TestSameHash: two names of one hash, and the duplicates of each stay neighbours.", body: `
if hashOf("liquid") != hashOf("costarring") {
	tt.Fatal("the names are chosen badly")
}
tryAll(tt, "same hash", named("liquid", "costarring", "a", "liquid", "costarring", "liquid"))`},
}
