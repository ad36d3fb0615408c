// SPDX-License-Identifier: GPL-2.0-only

package harness

import (
	"encoding/binary"
	"fmt"
	"sort"

	"kgen/model"
)

// stopped is what the visitors of glue.c return to end a walk.
const stopped = 0x5a

const (
	esrch  = 3
	erange = 34
)

// Expect answers queries as the specification does, from one sorted pass over
// the symbols instead of a scan for each query, so that a whole kernel can be
// compared. A test holds it against model.Spec.
type Expect struct {
	spec   model.Spec
	byName map[string][]int32 // positions, ascending
	first  []int32            // first position of the same address
	next   []int32            // first position of a greater address
	delta  uint64
	mask   uint64
}

// NewExpect indexes the symbols of a table, in table order. The answers are
// those of a child whose addresses are the map's plus delta.
func NewExpect(symbols []model.Symbol, b model.Bounds, v Variant, delta uint64) *Expect {
	e := &Expect{delta: delta, mask: v.mask(), byName: make(map[string][]int32, len(symbols))}
	e.spec = model.Spec{
		Symbols: make([]model.Symbol, len(symbols)),
		Bounds:  shiftBounds(b, delta, e.mask),
		Rules:   model.Rules{AllSymbols: v.AllSymbols, Bits32: v.Bits == 32},
	}
	n := int32(len(symbols))
	e.first, e.next = make([]int32, n), make([]int32, n)
	for i, s := range symbols {
		s.Addr = (s.Addr + delta) & e.mask
		e.spec.Symbols[i] = s
		e.byName[s.Name] = append(e.byName[s.Name], int32(i))
		e.first[i] = int32(i)
		if i > 0 && e.spec.Symbols[i-1].Addr == s.Addr {
			e.first[i] = e.first[i-1]
		}
	}
	for i := n - 1; i >= 0; i-- {
		e.next[i] = i + 1
		if i+1 < n && e.first[i+1] == e.first[i] {
			e.next[i] = e.next[i+1]
		}
	}
	return e
}

func shiftBounds(b model.Bounds, delta, mask uint64) model.Bounds {
	for _, at := range []*uint64{&b.Text, &b.Stext, &b.Etext, &b.Sinittext, &b.Einittext, &b.InitBegin, &b.InitEnd, &b.End} {
		*at = (*at + delta) & mask
	}
	return b
}

// place mirrors get_symbol_pos().
func (e *Expect) place(addr uint64) (pos int32, size, offset uint64) {
	syms := e.spec.Symbols
	i := sort.Search(len(syms), func(i int) bool { return syms[i].Addr > addr }) - 1
	pos = e.first[max(i, 0)]
	start := syms[pos].Addr
	var end uint64
	b := &e.spec.Bounds
	switch next := e.next[pos]; {
	case int(next) < len(syms):
		end = syms[next].Addr
	case addr >= b.Sinittext && addr < b.Einittext:
		end = b.Einittext
	case e.spec.Rules.AllSymbols:
		end = b.End
	default:
		end = b.Etext
	}
	return pos, (end - start) & e.mask, (addr - start) & e.mask
}

// Append appends the answer to q, laid out as the child does.
func (e *Expect) Append(buf []byte, q Query) []byte {
	le := binary.LittleEndian
	syms := e.spec.Symbols
	switch q.Op {
	case LookupName:
		var addr uint64
		if at := e.byName[q.Name]; len(at) > 0 && q.Name != "" {
			addr = syms[at[0]].Addr
		}
		return le.AppendUint64(buf, addr)
	case OnEachMatch:
		at, ret := visited(e.byName[q.Name], q.B)
		buf = le.AppendUint32(buf, uint32(len(at)))
		for _, i := range at {
			buf = le.AppendUint64(buf, syms[i].Addr)
		}
		return le.AppendUint32(buf, ret)
	case OnEachSymbol:
		shown, ret := visited(syms, q.B)
		buf = le.AppendUint32(buf, uint32(len(shown)))
		for i := range shown {
			buf = appendString(buf, shown[i].Name)
			buf = le.AppendUint64(buf, shown[i].Addr)
		}
		return le.AppendUint32(buf, ret)
	case ReadProc:
		return appendString(buf, e.procText(q.A, q.B))
	case KdbWalk:
		at, count := len(buf), uint32(0)
		buf = le.AppendUint32(buf, 0)
		for i := range syms {
			if syms[i].Name != "" {
				buf = appendString(buf, syms[i].Name)
				count++
			}
		}
		le.PutUint32(buf[at:], count)
		return buf
	case SymAddress:
		return le.AppendUint64(buf, syms[q.A].Addr)
	case FtraceLookup:
		for _, i := range e.byName[q.Name] {
			if b := &e.spec.Bounds; b.Stext <= syms[i].Addr && syms[i].Addr < b.Etext {
				return le.AppendUint64(le.AppendUint32(buf, 0), syms[i].Addr)
			}
		}
		return le.AppendUint64(le.AppendUint32(buf, -esrch&0xffffffff), 0)
	case BatchStart, BatchEnd, Storm:
		return le.AppendUint32(buf, 0) // anything else ends the child
	}
	return e.appendAddress(buf, q)
}

// visited is what a walk that stops at call stop sees, and returns.
func visited[T any](all []T, stop uint64) ([]T, uint32) {
	if stop != 0 && stop <= uint64(len(all)) {
		return all[:stop], stopped
	}
	return all, 0
}

// appendAddress answers the queries about addresses.
func (e *Expect) appendAddress(buf []byte, q Query) []byte {
	le := binary.LittleEndian
	addr := (q.A + e.delta) & e.mask
	around := addr
	if q.Op == SprintBacktrace {
		around = (addr - 1) & e.mask
	}
	var name string
	var size, offset uint64
	known := e.spec.IsKsymAddr(around)
	if known {
		var pos int32
		pos, size, offset = e.place(around)
		name = e.spec.Symbols[pos].Name
	}
	switch q.Op {
	case LookupSizeOffset:
		buf = le.AppendUint32(buf, flag(known))
		return le.AppendUint64(le.AppendUint64(buf, size), offset)
	case LookupSymbolName:
		ret := uint32(0)
		if !known {
			ret = -erange & 0xffffffff
		}
		return appendString(le.AppendUint32(buf, ret), name)
	case Lookup:
		if name == "" {
			size, offset = 0, 0
		}
		buf = le.AppendUint32(buf, flag(name != ""))
		buf = le.AppendUint64(le.AppendUint64(buf, size), offset)
		return appendString(buf, name)
	}
	text := name
	switch {
	case name == "":
		text = fmt.Sprintf("0x%x", addr)
	case q.Op == SprintBacktrace:
		text = fmt.Sprintf("%s+0x%x/0x%x", name, (offset+1)&e.mask, size)
	case q.Op == SprintSymbol:
		text = fmt.Sprintf("%s+0x%x/0x%x", name, offset, size)
	}
	return appendString(le.AppendUint32(buf, uint32(len(text))), text)
}

// procText is /proc/kallsyms from line first on. A symbol without a name takes
// a line that is not shown.
func (e *Expect) procText(first, lines uint64) string {
	var buf []byte
	for i := first; i < uint64(len(e.spec.Symbols)) && i-first < lines; i++ {
		if line, shown := e.spec.ProcLine(int(i)); shown {
			buf = append(buf, line...)
		}
	}
	return string(buf)
}

func flag(set bool) uint32 {
	if set {
		return 1
	}
	return 0
}

func appendString(buf []byte, s string) []byte {
	return append(binary.LittleEndian.AppendUint32(buf, uint32(len(s))), s...)
}
