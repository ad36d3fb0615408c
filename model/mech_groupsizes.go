// SPDX-License-Identifier: GPL-2.0-only

package model

import "math"

// The range of the group shift. Groups of more than 16 records differ in size
// by more than a byte can say, too often to be of use.
const (
	MinGroupShift = 2
	MaxGroupShift = 4
)

// groupSizes is the mechanism "group-sizes": the stock markers, and for each of
// their blocks a row of 256>>shift bytes. The first byte is the block's base,
// the others tell, of each group of 1<<shift records but the last, how many
// bytes more than the base it takes. The sizes before a symbol's group are added
// up. A row never crosses a cache line, so that is one line read, for half the
// price of sub-markers.
//
// A group whose size does not fit all the same is walked.
type groupSizes struct {
	markers
	shift uint
	rows  []uint8
}

const (
	baseUnit  = 4             // bytes that a base counts in
	walkGroup = math.MaxUint8 // stands for a size that does not fit
)

func newGroupSizes(s *stream, shift uint) *groupSizes {
	l := &groupSizes{markers: *newMarkers(s, StockMarkerShift), shift: shift}
	for block := range l.marker {
		row := make([]uint8, 1, l.rowLen())
		var sizes []int
		for step := range l.rowLen() - 1 {
			if next := block<<StockMarkerShift + (step+1)<<shift; next < s.count() {
				sizes = append(sizes, int(s.start[next]-s.start[next-1<<shift]))
			}
		}
		row[0] = bestBase(sizes)
		for _, size := range sizes {
			size -= baseUnit * int(row[0])
			if size < 0 || size >= walkGroup {
				size = walkGroup
			}
			row = append(row, uint8(size))
		}
		l.rows = append(l.rows, row[:l.rowLen()]...)
	}
	return l
}

// bestBase is the base with which the most sizes fit.
func bestBase(sizes []int) (best uint8) {
	most := 0
	for _, size := range sizes {
		base, fit := min(size/baseUnit, math.MaxUint8), 0
		for _, other := range sizes {
			if away := other - baseUnit*base; away >= 0 && away < walkGroup {
				fit++
			}
		}
		if fit > most {
			best, most = uint8(base), fit
		}
	}
	return best
}

func (l *groupSizes) rowLen() int { return 1 << (StockMarkerShift - l.shift) }

// skip goes from the start of a group, the step-th of its block, to the next.
func (l *groupSizes) skip(m *meter, block, step, off int) int {
	row := l.rows[block*l.rowLen():][:l.rowLen()]
	m.cost.Sums++
	m.read(GroupSizeTable, block*l.rowLen(), l.rowLen())
	size := row[1+step]
	if size == walkGroup {
		return l.stream.walk(m, off, 1<<l.shift)
	}
	return off + baseUnit*int(row[0]) + int(size)
}

func (l *groupSizes) offset(m *meter, seq int) int {
	block := seq >> StockMarkerShift
	m.read(MarkerTable, markerEntryBytes*block, markerEntryBytes)
	off := int(l.marker[block])
	for step := range seq & WorstHops(StockMarkerShift) >> l.shift {
		off = l.skip(m, block, step, off)
	}
	return l.stream.walk(m, off, seq&WorstHops(l.shift))
}

func (l *groupSizes) seqOf(m *meter, off int) int {
	block := l.before(m, off)
	at, seq := int(l.marker[block]), block<<StockMarkerShift
	for step := 0; step < l.rowLen()-1 && seq+1<<l.shift < l.stream.count(); step++ {
		next := l.skip(m, block, step, at)
		if next > off {
			break
		}
		at, seq = next, seq+1<<l.shift
	}
	return seq + l.stream.hopsTo(m, at, off)
}

func (l *groupSizes) added() Space { return Space{TableBytes: len(l.rows)} }
