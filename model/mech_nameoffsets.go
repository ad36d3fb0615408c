// SPDX-License-Identifier: GPL-2.0-only

package model

import (
	"errors"
	"fmt"
)

// ErrStreamOffset: the stream is too long for stream offsets of three bytes.
var ErrStreamOffset = errors.New("stream offset does not fit 3 bytes")

// offsetsOfNames is the mechanism "name-offsets": stream offsets in the order
// of names, where the stock kernel has sequence numbers. No probe walks, and
// none is made where the search has been. Only the sequence numbers of the
// names found are recovered, each by a search of the markers, of the
// sub-markers where there are any, and one walk.
type offsetsOfNames struct {
	*parts
	entries packed
}

func newOffsetsOfNames(p *parts) (*offsetsOfNames, error) {
	if err := checkPackable(p.stream); err != nil {
		return nil, err
	}
	o := &offsetsOfNames{parts: p}
	for i := range p.stream.count() {
		seq := decodeUnrolled(p.stream.SeqsOfNames, i)
		o.entries = appendPacked(o.entries, int(p.stream.start[seq]))
	}
	return o, nil
}

func (o *offsetsOfNames) find(m *meter, name string, withEnd bool) (start, end int, ok bool) {
	compare := func(step Step, i int) int {
		p := m.probe(step, i)
		p.off = o.entry(m, o.entries, i)
		return o.compare(m, p, name)
	}
	if low, mid, high, found := halve(o.stream.count(), compare); found {
		start, end = spread(low, mid, high, withEnd, compare)
		return start, end, true
	}
	return 0, 0, false
}

func (o *offsetsOfNames) seq(m *meter, i int) int {
	return o.locate.seqOf(m, o.entry(m, o.entries, i))
}

func (o *offsetsOfNames) added() Space { return Space{} }

// checkPackable refuses a stream whose records start beyond what an entry of
// three bytes can say.
func checkPackable(s *stream) error {
	for seq, off := range s.start {
		if off >= maxPacked {
			return fmt.Errorf("%w: symbol %d starts at %d, expected less than %d; use density or sub-markers",
				ErrStreamOffset, seq, off, maxPacked)
		}
	}
	return nil
}
