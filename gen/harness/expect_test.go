// SPDX-License-Identifier: GPL-2.0-only

package harness

import (
	"bytes"
	"encoding/binary"
	"math/rand/v2"
	"slices"
	"testing"

	"kgen/model"
)

// specAnswer lays out what the specification's linear scans answer.
func specAnswer(s *model.Spec, q Query) []byte {
	le := binary.LittleEndian
	var list []byte
	var calls uint32
	visit := func(addr uint64) int {
		list = le.AppendUint64(list, addr)
		if calls++; uint64(calls) == q.B {
			return stopped
		}
		return 0
	}
	counted := func(tail ...byte) []byte {
		return append(append(le.AppendUint32(nil, calls), list...), tail...)
	}
	text := func(s string) []byte { return appendString(le.AppendUint32(nil, uint32(len(s))), s) }
	switch q.Op {
	case LookupName:
		return le.AppendUint64(nil, s.LookupName(q.Name))
	case OnEachMatch:
		ret := s.OnEachMatch(q.Name, visit)
		return counted(le.AppendUint32(nil, uint32(ret))...)
	case OnEachSymbol:
		ret := s.OnEachSymbol(func(name string, addr uint64) int {
			list = appendString(list, name)
			return visit(addr)
		})
		return counted(le.AppendUint32(nil, uint32(ret))...)
	case LookupSizeOffset:
		size, offset, ok := s.LookupSizeOffset(q.A)
		return le.AppendUint64(le.AppendUint64(le.AppendUint32(nil, flag(ok)), size), offset)
	case LookupSymbolName:
		name, ok := s.LookupSymbolName(q.A)
		ret := 0
		if !ok {
			ret = -erange
		}
		return appendString(le.AppendUint32(nil, uint32(ret)), name)
	case SprintSymbol:
		return text(s.SprintSymbol(q.A))
	case SprintSymbolNoOffset:
		return text(s.SprintSymbolNoOffset(q.A))
	case SprintBacktrace:
		return text(s.SprintBacktrace(q.A))
	case Lookup:
		name, place, ok := s.Lookup(q.A)
		if !ok {
			place = model.Place{}
		}
		return appendString(le.AppendUint64(le.AppendUint64(le.AppendUint32(nil, flag(ok)), place.Size), place.Offset), name)
	case ReadProc:
		for pos := q.A; pos < uint64(len(s.Symbols)) && pos-q.A < q.B; pos++ {
			if line, shown := s.ProcLine(int(pos)); shown {
				list = append(list, line...)
			}
		}
		return appendString(nil, string(list))
	case KdbWalk:
		for _, sym := range s.Symbols {
			if sym.Name != "" {
				calls++
				list = appendString(list, sym.Name)
			}
		}
		return counted()
	default:
		return le.AppendUint64(nil, s.Symbols[q.A].Addr)
	}
}

// What Expect precomputes must be what the specification says, query by query.
func TestExpectIsTheSpecification(t *testing.T) {
	variants := []Variant{
		{Bits: 64, AllSymbols: true}, {Bits: 64}, {Bits: 64, AllSymbols: true, AbsolutePercpu: true}, {Bits: 32, AllSymbols: true}, {Bits: 32},
	}
	compared := 0
	hold := func(v Variant, source []model.Symbol, ask func([]model.Symbol, model.Bounds) []Query) {
		symbols, b := model.Prepare(slices.Clone(source), v.prepareOptions())
		e := NewExpect(symbols, b, v, 0)
		spec := &model.Spec{Symbols: symbols, Bounds: b, Rules: model.Rules{AllSymbols: v.AllSymbols, Bits32: v.Bits == 32}}
		for _, q := range ask(symbols, b) {
			if q.ofAddress() {
				q.A &= v.mask()
			}
			compared++
			if got, want := e.Append(nil, q), specAnswer(spec, q); !bytes.Equal(got, want) {
				t.Fatalf("%s in %s: %s, the specification says %s", q, v, describe(q, got, 0), describe(q, want, 0))
			}
		}
	}
	for i := range 150 {
		v := variants[i%len(variants)]
		hold(v, SmallMap(3, i, v.Bits), func(s []model.Symbol, b model.Bounds) []Query {
			return everything(rand.New(rand.NewPCG(3, uint64(i))), s, b)
		})
	}
	for _, v := range variants[:2] {
		hold(v, FitMap(realMap(t), v), func(s []model.Symbol, b model.Bounds) []Query {
			return append(sweep(s, 0, len(s), len(s)/40), Query{Op: KdbWalk}, Query{Op: OnEachSymbol}, Query{Op: ReadProc, B: uint64(len(s))})
		})
	}
	if compared < 50000 {
		t.Errorf("%d answers compared, expected at least 50000", compared)
	}
}

// A shift of the child's addresses shifts every address of an answer, and no
// size or offset.
func TestExpectShifts(t *testing.T) {
	symbols := []model.Symbol{{Addr: 0x1000, Type: 'T', Name: "a"}, {Addr: 0x1010, Type: 'T', Name: "b"}}
	b := model.Bounds{Text: 0x1000, Stext: 0x1000, Etext: 0x2000, End: 0x2000}
	e := NewExpect(symbols, b, Variant{Bits: 64, AllSymbols: true}, 0x5000)
	tests := []struct {
		q    Query
		want string
	}{
		{Query{Op: LookupName, Name: "b"}, "0x1010"},
		{Query{Op: LookupName, Name: "c"}, "0x0"},
		{Query{Op: LookupSizeOffset, A: 0x1004}, "1, 0x10, 0x4"},
		{Query{Op: SprintSymbol, A: 0x1011}, `11, "b+0x1/0xff0"`},
		{Query{Op: SprintSymbol, A: 0x3000}, `6, "0x8000"`},
		{Query{Op: ReadProc, A: 1, B: 5}, `"0000000000006010 T b\n"`},
	}
	for _, tt := range tests {
		if got := describe(tt.q, e.Append(nil, tt.q), 0x5000); got != tt.want {
			t.Errorf("%s: %s, expected %s", tt.q, got, tt.want)
		}
	}
}
