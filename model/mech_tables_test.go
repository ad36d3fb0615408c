// SPDX-License-Identifier: GPL-2.0-only

package model

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// namedTable is a symbol table that a mechanism could get wrong.
type namedTable struct {
	reason  string
	symbols []Symbol
}

// table gives names addresses in the order of the list, 16 bytes apart.
func table(names ...string) []Symbol {
	symbols := make([]Symbol, len(names))
	for i, name := range names {
		symbols[i] = Symbol{Addr: 0xffffffff81000000 + 16*uint64(i), Type: 'T', Name: name}
	}
	return symbols
}

// numbered is a table of n names whose order is not that of their addresses.
func numbered(n int) []Symbol {
	names := make([]string, n)
	for i := range names {
		names[i] = fmt.Sprintf("sym_%d", (i*7919+13)%10007)
	}
	return table(names...)
}

// notInNames are the bytes that the encoder refuses, and the one that could end
// a comment.
const notInNames = "\x00\n\r\"\\*"

// longName is a name of n bytes in which hardly a pair of bytes repeats, so
// that compression leaves it nearly as long.
func longName(n int, seed uint64) string {
	random := rand.New(rand.NewPCG(seed, 0))
	name := make([]byte, n)
	for i := range name {
		for strings.IndexByte(notInNames, name[i]) >= 0 {
			name[i] = byte(random.Uint32())
		}
	}
	return string(name)
}

// hugeNames is a table whose records have all the wanted token counts. Names
// that use nearly every byte leave the encoder few tokens to make.
func hugeNames() []Symbol {
	names := []string{}
	for n := range 16 {
		names = append(names, longName(126+n, 1), longName(400+n, 2))
	}
	return table(names...)
}

// hashTwins are pairs of names with one FNV-1a hash.
var hashTwins = []string{"costarring", "liquid", "declinate", "macallums", "altarage", "zinke"}

func hardTables() []namedTable {
	duplicates := slices.Repeat([]string{"a", "__func__.0", "b", "__func__.0"}, 40)
	aliases := table("first", "alias", "other", "alias", "last", "last")
	for i := range aliases {
		aliases[i].Addr = 0x1000 + 16*uint64(i/3)
	}
	var everyByte []string
	for b := 255; b > 0; b-- {
		if strings.IndexByte(notInNames, byte(b)) < 0 {
			everyByte = append(everyByte, string([]byte{byte(b)}), "x"+string([]byte{byte(b)}))
		}
	}
	extreme := table("low", "same", "same", "high")
	extreme[0].Addr, extreme[3].Addr = 0, ^uint64(0)
	twins := slices.Repeat(hashTwins, 3)
	crowd := append(slices.Repeat([]string{"crowd"}, 350), numberedNames(200)...)

	tables := []namedTable{
		{"no symbol", nil},
		{"one symbol", table("only")},
		{"the empty name alone", table("")},
		{"empty names among others", table("", "a", "", "b")},
		{"prefixes of one another", table("a", "abc", "ab", "abcd", "abd", "aa", "b", "")},
		{"most names twice or more", table(duplicates...)},
		{"several names at one address", aliases},
		{"bytes above 127 sort as unsigned", table(everyByte...)},
		{"addresses 0 and the highest", extreme},
		{"different names with one hash, interleaved", table(twins...)},
		{"records of 127, 128, 129 and 381 tokens", hugeNames()},
		{"more of one name than a group of 8-bit starts spans", table(crowd...)},
	}
	for _, n := range []int{2, 3, 31, 63, 64, 255, 256, 257, 513} {
		tables = append(tables, namedTable{fmt.Sprintf("%d symbols", n), numbered(n)})
	}
	return tables
}

func numberedNames(n int) []string {
	var names []string
	for _, s := range numbered(n) {
		names = append(names, s.Name)
	}
	return names
}

// queries are the names of a table, once each, and names near to them that it
// does not have.
func queries(symbols []Symbol) []string {
	list := []string{"", "\xff\xff", " ", "nowhere"}
	for i, s := range symbols {
		near := []string{s.Name + "x", s.Name + "\xff", s.Name[:len(s.Name)/2]}
		list = append(list, s.Name, near[i%len(near)])
	}
	slices.Sort(list)
	return slices.Compact(list)
}

func mustEncode(tb testing.TB, symbols []Symbol) *Tables {
	tb.Helper()
	t, err := Encode(symbols, EncodeOptions{MarkerShift: StockMarkerShift})
	if err != nil {
		tb.Fatal(err)
	}
	return t
}

// TestHardTables holds the tables to what they are there for.
func TestHardTables(t *testing.T) {
	for i := 0; i < len(hashTwins); i += 2 {
		if a, b := hashTwins[i], hashTwins[i+1]; fnv1a(a) != fnv1a(b) {
			t.Errorf("%s and %s have different hashes", a, b)
		}
	}
	s, err := newStream(mustEncode(t, hugeNames()))
	if err != nil {
		t.Fatal(err)
	}
	lengths := map[int]bool{}
	for _, off := range s.start {
		_, size := recordHeader(s.Names, int(off))
		lengths[size] = true
	}
	for _, n := range []int{127, 128, 129, 381} {
		if !lengths[n] {
			t.Errorf("no record of %d tokens", n)
		}
	}
}
