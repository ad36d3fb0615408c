// SPDX-License-Identifier: GPL-2.0-only

package gomodel

import "kgen/model"

// wideStarts is the table of bucket starts with 16 bits a bucket.
func wideStarts(bucketShift int) part {
	return part{
		sizes: []size{{"2*len(t.StartDeltas)", "2*((n+1<<BucketShift-1)>>BucketShift+1)",
			func(n int) int { return 2 * (model.MarkerCount(n, uint(bucketShift)) + 1) }}},
		fields: []field{{"StartDeltas", "[]int16", "how far each bucket starts from where it would if all were full"}},
		lookups: []function{method("bucketStart", "bucket int", "int", "bucketStart is the first entry of a bucket.",
			"return bucket<<BucketShift + int(t.StartDeltas[bucket])")},
		encoders: []function{method("packStarts", "starts []int", "error",
			"packStarts writes the distances, and refuses those that do not fit 16 bits.", `
for bucket, at := range starts {
	delta := at - bucket<<BucketShift
	if delta != int(int16(delta)) {
		return fmt.Errorf("bucket %d starts %d entries from its place, which does not fit 16 bits", bucket, delta)
	}
	t.StartDeltas = append(t.StartDeltas, int16(delta))
}
return nil`)},
		tests: []function{{name: "TestCrowded", params: "tt *testing.T",
			doc: "TestCrowded: one name many times makes buckets start late; too late is refused.", body: `
tryAll(tt, "crowded", named(slices.Concat(slices.Repeat([]string{"dup"}, 300), strings.Fields("a b c d e f g h i"))...))
if _, err := Encode(named(slices.Repeat([]string{"dup"}, 40000)...)); err == nil {
	tt.Error("a bucket of 40000 entries is encoded, expected an error")
}`}},
	}
}

// narrowStarts is the table of bucket starts with 8 bits a bucket.
var narrowStarts = part{
	constants: []constant{
		{"GroupShift", "6", "GroupShift is log2 of the buckets that share a base."},
		{"GroupMask", "1<<GroupShift - 1", "GroupMask takes from a bucket its place in the group."},
		{"GroupSpan", "1 << (GroupShift + BucketShift)", "GroupSpan is what a group is made for. A base counts from so much below 0, for a\ngroup may start early."},
		{"Crowded", "1 << 31", "Crowded marks the base of a group whose starts do not fit 8 bits: the rest of it\nsays where its explicit starts are."},
	},
	fields: []field{
		{"Starts", "[]uint8", "how much later than the base says each bucket starts"},
		{"Bases", "[]uint32", "of each group of buckets, the earliest of its starts, or Crowded"},
		{"Explicit", "[]uint32", "the starts of crowded groups"},
	},
	sizes: []size{{is: "len(t.Starts)"}, {is: "4*len(t.Bases)"}, {is: "4*len(t.Explicit)"}},
	lookups: []function{method("bucketStart", "bucket int", "int", "bucketStart is the first entry of a bucket.", `
base, i := t.Bases[bucket>>GroupShift], bucket&GroupMask
if base&Crowded != 0 {
	return int(t.Explicit[int(base&^Crowded)+i])
}
return int(base) - GroupSpan + i<<BucketShift + int(t.Starts[bucket])`)},
	encoders: []function{method("packStarts", "starts []int", "error",
		"packStarts writes how late the buckets of each group start. There is a way out\nfor every group, so it refuses none.", `
for first := 0; first < len(starts); first += 1 << GroupShift {
	group := starts[first:min(first+1<<GroupShift, len(starts))]
	var late []int
	for i, at := range group {
		late = append(late, at+GroupSpan-i<<BucketShift)
	}
	base := slices.Min(late)
	if slices.Max(late)-base > 0xff {
		t.Bases = append(t.Bases, Crowded|uint32(len(t.Explicit)))
		for _, at := range group {
			t.Starts = append(t.Starts, 0) // not looked at
			t.Explicit = append(t.Explicit, uint32(at))
		}
		continue
	}
	t.Bases = append(t.Bases, uint32(base))
	for _, l := range late {
		t.Starts = append(t.Starts, uint8(l-base))
	}
}
return nil`)},
	tests: []function{{name: "TestCrowded", params: "tt *testing.T",
		doc: `TestCrowded: a name 700 times crowds its group; other groups keep their bytes.`, body: `
var names []string
for i := range 3000 {
	names = append(names, fmt.Sprintf("f%x", i))
}
symbols := named(slices.Concat(slices.Repeat([]string{"dup"}, 700), names)...)
t, err := Encode(symbols)
if err != nil {
	tt.Fatal(err)
}
if groups := len(t.Bases); len(t.Explicit) == 0 || len(t.Explicit) > groups<<GroupShift {
	tt.Errorf("%d groups have %d explicit starts", groups, len(t.Explicit))
}
if problem := checkBuckets(symbols, t); problem != "" {
	tt.Error(problem)
}
if got, want := t.OnEachMatch("dup", new(Cost)), specMatches(symbols, "dup"); !slices.Equal(got, want) {
	tt.Errorf("OnEachMatch visits %d symbols, expected %d", len(got), len(want))
}
for _, s := range symbols {
	if got, want := t.LookupName(s.Name, new(Cost)), specLookupName(symbols, s.Name); got != want {
		tt.Errorf("LookupName(%q) is %#x, expected %#x", s.Name, got, want)
	}
}`}},
}
