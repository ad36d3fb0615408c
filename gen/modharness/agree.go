// SPDX-License-Identifier: GPL-2.0-only

package modharness

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"kgen/gen/harness"
	"kgen/model"
)

// Options selects how much Agree compares.
type Options struct {
	Variants  []Variant       // empty: Variants()
	Seed      uint64          // of the small scenes
	Scenes    int             // how many, for each variant
	Real      []*model.Object // real modules
	Whole     bool            // ask about every symbol of them in the first variant, not about some
	Plain     bool            // ask about every symbol without sanitizers as well, as linear scans under them take minutes
	Brief     bool            // stop at the first failure, and leave it as it is
	ReplayDir string          // where disagreements are written
	Timeout   time.Duration   // for one request to a child; 0 is 60 s

	replay *scene
}

// Report is the outcome of Agree.
type Report struct {
	Lookups  int64 // answers compared
	Modules  int   // loaded, all variants together
	Variants []Variant
	Findings []Finding // empty: full agreement; one of each kind and interface
	Elapsed  time.Duration
}

// Summary is the report in one line.
func (r *Report) Summary() string {
	text := fmt.Sprintf("%d lookups compared in %d loaded modules in %d variants, %.1f s", r.Lookups, r.Modules, len(r.Variants), r.Elapsed.Seconds())
	text += harness.EmulationNote(slices.ContainsFunc(r.Variants, func(v Variant) bool { return v.Arch.bits() == 32 }))
	if len(r.Findings) > 0 {
		return fmt.Sprintf("%s; kinds of difference: %d", text, len(r.Findings))
	}
	return text + "; full agreement"
}

// Agree prepares a source in folders below dir, builds it in every variant and
// compares it with the specification. An error means that it could not be run;
// disagreements, crashes, hangs and sanitizer reports are findings of the
// Report.
func Agree(caller context.Context, dir string, src harness.Source, opts Options) (*Report, error) {
	start := time.Now()
	if opts.Variants == nil {
		opts.Variants = Variants()
	}
	if opts.Timeout == 0 {
		opts.Timeout = 60 * time.Second
	}
	ctx, cancel := context.WithCancelCause(caller)
	defer cancel(nil)
	if opts.Plain {
		plain := opts.Variants[0]
		plain.Plain = true
		opts.Variants = append(slices.Clone(opts.Variants), plain)
	}
	s := &session{opts: opts, programs: map[Variant]string{}, works: map[Arch]*Work{}, found: map[failureKey]bool{}}
	if err := s.build(ctx, dir, src); err != nil {
		return nil, err
	}
	jobs := s.jobs()
	next := make(chan job, len(jobs))
	for _, j := range jobs {
		next <- j
	}
	close(next)
	err := harness.Parallel(func() error {
		wk := &worker{s: s, children: map[Variant]*harness.Child{}}
		defer wk.close()
		for j := range next {
			if err := wk.do(ctx, j); err != nil {
				cancel(err)
				return err
			}
		}
		return nil
	})
	if caller.Err() != nil {
		return nil, context.Cause(caller)
	}
	if err != nil {
		return nil, context.Cause(ctx) // the others were stopped by it
	}
	s.report.Variants, s.report.Elapsed = opts.Variants, time.Since(start)
	return &s.report, nil
}

// job is a scene in a variant.
type job struct {
	variant Variant
	scene   func() *scene
}

type session struct {
	opts     Options
	programs map[Variant]string
	works    map[Arch]*Work

	mu     sync.Mutex
	found  map[failureKey]bool
	report Report
}

// failureKey tells failures apart that are worth a finding each.
type failureKey struct {
	kind harness.Kind
	op   harness.Op
}

// known says whether an interface has been found to disagree.
func (s *session) known(op harness.Op) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.found[failureKey{harness.Disagreement, op}]
}

// claim says whether a failure is the first of its kind.
func (s *session) claim(f *failure) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	key := failureKey{f.kind, f.query.Op}
	if s.found[key] {
		return false
	}
	s.found[key] = true
	return true
}

// died says that scenes are not worth going on with: the code crashes, or one
// failure was enough.
func (s *session) died() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.opts.Brief && len(s.report.Findings) > 0 {
		return true
	}
	for _, f := range s.report.Findings {
		if f.Kind != harness.Disagreement {
			return true
		}
	}
	return false
}

func (s *session) build(ctx context.Context, dir string, src harness.Source) error {
	var todo []Variant
	for _, v := range s.opts.Variants {
		if s.works[v.Arch] == nil {
			w, err := Prepare(dir+"/"+string(v.Arch), src, v.Arch)
			if err != nil {
				return err
			}
			s.works[v.Arch] = w
		}
		todo = append(todo, v)
	}
	next := make(chan Variant, len(todo))
	for _, v := range todo {
		next <- v
	}
	close(next)
	return harness.Parallel(func() error {
		for v := range next {
			program, err := s.works[v.Arch].BuildChild(ctx, v.build(), v.profile())
			if err != nil {
				return err
			}
			s.mu.Lock()
			s.programs[v] = program
			s.mu.Unlock()
		}
		return nil
	})
}

// About how many symbols of a real module questions are asked, in the first
// variant and in the others, unless it is the whole.
const (
	sampledFirst = 2000
	sampled      = 200
)

// thinned has every step-th of the records only: a linear scan for each of them
// takes a sanitized child many seconds.
func thinned(o *model.Object, step int) *model.Object {
	few := *o
	few.CallSites = nil
	for i := 0; i < len(o.CallSites); i += step {
		few.CallSites = append(few.CallSites, o.CallSites[i])
	}
	return &few
}

// jobs lists the work, small scenes first: what fails there is easier to
// understand.
func (s *session) jobs() []job {
	var jobs []job
	if s.opts.replay != nil {
		for _, v := range s.opts.Variants {
			jobs = append(jobs, job{v, func() *scene { return s.opts.replay }})
		}
		return jobs
	}
	for i := range s.opts.Scenes {
		for _, v := range s.opts.Variants {
			if v.Plain {
				continue
			}
			jobs = append(jobs, job{v, func() *scene { return smallScene(s.opts.Seed, i, v.Arch.bits(), s.opts.Real) }})
		}
	}
	for _, o := range s.opts.Real {
		for i, v := range s.opts.Variants {
			parts, step := 1, max(1, len(o.Symbols)/sampled)
			switch {
			case v.Plain, i == 0 && s.opts.Whole:
				parts, step = 1+len(o.Symbols)/20000, 1
			case i == 0:
				step = max(1, len(o.Symbols)/sampledFirst)
			}
			if v.Arch.bits() != 64 {
				continue
			}
			for part := range parts {
				jobs = append(jobs, job{v, func() *scene {
					return &scene{objects: []*model.Object{thinned(o, step)}, seed: s.opts.Seed, step: step, part: part, parts: parts, enable: (i == 0 || v.Plain) && part == 0}
				}})
			}
		}
	}
	return jobs
}
