// SPDX-License-Identifier: GPL-2.0-only

package model

// Bounds are the addresses of the boundary symbols that the host tool filters
// by and the kernel's address lookup is limited by. A boundary without a
// symbol is 0, as the host tool's static variables are.
type Bounds struct {
	Text                   uint64 // _text, what 7.3's offsets are written relative to
	Stext, Etext           uint64 // _stext, _etext
	Sinittext, Einittext   uint64 // _sinittext, _einittext
	InitBegin, InitEnd     uint64 // __init_begin, __init_end
	End                    uint64 // _end
	PercpuStart, PercpuEnd uint64 // __per_cpu_start, __per_cpu_end
}

// BoundsOf collects the boundaries from every symbol of a map, before it is
// filtered. The last symbol of a name counts. It mirrors read_symbol() and
// check_symbol_range() of the host tool: _text counts whatever its type, the
// others only if their type is not ignored.
func BoundsOf(symbols []Symbol) Bounds {
	b := Bounds{PercpuStart: ^uint64(0)} // an empty range until it is seen
	for i := range symbols {
		s := &symbols[i]
		if at := b.boundary(s.Name); at != nil && (at == &b.Text || !ignored(s)) {
			*at = s.Addr
		}
	}
	return b
}

// boundary returns the field that a symbol of this name sets, or nil.
func (b *Bounds) boundary(name string) *uint64 {
	if len(name) == 0 || name[0] != '_' {
		return nil
	}
	switch name {
	case "_text":
		return &b.Text
	case "_stext":
		return &b.Stext
	case "_etext":
		return &b.Etext
	case "_sinittext":
		return &b.Sinittext
	case "_einittext":
		return &b.Einittext
	case "_end":
		return &b.End
	case "__init_begin":
		return &b.InitBegin
	case "__init_end":
		return &b.InitEnd
	case "__per_cpu_start":
		return &b.PercpuStart
	case "__per_cpu_end":
		return &b.PercpuEnd
	}
	return nil
}

// percpu says whether the host tool stores addr as an absolute per-CPU value
// under --absolute-percpu. Both ends of the range belong to it.
func (b *Bounds) percpu(addr uint64) bool {
	return addr >= b.PercpuStart && addr <= b.PercpuEnd
}
