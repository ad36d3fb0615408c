// SPDX-License-Identifier: GPL-2.0-only

package modharness

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"time"

	"kgen/gen/harness"
	"kgen/model"
)

// ibtOffset is the FTRACE_MCOUNT_MAX_OFFSET of x86 with IBT, as distributions
// build it: a record lies behind the ENDBR that its function begins with.
const ibtOffset = 4

// Lookups in a live module, a life. A linear one in a large module takes more
// than 100 us, so not every record is looked up.
const (
	MostLookups = 1024
	MostNames   = 64
)

// subject is a design in a child of its own while it is measured.
type subject struct {
	Measured
	changes bool
	stage   *stage
	image   string // of the module, for loadModule
	module  string
	lookups int
	names   string // for timeNames
	asked   int    // how many they are
}

func newSubject(ctx context.Context, program string, d Design, cpu int) (*subject, error) {
	child, err := harness.StartChild(ctx, program, time.Minute)
	if err != nil {
		return nil, err
	}
	variant := Variants()[0]
	s := &subject{
		Measured: Measured{Name: d.Name, Samples: map[string][]float64{}}, changes: d.Changes,
		stage: &stage{child: child, rules: variant.rules(), bits: variant.Arch.bits()},
	}
	if err := child.Pin(cpu); err != nil {
		child.Close()
		return nil, fmt.Errorf("pinning a process to CPU %d: %w; measure where that CPU may be used", cpu, err)
	}
	return s, nil
}

// verify has the module live once and compares: all verdicts of ftrace, and
// answers about what is named in questions() while the module is coming and
// when it is live.
func (s *subject) verify(o *model.Object) error {
	st := s.stage
	spec := &model.ModuleSpec{Rules: st.rules}
	st.exp = &expectation{quick: map[*model.Module]*model.ModuleDesign{}, kernel: &model.Kernel{
		Core: &model.Spec{}, Modules: spec, CallSize: callSize,
	}}
	sc := &scene{objects: []*model.Object{o}, step: max(1, len(o.Symbols)/700)}
	s.image, s.module = newImage(o, st.rules, st.bits, 0).blob(0), o.Name
	if err := st.load(sc, 0, o); err != nil {
		return died(err)
	}
	im := st.images[0]
	s.Symbols, s.Records = len(im.module.Init.Symbols), len(im.module.Records)
	for _, q := range enableQueries(im.module, sc) {
		got, err := st.one(q)
		if err != nil {
			return died(err)
		}
		if err := s.compareVerdicts(q, st.exp.enable(q, got), got); err != nil {
			return err
		}
	}
	if err := s.compare(questions(st.exp.kernel, sc)); err != nil {
		return err
	}
	if _, err := st.one(harness.Query{Op: endInit, Name: s.module}); err != nil {
		return died(err)
	}
	st.liven(im)
	if err := s.compare(questions(st.exp.kernel, sc)); err != nil {
		return err
	}
	_, err := st.one(harness.Query{Op: unload, Name: s.module})
	s.lookups = min(MostLookups, len(im.module.Records))
	s.choose(im.module.Kallsyms().Symbols)
	return died(err)
}

// compareVerdicts counts the records that are flagged otherwise.
func (s *subject) compareVerdicts(q harness.Query, want, got answer) error {
	s.Compared += int64(len(want) / 4)
	for i := 0; i+4 <= min(len(want), len(got)); i += 4 {
		if !bytes.Equal(want[i:i+4], got[i:i+4]) {
			s.Differ++
			s.Verdicts++
		}
	}
	if bytes.Equal(want, got) || s.changes {
		return nil
	}
	return differs(q)
}

func (s *subject) compare(qs []harness.Query) error {
	for _, q := range qs {
		got, err := s.stage.one(q)
		if err != nil {
			return died(err)
		}
		s.Compared++
		if bytes.Equal(s.stage.exp.answer(q), got) {
			continue
		}
		if s.Differ++; !s.changes {
			return differs(q)
		}
	}
	return nil
}

func differs(q harness.Query) error {
	return fmt.Errorf("%w: %s; kgen check --to agree shows the smallest example", ErrDiffers, call(q))
}

// died says in words of its own what became of a child.
func died(err error) error {
	if f := (failed{}); errors.As(err, &f) {
		return fmt.Errorf("%w: %s: %s; kgen check --to agree shows the smallest example", ErrDiffers, call(f.query), f.got)
	}
	return err
}

// choose names to look up, spread over the table.
func (s *subject) choose(symbols []model.ElfSymbol) {
	var names []byte
	for i := range min(MostNames, len(symbols)) {
		if name := symbols[i*len(symbols)/min(MostNames, len(symbols))].Name; name != "" {
			names = append(append(names, name...), 0)
			s.asked++
		}
	}
	b := append([]byte(s.module), 0)
	s.names = string(append(binary.LittleEndian.AppendUint32(b, uint32(s.asked)), names...))
}

// live has the module live once, and takes the times and the bytes.
func (s *subject) live() error {
	var err error
	ask := func(op harness.Op, a uint64, name string) answer {
		var got answer
		if err == nil {
			got, err = s.stage.one(harness.Query{Op: op, A: a, Name: name})
		}
		if err != nil {
			return make(answer, 128) // whose zeros nobody reads
		}
		return got
	}
	take := func(column string, ns float64) { s.Samples[column] = append(s.Samples[column], ns) }
	ask(heldBytes, 0, "")
	loaded := ask(loadModule, 0, s.image)
	tables := regionBytes(&loaded)
	loaded.take8() // blocks
	load := float64(loaded.take8())
	s.LoadMost = max(s.LoadMost, tables+most(ask(heldBytes, 0, "")))
	enabled := ask(timeEnable, ibtOffset, s.module)
	enable, lock, valid := float64(enabled.take8()), float64(enabled.take8()), int(enabled.take8())
	s.EnableMost = max(s.EnableMost, tables+most(ask(heldBytes, 0, "")))
	live := ask(endInit, 0, s.module)
	ask(letTimePass, 0, "")
	held := ask(heldBytes, 0, "")
	s.Kept = int64(held.take8()) + regionBytes(&live)
	looked := ask(timeLookups, uint64(s.lookups), s.module)
	named := ask(timeNames, 0, s.names)
	unloaded := ask(timeUnload, 0, s.module)
	if err != nil {
		return died(err)
	}
	s.Valid = valid
	take(TimeLoad, load)
	take(TimeEnable, enable)
	take(TimeLock, lock)
	take(TimeBoth, load+enable)
	take(TimeUnload, float64(unloaded.take8()))
	if s.lookups > 0 {
		take(TimeLookup, float64(looked.take8())/float64(s.lookups))
	}
	if s.asked > 0 {
		take(TimeName, float64(named.take8())/float64(s.asked))
	}
	return nil
}

// most is the second part of the answer to heldBytes.
func most(held answer) int64 {
	held.take8()
	return int64(held.take8())
}

// regionBytes takes the regions off an answer and returns their bytes.
func regionBytes(a *answer) int64 {
	sum := int64(0)
	for range model.NumMemories {
		a.take8() // base
		sum += int64(a.take8())
	}
	return sum
}
