// SPDX-License-Identifier: GPL-2.0-only

package modharness

import (
	"bytes"
	"context"
	"errors"
	"fmt"

	"kgen/gen/harness"
	"kgen/model"
)

// scene is a life of a few modules: they are loaded, looked up, they end their
// init, are looked up again, and are removed.
type scene struct {
	objects []*model.Object // in the order of loading
	core    []model.Symbol  // of the core kernel, in table order
	records []uint64        // of the core kernel, ascending
	starved bool            // no allocation succeeds while a module is loaded
	failing bool            // init of the last one fails
	seed    uint64          // of the questions
	step    int             // large modules are asked about every step-th symbol, 0 is everything
	part    int             // of those, every parts-th is asked, from this one on
	parts   int             // 0: all
	enable  bool            // have ftrace take large modules in, too
}

// failure is the first thing that went wrong in a scene.
type failure struct {
	kind          harness.Kind
	query         harness.Query
	expected, got string
	stage         string // where in the life of the modules
}

// stage runs scenes in one child.
type stage struct {
	child  *harness.Child
	rules  model.ModuleRules
	bits   int
	single bool
	// known are interfaces that have been found to disagree: one example of each
	// is enough, and the others are to be seen too.
	known func(harness.Op) bool

	images   []*image
	exp      *expectation
	now      string
	compared int64
}

// failed carries a *failure through functions that return an error.
type failed struct{ *failure }

func (f failed) Error() string { return call(f.query) }

// play runs a scene and returns what went wrong first, or nil. The child has no
// modules afterwards, unless something did.
func (s *stage) play(ctx context.Context, sc *scene) (*failure, error) {
	err := s.run(sc)
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	if f := (failed{}); errors.As(err, &f) {
		f.stage = s.now
		return f.failure, nil
	}
	return nil, err
}

func (s *stage) run(sc *scene) error {
	s.now, s.images = "before loading", nil
	spec := &model.ModuleSpec{Rules: s.rules}
	s.exp = &expectation{single: s.single, quick: map[*model.Module]*model.ModuleDesign{}, kernel: &model.Kernel{
		Core: &model.Spec{Symbols: sc.core}, Modules: spec, Records: sc.records, CallSize: callSize,
	}}
	if _, err := s.one(harness.Query{Op: setKernel, Name: kernelBlob(s.exp.kernel)}); err != nil {
		return err
	}
	before, err := s.one(harness.Query{Op: letTimePass})
	if err != nil {
		return err
	}
	for i, o := range sc.objects {
		if err := s.load(sc, i, o); err != nil {
			return err
		}
	}
	s.now = "coming"
	if err := s.examine(sc); err != nil {
		return err
	}
	for i, im := range s.images {
		if sc.failing && i == len(s.images)-1 {
			break
		}
		s.now = im.module.Name + " has ended its init"
		if err := s.endInit(sc, im); err != nil {
			return err
		}
		if err := s.examine(sc); err != nil {
			return err
		}
	}
	s.now = "removing"
	after := before
	for _, im := range s.images {
		if after, err = s.one(harness.Query{Op: unload, Name: im.module.Name}); err != nil {
			return err
		}
	}
	// The tables of the core kernel are the same ones.
	if !bytes.Equal(before, after) && !s.known(unload) {
		return failed{&failure{kind: harness.Disagreement, query: harness.Query{Op: unload},
			expected: fmt.Sprintf("%d blocks of memory in use, as before loading", before.take8()), got: fmt.Sprint(after.take8())}}
	}
	return nil
}

// load loads a module and takes the sizes of its regions from the child: a
// series may need more room in them.
func (s *stage) load(sc *scene, slot int, o *model.Object) error {
	im := newImage(o, s.rules, s.bits, slot)
	conditions := uint32(0)
	if sc.starved {
		conditions = starved
	}
	got, err := s.one(harness.Query{Op: loadModule, Name: im.blob(conditions)})
	if err != nil {
		return err
	}
	for m := range im.module.Mem {
		region := &im.module.Mem[m]
		if base := got.take8(); base != region.Base {
			return fmt.Errorf("modharness: the %v of %s lies at %#x in the child, expected %#x; newImage() lays it out otherwise", model.Memory(m), o.Name, base, region.Base)
		}
		region.Size = got.take8()
	}
	s.images = append(s.images, im)
	spec := s.exp.kernel.Modules
	spec.Modules = append([]*model.Module{im.module}, spec.Modules...)
	if len(im.module.Init.Symbols) > largeModule {
		s.exp.quick[im.module] = model.NewModuleDesign(model.SideIndex, im.module, s.rules, model.ModuleMemory{})
	}
	return s.tell(sc)
}

// largeModule is the number of symbols above which a linear scan for every
// question takes too long.
const largeModule = 2000

// tell gives the child what can be traced now. Of large modules it is not asked.
func (s *stage) tell(sc *scene) error {
	if sc.step > 0 {
		return nil
	}
	_, err := s.one(harness.Query{Op: setKernel, Name: kernelBlob(s.exp.kernel)})
	return err
}

// endInit ends a module's init, at times in the middle of a lookup.
func (s *stage) endInit(sc *scene, im *image) error {
	if at := sc.seed % 4; at > 0 && sc.step == 0 && len(im.module.Records) > 0 {
		if err := s.across(im, im.module.Records[int(sc.seed/4)%len(im.module.Records)], at); err != nil {
			return err
		}
	} else if _, err := s.one(harness.Query{Op: endInit, Name: im.module.Name}); err != nil {
		return err
	}
	s.liven(im)
	if err := s.tell(sc); err != nil {
		return err
	}
	if sc.step == 0 { // freed memory is still waiting for its grace period
		if err := s.examine(sc); err != nil {
			return err
		}
	}
	_, err := s.one(harness.Query{Op: letTimePass})
	return err
}

func (s *stage) liven(im *image) {
	im.module.EndInit()
	if d := s.exp.quick[im.module]; d != nil {
		d.EndInit()
	}
}

// across looks an address up while the module's init ends. The answer may be
// that of before, of after, or, where the old table was seen without the memory
// that it describes, in between.
func (s *stage) across(im *image, addr, at uint64) error {
	q := harness.Query{Op: lookupAcross, A: addr, B: at, Name: im.module.Name}
	got, err := s.one(q)
	if err != nil {
		return err
	}
	spec := s.exp.kernel.Modules
	before := s.exp.address(addr)
	between := *im.module
	between.EndInit()
	between.State = model.Coming
	p, ok := spec.FindSymbol(&between, addr)
	after := between
	after.State = model.Live
	q2, ok2 := spec.FindSymbol(&after, addr)
	for _, want := range []answer{before, place(im.module, p, ok), place(im.module, q2, ok2), place(nil, p, false)} {
		if bytes.Equal(got, want) {
			return nil
		}
	}
	if s.known(q.Op) {
		return nil
	}
	return disagreement(q, before, got)
}

func disagreement(q harness.Query, want, got answer) error {
	return failed{&failure{kind: harness.Disagreement, query: q, expected: describe(q.Op, want), got: describe(q.Op, got)}}
}

// examine compares everything in the present state.
func (s *stage) examine(sc *scene) error {
	qs := questions(s.exp.kernel, sc)
	if err := s.compare(qs); err != nil {
		return err
	}
	for _, im := range s.images {
		// A large one once, while it is coming, which is when ftrace does.
		if sc.step > 0 && (!sc.enable || im.module.State != model.Coming) {
			continue
		}
		for _, q := range enableQueries(im.module, sc) {
			got, err := s.one(q)
			if err != nil {
				return err
			}
			want := s.exp.enable(q, got)
			if !bytes.Equal(got, want) && !s.known(q.Op) {
				return disagreement(q, want, got)
			}
			s.compared += int64(len(im.module.Records)) + 1
		}
	}
	return nil
}

// batch is how many questions go to a child at a time: fewer than in
// gen/harness, since a lookup in a large module takes longer.
const batch = 512

func (s *stage) compare(qs []harness.Query) error {
	for len(qs) > 0 {
		part := qs[:min(batch, len(qs))]
		qs = qs[len(part):]
		reply, err := s.ask(part)
		if err != nil {
			return err
		}
		for _, q := range part {
			var got answer
			var ok bool
			if got, reply, ok = next(reply, q.Op); !ok {
				return fmt.Errorf("modharness: the child's answer to %s is cut short", call(q))
			}
			want := s.exp.answer(q)
			if !bytes.Equal(got, want) && !s.known(q.Op) {
				return disagreement(q, want, got)
			}
			s.compared++
		}
	}
	return nil
}

// one asks one thing.
func (s *stage) one(q harness.Query) (answer, error) {
	reply, err := s.ask([]harness.Query{q})
	if err != nil {
		return nil, err
	}
	got, _, ok := next(reply, q.Op)
	if !ok {
		return nil, fmt.Errorf("modharness: the child's answer to %s is cut short", call(q))
	}
	return got, nil
}

// ask turns a child that died into a failure.
func (s *stage) ask(qs []harness.Query) ([]byte, error) {
	reply, err := s.child.Ask(qs)
	if crash := (*harness.Crash)(nil); errors.As(err, &crash) {
		f := &failure{kind: harness.CrashKind, query: qs[min(max(crash.Query, 0), len(qs)-1)], expected: "an answer", got: crash.Error()}
		if crash.Hang {
			f.kind = harness.Hang
		}
		return nil, failed{f}
	}
	return reply, err
}
