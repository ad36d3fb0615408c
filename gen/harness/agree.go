// SPDX-License-Identifier: GPL-2.0-only

package harness

import (
	"context"
	"fmt"
	"runtime"
	"slices"
	"sync"
	"time"

	"kgen/gen/symgen"
	"kgen/model"
)

// Options selects how much Agree compares.
type Options struct {
	Variants  []Variant      // empty: those of Work.Variants
	Seed      uint64         // of the small maps
	SmallMaps int            // how many, for each word size, in all variants
	Generated int            // tables of the property generators, for each word size, in one variant each
	RealMap   []model.Symbol // a whole kernel, may be empty
	ReplayDir string         // where disagreements are written
	Timeout   time.Duration  // for one request to a child; 0 is 20 s
	Brief     bool           // stop at the first failure

	replay []model.Symbol // the map of a replay file, as it is
}

// Report is the outcome of Agree.
type Report struct {
	Lookups  int64  // answers compared
	Tables   int    // tables that the host tool wrote and a child loaded
	Refused  int    // small maps that the host tool refused with an error, as beyond a limit
	Refusal  string // its words for one of them
	Variants []Variant
	Findings []Finding // empty: full agreement
	Repeats  int       // failures of a kind and an interface that Findings has already
	CutShort bool      // enough was found, the rest was not run
	Elapsed  time.Duration
}

// maxFailures ends a run: what comes after is mostly the same fault again.
const maxFailures = 6

// Agree builds a prepared source in every variant and compares it with the
// specification on small maps and on a whole kernel. An error means that it
// could not be run; disagreements, crashes, hangs, sanitizer reports and
// refusals of the host tool are findings of the Report.
func (w *Work) Agree(caller context.Context, opts Options) (*Report, error) {
	start := time.Now()
	if opts.Variants == nil {
		opts.Variants = w.Variants()
	}
	if opts.Timeout == 0 {
		opts.Timeout = 20 * time.Second
	}
	ctx, cancel := context.WithCancelCause(caller)
	defer cancel(nil)
	s := &session{work: w, opts: opts, cancel: func() { cancel(nil) }, children: map[Variant]string{}, seen: map[failureKey]bool{}, tables: map[tableKey]func() (*table, error){}}
	if len(opts.RealMap) > 0 {
		symbols, _ := model.Prepare(slices.Clone(opts.RealMap), model.PrepareOptions{AllSymbols: true})
		s.real = symgen.NewStats(symbols)
	}
	if err := s.build(ctx); err != nil {
		return nil, err
	}
	jobs := make(chan job)
	go func() {
		defer close(jobs)
		for _, j := range s.jobs() {
			select {
			case jobs <- j:
			case <-ctx.Done():
				return
			}
		}
	}()
	err := Parallel(func() error {
		wk := newWorker(s)
		defer wk.close()
		for j := range jobs {
			if err := j(ctx, wk); err != nil && !s.enough() {
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
	if !s.report.CutShort && s.report.Refused > s.report.Tables/10 {
		s.report.Findings = append(s.report.Findings, Finding{Kind: BadTable, Variant: opts.Variants[0],
			Expected: "tables for all but a few extreme maps", Got: fmt.Sprintf("%d of them refused, %s", s.report.Refused, s.report.Refusal)})
	}
	s.report.Variants = opts.Variants
	s.report.Elapsed = time.Since(start)
	return &s.report, nil
}

// job is one piece of work for one worker.
type job func(context.Context, *worker) error

type session struct {
	work     *Work
	opts     Options
	cancel   func()
	tools    []string      // host tool builds; the first one's output is used
	real     *symgen.Stats // of the whole kernel, or nil
	children map[Variant]string

	mu     sync.Mutex
	seen   map[failureKey]bool
	tables map[tableKey]func() (*table, error)
	report Report
}

// Parallel runs f once for each processor and returns the first error.
func Parallel(f func() error) error {
	errs := make(chan error)
	n := runtime.GOMAXPROCS(0)
	for range n {
		go func() { errs <- f() }()
	}
	var first error
	for range n {
		if err := <-errs; err != nil && first == nil {
			first = err
		}
	}
	return first
}

// build compiles the host tool with each compiler that the variants name, and
// every child. The host tools differ in the sign of char: their output must not.
func (s *session) build(ctx context.Context) error {
	var compilers []string
	for _, v := range s.opts.Variants {
		if !slices.Contains(compilers, v.Compiler) {
			compilers = append(compilers, v.Compiler)
		}
	}
	s.tools = make([]string, len(compilers))
	var steps []func() error
	for i, compiler := range compilers {
		steps = append(steps, func() (err error) {
			s.tools[i], err = s.work.BuildHostTool(ctx, compiler, i == 0, Sanitized)
			return err
		})
	}
	variants := s.opts.Variants
	if v, ok := s.threaded(); ok {
		variants = append(slices.Clone(variants), v)
	}
	for _, v := range variants {
		steps = append(steps, func() error {
			program, err := s.work.BuildChild(ctx, v, v.profile())
			s.mu.Lock()
			defer s.mu.Unlock()
			s.children[v] = program
			return err
		})
	}
	next := make(chan func() error, len(steps))
	for _, step := range steps {
		next <- step
	}
	close(next)
	return Parallel(func() error {
		for step := range next {
			if err := step(); err != nil {
				return err
			}
		}
		return nil
	})
}

// jobs lists the work, the longest pieces first, and threads last: what fails
// without them is easier to understand.
func (s *session) jobs() []job {
	var jobs []job
	if len(s.opts.RealMap) > 0 {
		for i, v := range s.opts.Variants {
			parts, step := 1, 16
			if i == 0 {
				parts, step = 2*runtime.GOMAXPROCS(0), 1
			}
			for part := range parts {
				jobs = append(jobs, func(ctx context.Context, wk *worker) error {
					return wk.realMap(ctx, v, part, parts, step)
				})
			}
		}
	}
	if s.opts.replay != nil {
		for _, v := range s.opts.Variants {
			jobs = append(jobs, func(ctx context.Context, wk *worker) error { return wk.replay(ctx, v) })
		}
	}
	for i := range s.opts.SmallMaps {
		for _, bits := range []int{64, 32} {
			jobs = append(jobs, func(ctx context.Context, wk *worker) error { return wk.smallMap(ctx, i, bits) })
		}
	}
	for i := range s.opts.Generated {
		for _, bits := range []int{64, 32} {
			jobs = append(jobs, func(ctx context.Context, wk *worker) error { return wk.generatedMap(ctx, i, bits) })
		}
	}
	if v, ok := s.threaded(); ok {
		jobs = append(jobs, s.storms(v)...)
	}
	return jobs
}

// failureKey tells failures apart that are worth a finding each.
type failureKey struct {
	kind Kind
	op   Op
}

func (f *failure) key() failureKey {
	key := failureKey{kind: f.kind}
	if f.query != nil {
		key.op = f.query.Op
	}
	return key
}

// claim says whether a failure is worth shrinking; it counts those that are not.
func (s *session) claim(key failureKey) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.report.CutShort || s.opts.Brief && len(s.seen) > 0 {
		return false
	}
	if s.seen[key] {
		s.report.Repeats++
		return false
	}
	s.seen[key] = true
	return true
}

// found records a finding, unless shrinking led to a query that another finding
// has shown to fail already.
func (s *session) found(f Finding) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, have := range s.report.Findings {
		if have.key == f.key {
			s.report.Repeats++
			return
		}
	}
	s.report.Findings = append(s.report.Findings, f)
}

// enough ends the run once there were so many failures that more would tell
// nothing new.
func (s *session) enough() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	most := maxFailures
	if s.opts.Brief {
		most = 1
	}
	if len(s.report.Findings) > 0 && len(s.report.Findings)+s.report.Repeats >= most {
		s.report.CutShort = true
		s.cancel()
	}
	return s.report.CutShort
}

// refused counts a map that is beyond a limit the host tool knows of and says.
// That is an answer as good as a table, unless it becomes the rule.
func (s *session) refused(err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.report.Refused++
	s.report.Refusal = err.Error()
}

func (s *session) counted(lookups int) {
	s.mu.Lock()
	s.report.Lookups += int64(lookups)
	s.mu.Unlock()
}

// Summary is the report in one line.
func (r *Report) Summary() string {
	text := fmt.Sprintf("%d lookups compared on %d tables in %d variants, %.1f s", r.Lookups, r.Tables, len(r.Variants), r.Elapsed.Seconds())
	if r.Refused > 0 {
		text += fmt.Sprintf("; %d extreme maps were refused, %s", r.Refused, r.Refusal)
	}
	text += EmulationNote(slices.ContainsFunc(r.Variants, func(v Variant) bool { return v.Bits == 32 }))
	switch {
	case r.CutShort:
		return fmt.Sprintf("%s; %d failures and %d like them, then stopped", text, len(r.Findings), r.Repeats)
	case len(r.Findings) > 0:
		return fmt.Sprintf("%s; %d failures and %d like them", text, len(r.Findings), r.Repeats)
	}
	return text + "; full agreement"
}
