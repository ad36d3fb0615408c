// SPDX-License-Identifier: GPL-2.0-only

package proptest

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/leanovate/gopter"
	"github.com/leanovate/gopter/gen"
	"github.com/leanovate/gopter/prop"

	"kgen/model"
)

// step is one thing that happens to a batch index.
type step byte

const (
	start    step = iota // with memory
	starve               // start without memory
	end                  // of a batch, or of none
	enter                // a reader
	leave                // the reader that entered first
	lookUp               // inside every reader, and by a lookup of its own
	numSteps = int(iota)
)

func (s step) String() string {
	return [...]string{"start", "start without memory", "end", "enter", "leave", "look up"}[s]
}

type steps []step

func (s steps) String() string {
	words := make([]string, len(s))
	for i, one := range s {
		words[i] = one.String()
	}
	return strings.Join(words, ", ")
}

// batchWorld is what should be: users count as they come, an index lives from
// the first start with memory until the last end, and stays in memory while a
// reader that entered during its life is inside.
type batchWorld struct {
	users, life int
	living      bool
	readers     []worldReader
}

type worldReader struct {
	reader *model.BatchReader
	life   int // of the index it sees, 0 for none
}

// lives counts the indexes in memory.
func (w *batchWorld) lives() int {
	alive := map[int]bool{}
	if w.living {
		alive[w.life] = true
	}
	for _, r := range w.readers {
		if r.life > 0 {
			alive[r.life] = true
		}
	}
	return len(alive)
}

// play takes the steps with the design and with the world side by side.
func play(d *model.Design, records []Record, all steps) string {
	w, b := &batchWorld{}, d.Batch()
	for i, s := range all {
		switch s {
		case start, starve:
			w.users++
			b.Start(s == start)
			if s == start && !w.living {
				w.living = true
				w.life++
			}
		case end:
			err := b.End()
			if refused := errors.Is(err, model.ErrBatchNotOpen); refused != (w.users == 0) || err != nil && !refused {
				return fmt.Sprintf("step %d, end with %d users: %v", i, w.users, err)
			}
			if w.users = max(w.users-1, 0); w.users == 0 {
				w.living = false
			}
		case enter:
			r := worldReader{reader: b.Enter()}
			if w.living {
				r.life = w.life
			}
			w.readers = append(w.readers, r)
		case leave:
			if len(w.readers) > 0 {
				w.readers[0].reader.Leave()
				w.readers = w.readers[1:]
			}
		case lookUp:
			if complaint := w.lookUp(d, records); complaint != "" {
				return fmt.Sprintf("step %d, look up: %s", i, complaint)
			}
		}
		if want := 4 * len(records) * w.lives(); b.RAMBytes() != want {
			return fmt.Sprintf("step %d, %v: %d bytes of memory, expected %d", i, s, b.RAMBytes(), want)
		}
	}
	return ""
}

func (w *batchWorld) lookUp(d *model.Design, records []Record) string {
	for seq, r := range records {
		off, cost := d.SymbolOffset(seq)
		if off != r.Offset || w.living != (cost.CacheLines[model.IndexTable] > 0) || w.living && cost.Hops > 0 {
			return fmt.Sprintf("symbol %d at %d for %+v, expected %d, with index %v", seq, off, cost, r.Offset, w.living)
		}
		for i, reader := range w.readers {
			off, cost := reader.reader.Offset(seq)
			if off != r.Offset || reader.life > 0 != (cost.CacheLines[model.IndexTable] > 0) {
				return fmt.Sprintf("reader %d: symbol %d at %d for %+v, expected %d, with index %d", i, seq, off, cost, r.Offset, reader.life)
			}
		}
	}
	return ""
}

// batchDesign is a table of some records and what makes designs of it.
func batchDesign(tb testing.TB) (records []Record, fresh func() *model.Design) {
	tb.Helper()
	table, err := ParseTable([]byte("0 T a\n1 T b\n2 t ab\n3 T \n4 T a\n"))
	if err != nil {
		tb.Fatal(err)
	}
	tables := encode(table, 0)
	if records, err = Decode(tables); err != nil {
		tb.Fatal(err)
	}
	choice := model.Choice{Locate: model.Density, Shift: 2, Batch: true}
	return records, func() *model.Design {
		d, err := model.NewDesign(tables, choice)
		if err != nil {
			panic(err)
		}
		return d
	}
}

// TestBatchInterleavings takes all sequences of up to six steps.
func TestBatchInterleavings(t *testing.T) {
	records, fresh := batchDesign(t)
	const longest = 6
	count := 0
	var extend func(s steps)
	extend = func(s steps) {
		if len(s) == longest {
			count++
			if complaint := play(fresh(), records, s); complaint != "" {
				t.Fatalf("%v: %s", s, complaint)
			}
			return
		}
		for one := range numSteps {
			extend(append(s[:len(s):len(s)], step(one)))
		}
	}
	extend(nil)
	t.Logf("%d sequences of %d steps", count, longest)
}

// TestBatchLongSequences takes longer ones, drawn at random; a failing one
// shrinks.
func TestBatchLongSequences(t *testing.T) {
	records, fresh := batchDesign(t)
	params := gopter.DefaultTestParametersWithSeed(seed)
	params.MinSuccessfulTests = 5 * runs(t)
	properties := gopter.NewProperties(params)
	properties.Property("batch index", prop.ForAll(func(codes []uint8) string {
		all := make(steps, len(codes))
		for i, code := range codes {
			all[i] = step(code)
		}
		if complaint := play(fresh(), records, all); complaint != "" {
			return fmt.Sprintf("%v: %s", all, complaint)
		}
		return ""
	}, gen.SliceOf(gen.UInt8Range(0, uint8(numSteps-1)))))
	properties.TestingRun(t, keeper{t})
}
