// SPDX-License-Identifier: GPL-2.0-only

package model

import "slices"

// stream reads kallsyms_names. The mechanisms see the bytes alone; symbols, and
// start, where each record starts, are what the host tool knows while it writes
// tables.
type stream struct {
	*Tables
	symbols []Symbol
	start   []uint32
}

func newStream(t *Tables) (*stream, error) {
	symbols, err := Decode(t)
	if err != nil {
		return nil, err
	}
	s := &stream{Tables: t, symbols: symbols, start: make([]uint32, len(symbols))}
	off := 0
	for i := range s.start {
		s.start[i] = uint32(off)
		header, size := recordHeader(t.Names, off)
		off += header + size
	}
	return s, nil
}

func (s *stream) count() int { return len(s.symbols) }

// open reads the header of the record at off and returns its tokens, and the
// offset at which they stand.
func (s *stream) open(m *meter, off int) (tokens []byte, at int) {
	header, size := recordHeader(s.Names, off)
	m.cost.HeaderBytes += header
	m.read(NamesTable, off, header)
	at = off + header
	return s.Names[at : at+size], at
}

// walk passes hops records from off on. It mirrors the loop of
// get_symbol_offset(). The stock design spends most of its time here, so lines
// are noted only as they change.
func (s *stream) walk(m *meter, off, hops int) int {
	line := -1
	for range hops {
		if at := off >> lineShift; at != line {
			line = at
			m.readLine(NamesTable, line)
		}
		if size := s.Names[off]; size&0x80 == 0 {
			off += 1 + int(size)
			continue
		}
		m.readLine(NamesTable, (off+1)>>lineShift)
		m.cost.HeaderBytes++
		header, size := recordHeader(s.Names, off)
		off += header + size
	}
	m.cost.Hops += hops
	m.cost.HeaderBytes += hops
	return off
}

// hopsTo walks from one record to another that is known to follow it, and
// counts.
func (s *stream) hopsTo(m *meter, off, to int) (hops int) {
	for ; off < to; hops++ {
		off = s.walk(m, off, 1)
	}
	return hops
}

// token finds what a token stands for, in kallsyms_token_table from the place
// that is returned on, up to a NUL.
func (s *stream) token(m *meter, token byte) int {
	m.cost.Tokens++
	m.read(TokenIndexTable, 2*int(token), 2)
	return int(s.TokenIndex[token])
}

// symbolType mirrors kallsyms_get_symbol_type(): the first character of the
// first token, which follows one or two length bytes. A record without a token
// has no type.
func (s *stream) symbolType(m *meter, off int) byte {
	tokens, at := s.open(m, off)
	if len(tokens) == 0 {
		return 0
	}
	m.read(NamesTable, at, 1)
	at = s.token(m, tokens[0])
	m.read(TokenTable, at, 1)
	return s.TokenTable[at]
}

// seqAt is which record starts at off, for what is shown and not counted.
func (s *stream) seqAt(off int) int {
	seq, _ := slices.BinarySearch(s.start, uint32(off))
	return seq
}
