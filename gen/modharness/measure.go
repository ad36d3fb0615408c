// SPDX-License-Identifier: GPL-2.0-only

package modharness

import (
	"context"
	"encoding/binary"
	"fmt"
	"slices"
	"time"

	"kgen/gen/harness"
	"kgen/model"
)

// ibtOffset is the FTRACE_MCOUNT_MAX_OFFSET of x86 with IBT, as distributions
// build it: a record lies behind the ENDBR that its function begins with.
const ibtOffset = 4

// Measured is what one design took on one module. All designs of a run were
// measured in turn, round after round, so that they can be compared.
type Measured struct {
	Name    string
	Records int
	Valid   int // records that ftrace enables: the same for every design
	// Load is the load of the module, as far as symbols are concerned, with what
	// the design builds then; Lookups is kallsyms_lookup() of every record;
	// Enable is ftrace_module_enable(), with what the design builds then. One
	// sample a round.
	Load, Lookups, Enable []time.Duration
}

// Design is one to measure.
type Design struct {
	Name   string
	Source harness.Source
}

// Measure times designs on a module, at -O2 and without sanitizers. The module
// is coming, which is when ftrace takes it in. All records are given a verdict
// in every round; that all designs give the same is an error otherwise.
func Measure(ctx context.Context, dir string, designs []Design, o *model.Object, rounds int) ([]Measured, error) {
	variant := Variants()[0]
	var out []Measured
	var images []*image
	var children []*harness.Child
	for i, d := range designs {
		w, err := Prepare(fmt.Sprintf("%s/%d", dir, i), d.Source, variant.Arch)
		if err != nil {
			return nil, err
		}
		program, err := w.BuildChild(ctx, variant.build(), harness.Optimized)
		if err != nil {
			return nil, err
		}
		c, err := harness.StartChild(ctx, program, 5*time.Minute)
		if err != nil {
			return nil, err
		}
		defer c.Close()
		children = append(children, c)
		im := newImage(o, variant.rules(), variant.Arch.bits(), 0)
		images = append(images, im)
		out = append(out, Measured{Name: d.Name, Records: len(im.module.Records)})
	}
	for range rounds {
		for i, c := range children {
			if err := out[i].round(&stage{child: c}, images[i]); err != nil {
				return nil, fmt.Errorf("%s: %w", out[i].Name, err)
			}
			if out[i].Valid != out[0].Valid {
				return nil, fmt.Errorf("%s finds %d records valid, %s finds %d; compare them with kgen check --to agree", out[i].Name, out[i].Valid, out[0].Name, out[0].Valid)
			}
		}
	}
	return out, nil
}

// round loads the module, measures and removes it.
func (m *Measured) round(s *stage, im *image) error {
	name := im.module.Name
	got, err := s.one(harness.Query{Op: loadModule, Name: im.blob(0)})
	if err != nil {
		return err
	}
	m.Load = append(m.Load, time.Duration(binary.LittleEndian.Uint64(got[len(got)-8:])))
	if got, err = s.one(harness.Query{Op: timeLookups, A: 1, Name: name}); err != nil {
		return err
	}
	m.Lookups = append(m.Lookups, time.Duration(got.take8()))
	if got, err = s.one(harness.Query{Op: timeEnable, A: ibtOffset, Name: name}); err != nil {
		return err
	}
	m.Enable = append(m.Enable, time.Duration(got.take8()))
	m.Valid = int(got.take8())
	_, err = s.one(harness.Query{Op: unload, Name: name})
	return err
}

// Median is the middle of the samples.
func Median(samples []time.Duration) time.Duration {
	s := slices.Clone(samples)
	slices.Sort(s)
	return s[len(s)/2]
}
