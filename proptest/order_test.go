// SPDX-License-Identifier: GPL-2.0-only

package proptest

import (
	"bytes"
	"fmt"
	"slices"
	"testing"

	"kgen/model"
)

// seqs unpacks kallsyms_seqs_of_names.
func seqs(t *model.Tables) []int {
	list := make([]int, len(t.SeqsOfNames)/3)
	for i := range list {
		b := t.SeqsOfNames[3*i:]
		list[i] = 65536*int(b[0]) + 256*int(b[1]) + int(b[2])
	}
	return list
}

// TestNameOrder: kallsyms_seqs_of_names is a permutation of the sequence
// numbers, in the order of unsigned bytes of the name, then address, then
// position; and it is the specification's order.
func TestNameOrder(t *testing.T) {
	hold(t, func(t Table, pick int64) string {
		order := seqs(encode(t, pick))
		if sorted := slices.Sorted(slices.Values(order)); len(order) != len(t.Symbols) || !slices.Equal(sorted, upTo(len(t.Symbols))) {
			return fmt.Sprintf("name order %v is no permutation of %d sequence numbers", order, len(t.Symbols))
		}
		for i := range max(len(order), 1) - 1 {
			a, b := t.Symbols[order[i]], t.Symbols[order[i+1]]
			names := bytes.Compare([]byte(a.Name), []byte(b.Name))
			if names > 0 || names == 0 && (a.Addr > b.Addr || a.Addr == b.Addr && order[i] > order[i+1]) {
				return fmt.Sprintf("name order: place %d is symbol %d, place %d symbol %d", i, order[i], i+1, order[i+1])
			}
		}
		if want := (&model.Spec{Symbols: t.Symbols}).NameOrder(); !slices.Equal(order, want) {
			return fmt.Sprintf("name order:\nexpected %v\n     got %v", want, order)
		}
		return ""
	})
}

func upTo(n int) []int {
	list := make([]int, n)
	for i := range list {
		list[i] = i
	}
	return list
}

// TestInputOrderOfOtherAddressesDoesNotMatter: lines of a map may be shuffled as
// long as those of one address keep their order, and nothing changes.
func TestInputOrderOfOtherAddressesDoesNotMatter(t *testing.T) {
	hold(t, func(t Table, pick int64) string {
		want, _ := model.Prepare(t.clone().Symbols, model.PrepareOptions{AllSymbols: true})
		shuffled := t.clone().Symbols
		rng := newRand(pick)
		rng.Shuffle(len(shuffled), func(i, j int) { shuffled[i], shuffled[j] = shuffled[j], shuffled[i] })
		atAddr := map[uint64][]model.Symbol{}
		for _, s := range t.Symbols {
			atAddr[s.Addr] = append(atAddr[s.Addr], s)
		}
		for i, s := range shuffled {
			shuffled[i], atAddr[s.Addr] = atAddr[s.Addr][0], atAddr[s.Addr][1:]
		}
		input := Table{Symbols: slices.Clone(shuffled)}
		got, _ := model.Prepare(shuffled, model.PrepareOptions{AllSymbols: true})
		if !slices.Equal(got, want) {
			return fmt.Sprintf("shuffled to\n%vexpected\n%vgot\n%v", input, Table{Symbols: want}, Table{Symbols: got})
		}
		again, _ := model.Prepare(slices.Clone(got), model.PrepareOptions{AllSymbols: true})
		if !slices.Equal(again, got) {
			return fmt.Sprintf("prepared twice:\nexpected\n%vgot\n%v", Table{Symbols: got}, Table{Symbols: again})
		}
		return ""
	})
}

// TestALaterSymbolMovesNoEarlierOne: a symbol with a greater address takes the
// next sequence number; the others keep theirs, and their order of names.
func TestALaterSymbolMovesNoEarlierOne(t *testing.T) {
	hold(t, func(t Table, pick int64) string {
		n := len(t.Symbols)
		if n > 0 && t.Symbols[n-1].Addr == ^uint64(0) {
			return "" // there is no greater address
		}
		more := t.clone()
		last := model.Symbol{Addr: ^uint64(0), Type: 'T', Name: "b"}
		if n > 0 && pick%2 == 0 {
			last.Name = t.Symbols[pick%int64(n)].Name
		}
		more.Symbols = append(more.Symbols, last)
		before, after := seqs(encode(t, pick)), seqs(encode(more, pick))
		if kept := slices.DeleteFunc(slices.Clone(after), func(seq int) bool { return seq == n }); !slices.Equal(kept, before) {
			return fmt.Sprintf("with %q behind:\nexpected %v and %d somewhere\n     got %v", last.Name, before, n, after)
		}
		return ""
	})
}

// TestMarkersThinOut: markers at one density are every 2^k-th of those at one k
// steps denser, and there is one for each block begun; the other tables do not
// depend on the density.
func TestMarkersThinOut(t *testing.T) {
	hold(t, func(t Table, pick int64) string {
		dense := encode(t, 0)
		for _, shift := range []int64{1 + pick%7, model.MaxMarkerShift} {
			sparse := encode(t, shift)
			var want []uint32
			for i := 0; i < len(dense.Markers); i += 1 << shift {
				want = append(want, dense.Markers[i])
			}
			if !slices.Equal(sparse.Markers, want) {
				return fmt.Sprintf("markers at shift %d:\nexpected %v\n     got %v", shift, want, sparse.Markers)
			}
			if !bytes.Equal(sparse.Names, dense.Names) || !bytes.Equal(sparse.SeqsOfNames, dense.SeqsOfNames) {
				return fmt.Sprintf("names or order at shift %d are not those at shift 0", shift)
			}
		}
		return ""
	})
}
