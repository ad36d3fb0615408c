// SPDX-License-Identifier: GPL-2.0-only

package model

import "math/bits"

// startBits has a bit for each byte of a module's text and, behind it, of its init
// text, set where a candidate of its table is.
type startBits []uint64

// newStartBits mirrors ftrace_mod_starts_alloc() of ftrace-bitmap.
func newStartBits(m *Module, rules ModuleRules, run *EnableRun) startBits {
	b := make(startBits, (m.Mem[ModText].Size+m.Mem[ModInitText].Size+63)/64)
	run.ArrayBytes = 8 * len(b)
	for i, s := range m.Kallsyms().Symbols {
		if bit, _, ok := textBit(m, rules.Value(s)); ok && i > 0 && s.Candidate() {
			b[bit/64] |= 1 << (bit % 64)
		}
	}
	return b
}

// textBit is the bit of an address, and the first one of the text that it is in. It
// mirrors ftrace_mod_bit() of ftrace-bitmap.
func textBit(m *Module, addr uint64) (bit, first uint64, ok bool) {
	text, init := m.Mem[ModText], m.Mem[ModInitText]
	switch {
	case text.Contains(addr):
		return addr - text.Base, 0, true
	case init.Contains(addr):
		return text.Size + addr - init.Base, text.Size, true
	}
	return 0, 0, false
}

// next is the first set bit from one on, or size. It mirrors find_next_bit().
func (b startBits) next(size, from uint64, run *EnableRun) uint64 {
	for from < size {
		run.Probes++
		if word := b[from/64] >> (from % 64); word != 0 {
			return min(from+uint64(bits.TrailingZeros64(word)), size)
		}
		from += 64 - from%64
	}
	return size
}

// valid gives the verdict on a record in text with a symbol at or below it in its
// region. Anything else is left to kallsyms_lookup(), which asks more than the
// module. It mirrors ftrace_mod_rec_starts() of ftrace-bitmap.
func (b startBits) valid(m *Module, ip, most uint64, run *EnableRun) (valid, known bool) {
	bit, first, ok := textBit(m, ip)
	if !ok {
		return false, false
	}
	closest := first
	if bit-first > most {
		closest = bit - most
	}
	if b.next(bit+1, closest, run) <= bit {
		return true, true
	}
	return false, b.next(bit+1, first, run) <= bit
}
