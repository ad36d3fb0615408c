// SPDX-License-Identifier: GPL-2.0-only

package model

import (
	"errors"
	"fmt"
	"math"
	"slices"
)

// ErrBucketStart: a bucket starts too far from where it is expected.
var ErrBucketStart = errors.New("start of a hash bucket does not fit 16 bits")

// The range of the bucket shift, log2 of the symbols a bucket is made for, and
// the sizes of an entry of the table of bucket starts.
const (
	MinBucketShift = 2
	MaxBucketShift = 6
	WideStarts     = 16 // bits: a delta from the expected start
	NarrowStarts   = 8  // bits: a delta from the expected start within a group
)

// buckets divides the range of hashes evenly.
type buckets struct {
	count int
	shift uint
}

func (b buckets) of(hash uint32) int { return int(uint64(hash) * uint64(b.count) >> 32) }

// expected is where a bucket starts if all before it are exactly full.
func (b buckets) expected(bucket int) int { return bucket << b.shift }

// bucketStarts says which entries of the hash order are a bucket's. It holds
// one start more than there are buckets.
type bucketStarts interface {
	of(m *meter, bucket int) (low, high int)
	bytes() int
}

func newBucketStarts(b buckets, start []int, bits uint) (bucketStarts, error) {
	if bits == NarrowStarts {
		return newNarrowStarts(b, start), nil
	}
	return newWideStarts(b, start)
}

// wideStarts holds the signed distance of each start from the expected one.
type wideStarts struct {
	buckets
	delta []int16
}

func newWideStarts(b buckets, start []int) (*wideStarts, error) {
	w := &wideStarts{buckets: b}
	for bucket, at := range start {
		delta := at - b.expected(bucket)
		if delta < math.MinInt16 || delta > math.MaxInt16 {
			return nil, fmt.Errorf("%w: bucket %d starts at %d, %d from %d; use 8-bit starts, which know crowded groups",
				ErrBucketStart, bucket, at, delta, b.expected(bucket))
		}
		w.delta = append(w.delta, int16(delta))
	}
	return w, nil
}

func (w *wideStarts) of(m *meter, bucket int) (low, high int) {
	m.read(BucketTable, 2*bucket, 4)
	return w.expected(bucket) + int(w.delta[bucket]), w.expected(bucket+1) + int(w.delta[bucket+1])
}

func (w *wideStarts) bytes() int { return 2 * len(w.delta) }

// narrowStarts holds starts in one byte each. A group of 64 buckets has a base
// of 32 bits, from which its expected starts count; the bytes hold how much
// later each of them really is. A crowded group, whose starts do not fit, has
// all of them in a table of explicit starts, and its base says where there.
type narrowStarts struct {
	buckets
	late     []uint8
	base     []uint32
	explicit []uint32
}

const (
	startGroupShift = 6
	startGroup      = 1 << startGroupShift
	crowded         = 1 << 31 // flag of a base
)

func newNarrowStarts(b buckets, start []int) *narrowStarts {
	w := &narrowStarts{buckets: b}
	late := make([]int, 0, startGroup)
	for group := range slices.Chunk(start, startGroup) {
		late = late[:0]
		for i, at := range group {
			late = append(late, at+w.bias()-b.expected(i))
		}
		least := slices.Min(late)
		if slices.Max(late)-least > math.MaxUint8 {
			w.base = append(w.base, crowded|uint32(len(w.explicit)))
			w.late = append(w.late, make([]uint8, len(group))...)
			for _, at := range group {
				w.explicit = append(w.explicit, uint32(at))
			}
			continue
		}
		w.base = append(w.base, uint32(least))
		for _, l := range late {
			w.late = append(w.late, uint8(l-least))
		}
	}
	return w
}

// bias keeps the bases positive: a start may be earlier than expected by what
// a group is made for.
func (w *narrowStarts) bias() int { return w.expected(startGroup) }

func (w *narrowStarts) of(m *meter, bucket int) (low, high int) {
	return w.start(m, bucket), w.start(m, bucket+1)
}

func (w *narrowStarts) start(m *meter, bucket int) int {
	group, i := bucket>>startGroupShift, bucket&(startGroup-1)
	m.read(BucketBaseTable, 4*group, 4)
	base := w.base[group]
	if base&crowded != 0 {
		at := int(base&^crowded) + i
		m.read(BucketExplicitTable, 4*at, 4)
		return int(w.explicit[at])
	}
	m.read(BucketTable, bucket, 1)
	return int(base) - w.bias() + w.expected(i) + int(w.late[bucket])
}

func (w *narrowStarts) bytes() int {
	return len(w.late) + 4*len(w.base) + 4*len(w.explicit)
}
