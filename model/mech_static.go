// SPDX-License-Identifier: GPL-2.0-only

package model

// staticIndex is the mechanism "static-index": the stream offset of every
// symbol, in three bytes of read-only data, and no markers.
type staticIndex struct {
	stream  *stream
	decode  decoder
	entries packed
}

func newStaticIndex(s *stream, decode decoder) (*staticIndex, error) {
	if err := checkPackable(s); err != nil {
		return nil, err
	}
	l := &staticIndex{stream: s, decode: decode}
	for _, off := range s.start {
		l.entries = appendPacked(l.entries, int(off))
	}
	return l, nil
}

func (l *staticIndex) offset(m *meter, seq int) int {
	m.read(IndexTable, seqEntryBytes*seq, seqEntryBytes)
	return l.decode(l.entries, seq)
}

func (l *staticIndex) seqOf(m *meter, off int) int {
	return lastNotAfter(m, l.stream.count(), off, func(i int) int { return l.offset(m, i) })
}

func (l *staticIndex) added() Space {
	n := l.stream.count()
	return Space{TableBytes: StaticIndexBytes(n) - MarkerBytes(n, StockMarkerShift)}
}
