// SPDX-License-Identifier: GPL-2.0-only

package model

import (
	"errors"
	"fmt"
	"slices"
)

// ErrTables: the arrays do not belong together.
var ErrTables = errors.New("tables do not fit together")

// stream reads kallsyms_names. The mechanisms see the bytes alone; start, where
// each record starts, is what the host tool knows while it writes tables.
type stream struct {
	*Tables
	start []uint32
}

// newStream finds the records of t, whatever its markers.
func newStream(t *Tables) (*stream, error) {
	n := t.NumSyms()
	if len(t.SeqsOfNames) != seqEntryBytes*n {
		return nil, fmt.Errorf("%w: %d bytes of name order, expected %d for %d symbols; encode them again",
			ErrTables, len(t.SeqsOfNames), seqEntryBytes*n, n)
	}
	s := &stream{Tables: t, start: make([]uint32, n)}
	off := 0
	for i := range s.start {
		size, header := 0, 2 // too much, unless the header is there
		if off+1 < len(t.Names) || off < len(t.Names) && t.Names[off]&0x80 == 0 {
			size, header = s.header(off)
		}
		s.start[i] = uint32(off)
		if off += header + size; off > len(t.Names) {
			return nil, fmt.Errorf("%w: record %d ends at %d, past the %d bytes of the stream; encode the symbols again",
				ErrTables, i, off, len(t.Names))
		}
	}
	if off != len(t.Names) {
		return nil, fmt.Errorf("%w: %d records end at %d, expected %d; encode the symbols again",
			ErrTables, n, off, len(t.Names))
	}
	return s, nil
}

func (s *stream) count() int { return len(s.start) }

// header decodes the length of the record at off: how many tokens it has, and
// how many bytes say so. "Big" records have a second length byte.
func (s *stream) header(off int) (tokens, header int) {
	size := int(s.Names[off])
	if size&0x80 == 0 {
		return size, 1
	}
	return size&0x7F | int(s.Names[off+1])<<7, 2
}

// open reads the header of the record at off and returns its tokens, and the
// offset at which they stand.
func (s *stream) open(m *meter, off int) (tokens []byte, at int) {
	size, header := s.header(off)
	m.cost.HeaderBytes += header
	m.read(NamesTable, off, header)
	at = off + header
	return s.Names[at : at+size], at
}

// walk passes hops records from off on. It mirrors the loop of
// get_symbol_offset().
func (s *stream) walk(m *meter, off, hops int) int {
	for range hops {
		off = s.hop(m, off)
	}
	return off
}

// hopsTo walks from one record to another that is known to follow it, and
// counts.
func (s *stream) hopsTo(m *meter, off, to int) (hops int) {
	for ; off < to; hops++ {
		off = s.hop(m, off)
	}
	return hops
}

func (s *stream) hop(m *meter, off int) int {
	size, header := s.header(off)
	m.cost.Hops++
	m.cost.HeaderBytes += header
	m.readLine(NamesTable, off>>lineShift)
	if header == 2 {
		m.readLine(NamesTable, (off+1)>>lineShift)
	}
	return off + header + size
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
