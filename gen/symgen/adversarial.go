// SPDX-License-Identifier: GPL-2.0-only

package symgen

import (
	"fmt"
	"math/rand"
	"slices"
	"strings"

	"kgen/model"
)

// Adversarial makes a table of what could go wrong, in all mixtures. Addresses
// ascend and reach both ends of 64 bits.
func Adversarial(rng *rand.Rand) []model.Symbol {
	names := hardNames(rng)
	rng.Shuffle(len(names), func(i, j int) { names[i], names[j] = names[j], names[i] })
	types := typesOf(rng)
	symbols := make([]model.Symbol, len(names))
	for i, addr := range hardAddresses(rng, len(names)) {
		symbols[i] = model.Symbol{Addr: addr, Type: types[rng.Intn(len(types))], Name: names[i]}
	}
	return symbols
}

// hardNames makes the names of a table: a mixture of a few kinds as a rule, or
// a table that is about one thing.
func hardNames(rng *rand.Rand) []string {
	switch rng.Intn(12) {
	case 0:
		return NamesOfLengths(rng, pick(rng, LengthsAtLimits, 4))
	case 1:
		return crowd(rng)
	}
	kinds := pick(rng, nameKinds, 1+rng.Intn(4))
	var names []string
	for n := hardSize(rng); len(names) < n; {
		kind := kinds[rng.Intn(len(kinds))]
		names = append(names, kind(rng, names))
	}
	return names
}

// hardSize is small as a rule, so that all designs can be tried, and otherwise
// around where a block of 256 symbols ends.
func hardSize(rng *rand.Rand) int {
	switch rng.Intn(6) {
	case 0:
		return []int{0, 1, 255, 256, 257, 513}[rng.Intn(6)]
	case 1:
		return rng.Intn(70)
	}
	return rng.Intn(9)
}

// crowd is hundreds of one name, which no bucket of hashes is made for, among
// others.
func crowd(rng *rand.Rand) []string {
	names := slices.Repeat([]string{"crowd"}, 260+rng.Intn(100))
	for i := range rng.Intn(200) {
		names = append(names, fmt.Sprintf("loner%d", i))
	}
	return names
}

// nameKind makes one more name of a table.
type nameKind func(rng *rand.Rand, before []string) string

var nameKinds = []nameKind{tiny, tiny, relative, twice, empty, beyondASCII, twin, family, long, suffixed, provided}

// tiny names are few, so that duplicates and prefixes of one another abound.
func tiny(rng *rand.Rand, _ []string) string {
	name := make([]byte, rng.Intn(4))
	for i := range name {
		name[i] = "ab_"[rng.Intn(3)]
	}
	return string(name)
}

// relative makes a name from an earlier one: longer or shorter by a byte, or
// with another last byte.
func relative(rng *rand.Rand, before []string) string {
	name := twice(rng, before)
	if name == "" || rng.Intn(3) == 0 && len(name) < 500 {
		return name + noise(rng, 1)
	}
	if rng.Intn(2) == 0 {
		return name[:len(name)-1]
	}
	return name[:len(name)-1] + noise(rng, 1)
}

// twice repeats an earlier name.
func twice(rng *rand.Rand, before []string) string {
	if len(before) == 0 {
		return "first"
	}
	return before[rng.Intn(len(before))]
}

func empty(*rand.Rand, []string) string { return "" }

// beyondASCII makes names that a signed comparison would sort first.
func beyondASCII(rng *rand.Rand, _ []string) string {
	name := make([]byte, 1+rng.Intn(4))
	for i := range name {
		name[i] = byte(0x70 + rng.Intn(0x90))
	}
	return string(name)
}

// twin is one of two names with one hash.
func twin(rng *rand.Rand, _ []string) string {
	twins := HashTwins()
	return twins[rng.Intn(len(twins))][rng.Intn(2)]
}

// family makes names with a long common start, which becomes a token together
// with the type before it.
func family(rng *rand.Rand, _ []string) string {
	return fmt.Sprintf("__pfx_family_%d", rng.Intn(40))
}

// long makes names up to the longest that the encoder accepts, of noise or of
// one repeated byte.
func long(rng *rand.Rand, _ []string) string {
	n := model.KsymNameLen - 2 - rng.Intn(400)*rng.Intn(2)
	if rng.Intn(2) == 0 {
		return noise(rng, n)
	}
	return strings.Repeat("x", n)
}

// suffixed makes names that differ only in the suffix that LTO gives them.
func suffixed(rng *rand.Rand, _ []string) string {
	return []string{"fn", "fn.llvm.", "fn.llvm.1", "fn.llvm.2", "fn.cold", "fn.llvm"}[rng.Intn(6)]
}

// provided makes names that make an alias the better or the worse one to show:
// with more or fewer underscores, or as linker scripts provide them.
func provided(rng *rand.Rand, _ []string) string {
	return []string{"name", "_name", "__name", "__start_name", "__stop_name", "__name_end", "__name_start", "name_end", "__start"}[rng.Intn(9)]
}

// typesOf are the types of a table: one, so that it becomes part of tokens, or
// all.
func typesOf(rng *rand.Rand) string {
	if rng.Intn(2) == 0 {
		return []string{"T", "t", "d"}[rng.Intn(3)]
	}
	return "TtDdBbRrWwVvA"
}

// Edges are the addresses at which a narrower or a signed type goes wrong.
var Edges = []uint64{
	0, 1, 1<<31 - 1, 1 << 31, 1<<32 - 1, 1 << 32, 1<<63 - 1, 1 << 63,
	0xffffffff81000000, ^uint64(0) - 1, ^uint64(0),
}

// hardAddresses makes n ascending addresses.
func hardAddresses(rng *rand.Rand, n int) []uint64 {
	list := make([]uint64, n)
	style := rng.Intn(4)
	addr := Edges[rng.Intn(9)]
	for i := range list {
		switch style {
		case 0: // symbols of a kernel
			list[i] = 0xffffffff81000000 + 16*uint64(i)
		case 1: // neighbours, aliases
			list[i] = addr
			addr += uint64(rng.Intn(3))
		case 2: // aliases only
			list[i] = addr
		case 3: // the edges
			list[i] = Edges[rng.Intn(len(Edges))]
		}
	}
	slices.Sort(list)
	return list
}

// pick draws n of a list.
func pick[T any](rng *rand.Rand, from []T, n int) []T {
	list := make([]T, n)
	for i := range list {
		list[i] = from[rng.Intn(len(from))]
	}
	return list
}
