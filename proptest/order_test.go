// SPDX-License-Identifier: GPL-2.0-only

package proptest

import (
	"bytes"
	"fmt"
	"math/rand"
	"regexp"
	"slices"
	"sort"
	"strings"
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

// TestTableOrder: Prepare drops absolute symbols and sorts by address, then by
// what makes an alias the better one to show, then as the input has it. Lines of
// different addresses may be shuffled, and nothing changes.
func TestTableOrder(t *testing.T) {
	hold(t, func(t Table, pick int64) string {
		all := model.PrepareOptions{AllSymbols: true}
		want := tableOrder(t.Symbols)
		for _, input := range []Table{t, shuffleAddresses(t, newRand(pick)), {want}} {
			if got, _ := model.Prepare(input.clone().Symbols, all); !slices.Equal(got, want) {
				return fmt.Sprintf("from\n%vexpected\n%vgot\n%v", input, Table{want}, Table{got})
			}
		}
		return ""
	})
}

// shuffleAddresses mixes the lines of a map; those of one address keep their
// order.
func shuffleAddresses(t Table, rng *rand.Rand) Table {
	shuffled := t.clone().Symbols
	rng.Shuffle(len(shuffled), func(i, j int) { shuffled[i], shuffled[j] = shuffled[j], shuffled[i] })
	atAddr := map[uint64][]model.Symbol{}
	for _, s := range t.Symbols {
		atAddr[s.Addr] = append(atAddr[s.Addr], s)
	}
	for i, s := range shuffled {
		shuffled[i], atAddr[s.Addr] = atAddr[s.Addr][0], atAddr[s.Addr][1:]
	}
	return Table{shuffled}
}

// tableOrder states the host tool's filter and order once more: absolute
// symbols are not kept; of aliases, strong ones come before weak ones, those of
// linker scripts behind, and fewer underscores first.
func tableOrder(symbols []model.Symbol) []model.Symbol {
	kept := []model.Symbol{}
	for _, s := range symbols {
		if s.Type != 'A' {
			kept = append(kept, s)
		}
	}
	rank := func(s model.Symbol) []int {
		r := make([]int, 3)
		if s.Type == 'W' || s.Type == 'w' {
			r[0] = 1
		}
		if len(s.Name) >= 8 && linkerProvided.MatchString(s.Name) {
			r[1] = 1
		}
		r[2] = len(s.Name) - len(strings.TrimLeft(s.Name, "_"))
		return r
	}
	sort.SliceStable(kept, func(i, j int) bool {
		a, b := kept[i], kept[j]
		if a.Addr != b.Addr {
			return a.Addr < b.Addr
		}
		return slices.Compare(rank(a), rank(b)) < 0
	})
	return kept
}

// linkerProvided are names that linker scripts provide, if they have eight bytes
// or more.
var linkerProvided = regexp.MustCompile(`^__(?:(?:start|stop|end)_|(?s:.*)_(?:start|end)$)`)

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
