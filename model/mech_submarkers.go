// SPDX-License-Identifier: GPL-2.0-only

package model

import (
	"errors"
	"fmt"
	"math"
)

// ErrSubMarker: a block of 256 records is too long for 16-bit sub-markers.
var ErrSubMarker = errors.New("sub-marker does not fit 16 bits")

// The range of the sub-marker shift. At 8 there would be none, and below 2
// they would cost more than the records they jump over.
const (
	MinSubMarkerShift = 2
	MaxSubMarkerShift = 7
)

// subMarkers is the mechanism "sub-markers": the stock markers, and between
// them, every 1<<shift symbols, how far the record is from the marker before
// it. Two bytes hold that, so they are half as dear as markers.
type subMarkers struct {
	markers
	shift  uint
	sub    []uint16
	perOne int // sub-markers between two markers
}

func newSubMarkers(s *stream, shift uint) (*subMarkers, error) {
	l := &subMarkers{
		markers: *newMarkers(s, StockMarkerShift),
		shift:   shift,
		perOne:  1<<(StockMarkerShift-shift) - 1,
	}
	for seq := 0; seq < s.count(); seq += 1 << shift {
		block := seq >> StockMarkerShift
		if seq&WorstHops(StockMarkerShift) == 0 {
			continue
		}
		away := s.start[seq] - l.marker[block]
		if away > math.MaxUint16 {
			return nil, fmt.Errorf("%w: symbol %d is %d bytes after marker %d, expected at most %d; use density",
				ErrSubMarker, seq, away, block, math.MaxUint16)
		}
		l.sub = append(l.sub, uint16(away))
	}
	return l, nil
}

// away is how far the step-th group of 1<<shift records of a block is from its
// marker.
func (l *subMarkers) away(m *meter, block, step int) int {
	if step == 0 {
		return 0
	}
	at := block*l.perOne + step - 1
	m.read(SubMarkerTable, subMarkerEntryBytes*at, subMarkerEntryBytes)
	return int(l.sub[at])
}

func (l *subMarkers) offset(m *meter, seq int) int {
	block := seq >> StockMarkerShift
	step := seq & WorstHops(StockMarkerShift) >> l.shift
	m.read(MarkerTable, markerEntryBytes*block, markerEntryBytes)
	off := int(l.marker[block]) + l.away(m, block, step)
	return l.stream.walk(m, off, seq&WorstHops(l.shift))
}

func (l *subMarkers) seqOf(m *meter, off int) int {
	block := l.before(m, off)
	marker := int(l.marker[block])
	steps := min(l.perOne, len(l.sub)-block*l.perOne) + 1
	step := lastNotAfter(m, steps, off-marker, func(i int) int { return l.away(m, block, i) })
	return block<<StockMarkerShift + step<<l.shift +
		l.stream.hopsTo(m, marker+l.away(m, block, step), off)
}

func (l *subMarkers) added() Space {
	return Space{TableBytes: subMarkerEntryBytes * len(l.sub)}
}
