// SPDX-License-Identifier: GPL-2.0-only

package model

// Located is the symbol that an address lies in.
type Located struct {
	Seq   int    // the first of the symbols at Start
	Start uint64 // the symbol's address; above the address asked for if that is below symbol 0
	// Next is the address of the next symbol with a greater one. HasNext is
	// false for the last symbol, whose end is that of its section.
	Next    uint64
	HasNext bool
	Name    string
}

// LookupAddr mirrors get_symbol_pos() and the expanding of the name that
// follows it. An address below symbol 0 is in symbol 0; ok is false only for
// an empty table, for which the kernel has no answer.
func (d *Design) LookupAddr(addr uint64) (at Located, ok bool, cost Cost) {
	if d.stream.count() == 0 {
		return Located{}, false, Cost{}
	}
	cost = d.counting(func(m *meter) {
		at = d.symbolPos(m, addr)
		at.Name = string(d.stream.expand(m, nil, d.locate.offset(m, at.Seq)))
	})
	return at, true, cost
}

func (d *Design) symbolPos(m *meter, addr uint64) Located {
	low, high := 0, d.stream.count()
	for high-low > 1 {
		mid := low + (high-low)/2
		m.cost.Probes++
		if d.address(m, mid) <= addr {
			low = mid
		} else {
			high = mid
		}
	}
	start := d.address(m, low)
	for low > 0 && d.address(m, low-1) == start {
		low--
	}
	at := Located{Seq: low, Start: start}
	for i := low + 1; i < d.stream.count() && !at.HasNext; i++ {
		at.Next = d.address(m, i)
		at.HasNext = at.Next > start
	}
	return at
}

// SymbolType is the type of symbol seq. It mirrors get_ksymbol_core(), which
// asks kallsyms_get_symbol_type().
func (d *Design) SymbolType(seq int) (symbolType byte, cost Cost) {
	cost = d.counting(func(m *meter) {
		symbolType = d.stream.symbolType(m, d.locate.offset(m, seq))
	})
	return symbolType, cost
}

// address mirrors kallsyms_sym_address(). The kernel stores four bytes for
// each address, in every dialect.
func (p *parts) address(m *meter, seq int) uint64 {
	m.read(AddressTable, 4*seq, 4)
	return p.stream.Addrs[seq]
}
