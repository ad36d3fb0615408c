// SPDX-License-Identifier: GPL-2.0-only

package modharness

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"

	"golang.org/x/sync/errgroup"

	"kgen/gen/harness"
	"kgen/model"
)

// ErrDiffers: a design that claims to change no answer changes one. It is not
// timed.
var ErrDiffers = errors.New("answers otherwise than the specification")

// Design is one to measure.
type Design struct {
	Name   string
	Source harness.Source
	// Changes says that it declares to change answers: they are counted then.
	Changes bool
}

// What is timed, by the names of Measured.Samples.
const (
	TimeLoad   = "load"        // what load_module() does about symbols, up to ftrace
	TimeEnable = "enable"      // ftrace_module_enable(), what it builds included
	TimeLock   = "lock"        // the part of that in which ftrace_lock is held
	TimeBoth   = "load+enable" // load and enable of one life together
	TimeLookup = "lookup"      // one kallsyms_lookup() in the live module
	TimeName   = "name"        // one find_kallsyms_symbol_value() in the live module
	TimeUnload = "unload"      // free_module()
)

// Measured is what one design took on one module. All designs of a run were
// measured in turn, round after round, so that they can be compared.
type Measured struct {
	Name string
	// Samples are in ns, one of every life of the module.
	Samples map[string][]float64
	// Bytes are only of use against another design's: the module's tables and
	// the stand-ins' are among them. Kept are held while the module is live;
	// LoadMost and EnableMost are the most held at a time in the load and in
	// ftrace_module_enable().
	Kept, LoadMost, EnableMost int64
	Compared                   int64 // answers held against the specification
	// Differ are other ones of those, Verdicts the verdicts of ftrace among them; 0
	// unless Design.Changes.
	Differ, Verdicts int64
	// Symbols are the entries of the module's table while its init runs, Records
	// the calls to the tracer in it, Valid those of them that ftrace enables.
	Symbols, Records, Valid int
}

// MeasureOptions say how to measure.
type MeasureOptions struct {
	Rounds   int // lives of the module with each design
	CPU      int // that the children run on, one at a time
	Progress func(string)
}

// Peak is how many more bytes than stock a design holds at most, at any time of
// a module's life.
func (m *Measured) Peak(stock *Measured) int64 {
	return max(m.Kept-stock.Kept, m.LoadMost-stock.LoadMost, m.EnableMost-stock.EnableMost)
}

// seed is that of the order in rounds.
const seed = 1

// Measure times designs on a module, at -O2 and without sanitizers. The module
// lives once a round with each: it is loaded, taken in by ftrace while it is
// coming, looked up in when it is live, and removed. Before that, each design
// gives verdicts on all records and answers about addresses and names, which
// are held against the specification. The error matches ErrDiffers where they
// are others.
func Measure(ctx context.Context, dir string, designs []Design, o *model.Object, opts MeasureOptions) ([]*Measured, error) {
	subjects := make([]*subject, len(designs))
	defer func() {
		for _, s := range subjects {
			if s != nil {
				s.stage.child.Close()
			}
		}
	}()
	g, building := errgroup.WithContext(ctx)
	g.SetLimit(2)
	for i, d := range designs {
		g.Go(func() error {
			opts.Progress("building " + d.Name)
			program, err := buildMeasured(building, fmt.Sprintf("%s/%d", dir, i), d)
			if err == nil {
				subjects[i], err = newSubject(ctx, program, d, opts.CPU)
			}
			return err
		})
	}
	if err := g.Wait(); err != nil {
		return nil, err
	}
	var out []*Measured
	for _, s := range subjects {
		opts.Progress("verifying " + s.Name)
		if err := s.verify(o); err != nil {
			return nil, fmt.Errorf("%s: %w", s.Name, err)
		}
		out = append(out, &s.Measured)
	}
	order := rand.New(rand.NewPCG(seed, 0))
	for round := range opts.Rounds {
		opts.Progress(fmt.Sprintf("round %d of %d", round+1, opts.Rounds))
		// One life each: a design that had more would find its caches warm.
		for _, i := range order.Perm(len(subjects)) {
			if err := subjects[i].live(); err != nil {
				return nil, fmt.Errorf("%s: %w", subjects[i].Name, err)
			}
			if ctx.Err() != nil {
				return nil, context.Cause(ctx)
			}
		}
	}
	return out, nil
}

func buildMeasured(ctx context.Context, dir string, d Design) (program string, err error) {
	variant := Variants()[0]
	w, err := Prepare(dir, d.Source, variant.Arch)
	if err != nil {
		return "", fmt.Errorf("%s: %w", d.Name, err)
	}
	if program, err = w.BuildChild(ctx, variant.build(), harness.Optimized); err != nil {
		err = fmt.Errorf("%s: %w", d.Name, err)
	}
	return program, err
}
