// SPDX-License-Identifier: GPL-2.0-only

package symgen

import (
	"fmt"
	"math/rand"
	"strings"
	"sync"

	"kgen/model"
)

// Alphabet are the bytes that names may hold: all but those that the encoder
// refuses, the tab, which parts the module column of /proc/kallsyms, and the
// star, which could end a comment.
var Alphabet = func() (bytes []byte) {
	for b := 255; b > 0; b-- {
		if !strings.ContainsRune("\n\r\t\"\\*", rune(b)) {
			bytes = append(bytes, byte(b))
		}
	}
	return bytes
}()

// noise is a name of n bytes in which hardly a pair repeats, so that
// compression leaves it nearly as long.
func noise(rng *rand.Rand, n int) string {
	name := make([]byte, n)
	for i := range name {
		name[i] = Alphabet[rng.Intn(len(Alphabet))]
	}
	return string(name)
}

// LengthsAtLimits are the numbers of tokens at which records change form: one
// length byte or two, the second length byte 0, 1, 2, 3.
var LengthsAtLimits = []int{126, 127, 128, 129, 130, 255, 256, 257, 380, 381, 382, 384}

// NamesOfLengths makes names whose records have exactly so many tokens, when
// they are encoded together. A name that holds every byte leaves the encoder no
// free token but for the few bytes that names may not hold; what those still
// save is found by encoding and made up for.
func NamesOfLengths(rng *rand.Rand, tokens []int) []string {
	names := []string{string(Alphabet)}
	for _, n := range tokens {
		names = append(names, noise(rng, n-1))
	}
	const rounds = 50
	for range rounds {
		got := recordLengths(names)
		fit := true
		for i, want := range tokens {
			name := names[i+1]
			switch missing := want - got[i+1]; {
			case missing > 0:
				names[i+1] += noise(rng, missing)
			case missing < 0:
				names[i+1] = name[:len(name)+missing]
			}
			fit = fit && got[i+1] == want
		}
		if fit {
			return names
		}
	}
	panic(fmt.Sprintf("no names of %d tokens after %d rounds", tokens, rounds))
}

// recordLengths encodes names and returns the number of tokens of each record.
func recordLengths(names []string) []int {
	symbols := make([]model.Symbol, len(names))
	for i, name := range names {
		symbols[i] = model.Symbol{Addr: uint64(i), Type: 'T', Name: name}
	}
	t, err := model.Encode(symbols, model.EncodeOptions{MarkerShift: model.StockMarkerShift})
	if err != nil {
		panic(err)
	}
	lengths := make([]int, 0, len(names))
	for rest := t.Names; len(rest) > 0; {
		n, header := int(rest[0]), 1
		if n > 127 {
			n, header = n-128+128*int(rest[1]), 2
		}
		lengths = append(lengths, n)
		rest = rest[header+n:]
	}
	return lengths
}

// HashTwins are pairs of different names with one 32-bit FNV-1a hash, found by
// going through numbered names until enough have met.
var HashTwins = sync.OnceValue(func() [][2]string {
	const enough = 3
	var twins [][2]string
	seen := map[uint32]string{}
	for i := 0; len(twins) < enough; i++ {
		name := fmt.Sprintf("n%x", i)
		if other, met := seen[FNV1a(name)]; met {
			twins = append(twins, [2]string{other, name})
		}
		seen[FNV1a(name)] = name
	}
	return twins
})

// FNV1a is the hash that the hash order sorts by, stated once more, from its
// published definition, as what the model's is held to.
func FNV1a(name string) uint32 {
	hash := uint32(2166136261)
	for i := range len(name) {
		hash ^= uint32(name[i])
		hash *= 16777619
	}
	return hash
}
