// SPDX-License-Identifier: GPL-2.0-only

package model

import (
	"fmt"
	"math"
)

// Addressing is how kallsyms_offsets holds addresses in 32 bits. The zero value
// is 7.3 on a non-relocatable 32-bit kernel.
type Addressing struct {
	Dialect        Dialect
	PCRelative     bool   // 7.3's --pc-relative: all 64-bit and all relocatable kernels
	AbsolutePercpu bool   // 6.12's --absolute-percpu: 64-bit kernels with SMP
	Text           uint64 // _text, which the entries of --pc-relative are written against
	Base           uint64 // 6.12's kallsyms_relative_base
}

// Entry returns the number that the host tool writes for a symbol; absolute
// says that --absolute-percpu covers it. It mirrors the offsets loop of
// write_src(), and refuses with ErrAddressRange also the case that the tool
// truncates: an address above 32 bits in a table of plain u32.
//
// Under --pc-relative the number is the distance from _text; the linker turns
// it into the distance from the entry itself.
func (a Addressing) Entry(addr uint64, absolute bool) (int64, error) {
	var v, low, high int64
	switch {
	case a.Dialect == BaseRelative && !a.AbsolutePercpu:
		v, low, high = int64(addr-a.Base), 0, math.MaxUint32
	case a.Dialect == BaseRelative && absolute:
		v, low, high = int64(addr), 0, math.MaxInt32
	case a.Dialect == BaseRelative:
		v, low, high = int64(a.Base-addr-1), math.MinInt32, -1
	case a.PCRelative:
		v, low, high = int64(addr-a.Text), math.MinInt32, math.MaxInt32
	default:
		v, low, high = int64(addr), 0, math.MaxUint32
	}
	if v < low || v > high {
		return 0, fmt.Errorf("%w: %#x would be stored as %#x, expected %d to %d",
			ErrAddressRange, addr, uint64(v), low, high)
	}
	return v, nil
}

// Address returns the address that kallsyms_sym_address() computes from the 32
// bits of an entry. Under --pc-relative the entry's own place cancels out, so
// the number written by the host tool decodes against _text.
func (a Addressing) Address(entry uint32) uint64 {
	switch {
	case a.Dialect == BaseRelative && !a.AbsolutePercpu:
		return a.Base + uint64(entry)
	case a.Dialect == BaseRelative && int32(entry) >= 0:
		return uint64(entry)
	case a.Dialect == BaseRelative:
		return a.Base - 1 - uint64(int64(int32(entry)))
	case a.PCRelative:
		return a.Text + uint64(int64(int32(entry)))
	default:
		return uint64(entry)
	}
}
