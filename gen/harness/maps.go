// SPDX-License-Identifier: GPL-2.0-only

package harness

import (
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"

	"kgen/model"
)

// sizes are the numbers of symbols that small maps have besides random ones:
// both sides of each step of the markers.
var sizes = []int{0, 1, 2, 3, 31, 32, 33, 63, 64, 65, 127, 128, 129, 255, 256, 257, 511, 512, 513}

// longest is the length of the longest name that the host tool can take: with
// its type and terminator it fills KSYM_NAME_LEN. The stock tool takes one byte
// more and writes past the end of a buffer.
const longest = model.KsymNameLen - 2

// SmallMap makes the i-th small map of a seed, for a variant's word size. Maps
// with the same arguments are the same. It covers duplicates, aliases, names
// that begin alike, empty and long names, bytes of either sign, and addresses
// at both ends of what a kernel may have.
func SmallMap(seed uint64, i, bits int) []model.Symbol {
	r := rand.New(rand.NewPCG(seed, uint64(i)))
	n := 1 + r.IntN(40)
	crowd, clash := i == 2*len(sizes), i == 2*len(sizes)+1
	if i < 2*len(sizes) {
		n = sizes[i%len(sizes)]
	} else if crowd {
		n = 1400
	} else if clash {
		n = 60
	} else if r.IntN(16) == 0 {
		n = 200 + r.IntN(600)
	}
	m := mapMaker{r: r, bits: bits, addr: textStart(r, bits)}
	m.family = families[r.IntN(len(families))]
	if crowd {
		m.family = crowded
	} else if clash {
		m.family = clashing
	}
	m.text = m.addr
	if r.IntN(2) == 0 && bits == 64 {
		m.percpu(r.IntN(4))
	}
	m.boundary("_text", 'T')
	m.boundary("_stext", 'T')
	for range n {
		m.symbol()
	}
	m.boundaries()
	if r.IntN(4) == 0 {
		slices.Reverse(m.symbols) // the host tool sorts
	}
	return m.symbols
}

type mapMaker struct {
	r       *rand.Rand
	bits    int
	addr    uint64
	text    uint64
	family  func(*rand.Rand) string
	symbols []model.Symbol
}

// textStart is where _text lies: architectures differ.
func textStart(r *rand.Rand, bits int) uint64 {
	if bits == 32 {
		return []uint64{0x1000, 0x80000000, 0xc0100000, 0xfff00000}[r.IntN(4)]
	}
	return []uint64{0x100000, 0xffff800080000000, 0xffffffff81000000, 0xc000000000000000}[r.IntN(4)]
}

// percpu adds a few symbols at the bottom of the address space, as 6.12 has on
// x86-64. They only go together with a high _text that reaches down to them.
func (m *mapMaker) percpu(n int) {
	if m.text != 0x100000 || n == 0 {
		return
	}
	m.symbols = append(m.symbols, model.Symbol{Addr: 0, Type: 'D', Name: "__per_cpu_start"})
	for i := range n {
		m.symbols = append(m.symbols, model.Symbol{Addr: uint64(16 * i), Type: 'D', Name: fmt.Sprintf("pcpu_%d", i)})
	}
	m.symbols = append(m.symbols, model.Symbol{Addr: uint64(16 * n), Type: 'D', Name: "__per_cpu_end"})
}

func (m *mapMaker) boundary(name string, kind byte) {
	m.symbols = append(m.symbols, model.Symbol{Addr: m.addr, Type: kind, Name: name})
}

// boundaries closes the sections: somewhere among the symbols, after the last,
// or not at all.
func (m *mapMaker) boundaries() {
	end := m.addr
	for _, name := range []string{"_etext", "_sinittext", "_einittext", "_end"} {
		switch m.r.IntN(8) {
		case 0:
			continue
		case 1:
			m.addr = m.symbols[m.r.IntN(len(m.symbols))].Addr
			if m.addr < m.text {
				m.addr = end
			}
			m.boundary(name, 'T')
			continue
		}
		end += m.gap()
		m.addr = end
		m.boundary(name, 'T')
	}
}

// gap is the distance to the next symbol. A map stays within 1 GiB or, at the
// top of a 32-bit address space, within what is left.
func (m *mapMaker) gap() uint64 {
	gaps := []uint64{0, 0, 1, 4, 16, 16, 16, 4096, widest}
	return m.fit(gaps[m.r.IntN(len(gaps))])
}

// widest is the longest distance between two symbols.
const widest = 1 << 20

// fit is a distance that is cut to what the map has room for.
func (m *mapMaker) fit(g uint64) uint64 {
	g = min(g, widest)
	if m.bits == 32 && m.text+g*1000 > 1<<32 {
		g = min(g, 16)
	}
	return g
}

func (m *mapMaker) symbol() {
	const kinds = "TTTTtttDdBbRrWwVvAau"
	m.addr += m.gap()
	name := m.family(m.r)
	if len(m.symbols) > 2 && m.r.IntN(5) == 0 {
		name = m.symbols[2+m.r.IntN(len(m.symbols)-2)].Name // a duplicate
		if m.r.IntN(3) == 0 && len(name) > 0 {
			name += string(name[0]) // or one that begins alike
		}
	}
	if strings.HasPrefix(name, "_") || strings.Contains(name, "*/") {
		name = "x" + strings.ReplaceAll(name, "*/", "") // not a boundary, not the end of a comment
	}
	name = name[:min(len(name), longest)]
	m.symbols = append(m.symbols, model.Symbol{Addr: m.addr, Type: kinds[m.r.IntN(len(kinds))], Name: name})
}

// families are ways to make names; a map has names of one.
var families = []func(*rand.Rand) string{
	func(r *rand.Rand) string { return letters(r, "ab", r.IntN(5)) },
	func(r *rand.Rand) string { return "Tt"[:r.IntN(3)] + letters(r, "Tta", r.IntN(4)) },
	kernelLike,
	kernelLike,
	func(r *rand.Rand) string { return "dup" + letters(r, "0", r.IntN(2)) },
	func(r *rand.Rand) string { return letters(r, "a\x7f\x80\xffz", 1+r.IntN(4)) },
	func(r *rand.Rand) string { return letters(r, anyByte, r.IntN(12)) },
	func(r *rand.Rand) string { return letters(r, anyByte, longLength(r)) },
	func(r *rand.Rand) string { return letters(r, anyByte, 100+r.IntN(40)) },
	func(r *rand.Rand) string { return strings.Repeat("p", r.IntN(60)) + letters(r, "pq", 1) },
}

// crowded gives every other symbol the same name, which no table of even
// buckets likes.
func crowded(r *rand.Rand) string {
	if r.IntN(2) == 0 {
		return "crowd"
	}
	return kernelLike(r) + letters(r, "0123456789", 3)
}

// clashing gives names that have their 32-bit FNV-1a hash in common with
// another one, so that what is sorted by it has to look at the names as well.
func clashing(r *rand.Rand) string {
	pairs := clashes()
	return pairs[r.IntN(len(pairs))]
}

// clashes searches for names of equal hash: among 200,000 there are some five
// pairs.
var clashes = sync.OnceValue(func() []string {
	var found []string
	seen := make(map[uint32]string)
	r := rand.New(rand.NewPCG(1, 2))
	for range 200_000 {
		name := letters(r, "abcdefghijklmnopqrstuvwxyz_", 8)
		h := fnv.New32a()
		h.Write([]byte(name))
		if other, ok := seen[h.Sum32()]; ok && other != name {
			found = append(found, other, name)
		}
		seen[h.Sum32()] = name
	}
	return found
})

// anyByte holds the bytes that a map and a string of the assembler can.
var anyByte = func() string {
	var b []byte
	for c := 1; c < 256; c++ {
		if !strings.ContainsRune("\n\r\"\\", rune(c)) {
			b = append(b, byte(c))
		}
	}
	return string(b)
}()

func letters(r *rand.Rand, from string, n int) string {
	b := make([]byte, n)
	for i := range b {
		b[i] = from[r.IntN(len(from))]
	}
	return string(b)
}

// longLength aims at compressed lengths around the steps of the length prefix;
// names of random bytes hardly compress.
func longLength(r *rand.Rand) int {
	return []int{126, 127, 128, 129, 255, 256, 380, 381, 382, longest - 1, longest}[r.IntN(11)]
}

func kernelLike(r *rand.Rand) string {
	words := []string{"read", "write", "page", "lock", "init", "sched", "net", "dev", "get", "put", "tcp", "vfs", "__x64", "sys", "irq"}
	var parts []string
	for range 1 + r.IntN(4) {
		parts = append(parts, words[r.IntN(len(words))])
	}
	name := strings.Join(parts, "_")
	switch r.IntN(8) {
	case 0:
		name += fmt.Sprintf(".cold.%d", r.IntN(3))
	case 1:
		name += ".llvm.1234"
	}
	return name
}
