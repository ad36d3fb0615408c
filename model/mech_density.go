// SPDX-License-Identifier: GPL-2.0-only

package model

// locator finds records in the stream.
type locator interface {
	// offset is get_symbol_offset(): where the record of symbol seq starts.
	offset(m *meter, seq int) int
	// seqOf is the way back, for a table that holds stream offsets: which
	// symbol's record starts at off.
	seqOf(m *meter, off int) int
	// added is what the locator's tables take over the stock markers.
	added() Space
}

// markers is the mechanism "density", and with shift 8 the stock kernel: a
// marker every 1<<shift symbols, and a walk over the records from there.
type markers struct {
	stream *stream
	shift  uint
	marker []uint32 // kallsyms_markers
}

func newMarkers(s *stream, shift uint) *markers {
	l := &markers{stream: s, shift: shift}
	for seq := 0; seq < s.count(); seq += 1 << shift {
		l.marker = append(l.marker, s.start[seq])
	}
	return l
}

func (l *markers) offset(m *meter, seq int) int {
	at := seq >> l.shift
	m.read(MarkerTable, markerEntryBytes*at, markerEntryBytes)
	return l.stream.walk(m, int(l.marker[at]), seq&WorstHops(l.shift))
}

func (l *markers) seqOf(m *meter, off int) int {
	at := l.before(m, off)
	return at<<l.shift + l.stream.hopsTo(m, int(l.marker[at]), off)
}

// before is the last marker not after off.
func (l *markers) before(m *meter, off int) int {
	return lastNotAfter(m, len(l.marker), off, func(i int) int {
		m.read(MarkerTable, markerEntryBytes*i, markerEntryBytes)
		return int(l.marker[i])
	})
}

func (l *markers) added() Space {
	return Space{TableBytes: AddedMarkerBytes(l.stream.count(), l.shift)}
}

// lastNotAfter finds by halving the last of n ascending values that is at most
// off. The first one always is.
func lastNotAfter(m *meter, n, off int, value func(i int) int) int {
	low, high := 0, n
	for high-low > 1 {
		mid := low + (high-low)/2
		m.cost.Recovery++
		if value(mid) <= off {
			low = mid
		} else {
			high = mid
		}
	}
	return low
}
