// SPDX-License-Identifier: GPL-2.0-only

package bench

import (
	"bufio"
	"encoding/binary"
	"errors"
	"maps"
	"math/bits"
	"math/rand/v2"
	"os"
	"slices"

	"kgen/gen/harness"
	"kgen/model"
)

// seed decides which names are missed and which addresses are asked for.
const seed = 1

// mostVerified is how many names and how many addresses are asked for before
// anything is timed. A larger table has some of them left out, evenly, but no name
// of several symbols.
const mostVerified = 200_000

// input is what the measuring program looks up.
type input struct {
	names, unique, misses []string
	crowd                 string // the name that most symbols have
	crowdSize             int
	traced                []string // of functions, the first two half of them apart
	addrs                 []uint64 // of the map
	queries               []harness.Query
	expect                *harness.Expect
}

func newInput(s *symbols) *input {
	in := &input{expect: harness.NewExpect(s.table, s.bounds, s.variant, textAt-s.bounds.Text)}
	counts := map[string]int{}
	for _, sym := range s.table {
		if sym.Name != "" { // the kernel does not look that up
			in.names = append(in.names, sym.Name)
			counts[sym.Name]++
		}
	}
	in.unique = slices.Sorted(maps.Keys(counts))
	for _, name := range in.unique {
		if counts[name] > in.crowdSize {
			in.crowd, in.crowdSize = name, counts[name]
		}
	}
	r := rand.New(rand.NewPCG(seed, 0))
	in.misses = missing(r, in.unique, counts)
	in.addrs = in.known(r, s.table)
	in.traced = traceable(s)
	in.ask(counts)
	return in
}

// missing makes names that are not there, one of each that is: a letter of it is
// another one, anywhere, so that they differ from their neighbours as names do.
func missing(r *rand.Rand, unique []string, counts map[string]int) []string {
	var out []string
	for _, name := range unique {
		letters := []byte(name)
		letters[r.IntN(len(letters))] = byte('a' + r.IntN(26))
		if counts[string(letters)] == 0 {
			out = append(out, string(letters))
		}
	}
	return out
}

// numTraced is how many names are looked up for ftrace, a power of two.
const numTraced = 16

// traceable picks names of functions, evenly spread. So are the first two, and the
// first four, since the bits of a count are turned round.
func traceable(s *symbols) []string {
	var functions, out []string
	for _, sym := range s.table {
		if s.inText(sym) {
			functions = append(functions, sym.Name)
		}
	}
	for i := range uint(numTraced) {
		at := (bits.Reverse(i)>>(bits.UintSize-bits.Len(numTraced-1)) + numTraced/4) % numTraced
		out = append(out, functions[int(at)*len(functions)/numTraced])
	}
	return out
}

// known picks an address inside every symbol, and keeps those that the kernel
// looks up.
func (in *input) known(r *rand.Rand, table []model.Symbol) []uint64 {
	var out []uint64
	var answer []byte
	for i, s := range table {
		addr := s.Addr
		if i+1 < len(table) && table[i+1].Addr > addr {
			addr += r.Uint64N(table[i+1].Addr - addr)
		}
		answer = in.expect.Append(answer[:0], harness.Query{Op: harness.LookupSymbolName, A: addr})
		if binary.LittleEndian.Uint32(answer) == 0 {
			out = append(out, addr)
		}
	}
	return out
}

// ask lists the questions of the verification.
func (in *input) ask(counts map[string]int) {
	step := len(in.unique)/mostVerified + 1
	for i, name := range in.unique {
		if counts[name] > 1 {
			in.queries = append(in.queries, harness.Query{Op: harness.OnEachMatch, Name: name})
		}
		if i%step == 0 || counts[name] > 1 {
			in.queries = append(in.queries, harness.Query{Op: harness.LookupName, Name: name})
		}
	}
	for i := 0; i < len(in.misses); i += step {
		in.queries = append(in.queries, harness.Query{Op: harness.LookupName, Name: in.misses[i]})
	}
	for i := 0; i < len(in.addrs); i += len(in.addrs)/mostVerified + 1 {
		in.queries = append(in.queries, harness.Query{Op: harness.Lookup, A: in.addrs[i]})
	}
	in.queries = append(in.queries, harness.Query{Op: harness.OnEachSymbol})
	for _, name := range slices.Concat(in.traced, []string{in.crowd, in.names[len(in.names)-1], in.misses[0]}) {
		in.queries = append(in.queries, harness.Query{Op: harness.FtraceLookup, Name: name})
	}
	// A design may answer otherwise after something else, or inside a batch.
	r := rand.New(rand.NewPCG(seed, 1))
	r.Shuffle(len(in.queries), func(i, k int) { in.queries[i], in.queries[k] = in.queries[k], in.queries[i] })
}

// write makes the file that c/input.c reads.
func (in *input) write(name string, delta uint64) error {
	file, err := os.Create(name)
	if err != nil {
		return err
	}
	b := bufio.NewWriterSize(file, 1<<20) // keeps the first error for Flush
	le := binary.LittleEndian
	number := func(n int) { b.Write(le.AppendUint32(b.AvailableBuffer(), uint32(n))) }
	str := func(s string) {
		number(len(s))
		b.WriteString(s)
		b.WriteByte(0)
	}
	for _, list := range [][]string{in.names, in.unique, in.misses, {in.crowd}, in.traced} {
		number(len(list))
		for _, s := range list {
			str(s)
		}
	}
	number(len(in.addrs))
	for _, a := range in.addrs {
		b.Write(le.AppendUint64(b.AvailableBuffer(), a+delta))
	}
	number(len(in.queries))
	var head, answer []byte
	for _, q := range in.queries {
		head = q.Append(head[:0], delta)
		b.Write(head[:1+8+8])
		str(q.Name)
		answer = in.expect.Append(answer[:0], q)
		number(len(answer))
		b.Write(answer)
	}
	return errors.Join(b.Flush(), file.Close())
}
