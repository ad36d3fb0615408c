// SPDX-License-Identifier: GPL-2.0-only

package model

// Starts has a bit for each byte of the texts of a module, one text behind the
// other, set where a candidate is.
type Starts struct {
	Texts []Region
	Bits  []bool
}

// NewStarts is ftrace_mod_starts_alloc() of the patch, for a module with
// records.
func NewStarts(t Table, texts ...Region) *Starts {
	s := &Starts{Texts: texts}
	for _, r := range texts {
		s.Bits = append(s.Bits, make([]bool, r.Size)...)
	}
	for i, sym := range t {
		if bit, _, ok := s.bit(sym.Value); ok && i > 0 && sym.Candidate() {
			s.Bits[bit] = true
		}
	}
	return s
}

// bit is ftrace_mod_bit() of the patch: the bit of an address, and the first
// one of its text.
func (s *Starts) bit(addr uint64) (bit, first uint64, ok bool) {
	for _, r := range s.Texts {
		if r.Contains(addr) {
			return first + addr - r.Base, first, true
		}
		first += r.Size
	}
	return 0, 0, false
}

// any says whether a bit is set from one on and up to another.
func (s *Starts) any(from, to uint64) bool {
	for ; from <= to; from++ {
		if s.Bits[from] {
			return true
		}
	}
	return false
}

// Valid is ftrace_mod_rec_starts() of the patch. Scanned says that the bits had
// no answer and the table was asked, as it is without them.
func (s *Starts) Valid(t Table, r Region, record, maxOffset uint64) (valid, scanned bool) {
	if s == nil {
		return t.Valid(r, record, maxOffset), true
	}
	bit, first, ok := s.bit(record)
	if !ok {
		return t.Valid(r, record, maxOffset), true
	}
	closest := first
	if bit-first > maxOffset {
		closest = bit - maxOffset
	}
	if s.any(closest, bit) {
		return true, false
	}
	if !s.any(first, bit) {
		return t.Valid(r, record, maxOffset), true
	}
	return false, false
}
