// SPDX-License-Identifier: GPL-2.0-only

package harness

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"time"

	"kgen/model"
)

// batch is how many queries go to a child at a time.
const batch = 4096

// worker runs jobs one after the other, with a child of its own for each
// variant, and a server of its own for each build of the host tool.
type worker struct {
	s        *session
	servers  map[string]*toolServer
	timeout  time.Duration
	children map[Variant]*Child
	loaded   map[Variant]*table
	expect   map[Variant]*Expect
}

func newWorker(s *session) *worker {
	return &worker{s: s, timeout: s.opts.Timeout, servers: map[string]*toolServer{}, children: map[Variant]*Child{}, loaded: map[Variant]*table{}, expect: map[Variant]*Expect{}}
}

func (wk *worker) close() {
	for v := range wk.children {
		wk.drop(v)
	}
	for _, server := range wk.servers {
		server.close()
	}
}

// hostTool is RunHostTool in one of the worker's servers.
func (wk *worker) hostTool(ctx context.Context, tool string, options []string, symbols []model.Symbol) ([]byte, error) {
	server := wk.servers[tool]
	if server == nil {
		var err error
		if server, err = startToolServer(ctx, tool); err != nil {
			return nil, err
		}
		wk.servers[tool] = server
	}
	text, err := server.run(options, symbols)
	if server.dead {
		server.close()
		delete(wk.servers, tool)
	}
	return text, err
}

// drop ends the child of a variant; the next use starts another.
func (wk *worker) drop(v Variant) {
	if c := wk.children[v]; c != nil {
		c.Close()
	}
	delete(wk.children, v)
	delete(wk.loaded, v)
	delete(wk.expect, v)
}

// load makes sure that the child of a variant has a table.
func (wk *worker) load(ctx context.Context, v Variant, t *table) (*Child, error) {
	c := wk.children[v]
	if c == nil {
		var err error
		if c, err = StartChild(ctx, wk.s.children[v], wk.timeout); err != nil {
			return nil, err
		}
		wk.children[v] = c
	}
	if wk.loaded[v] == t {
		return c, nil
	}
	if err := c.Load(t.image, t.bounds); err != nil {
		return nil, err
	}
	wk.loaded[v] = t
	wk.expect[v] = NewExpect(t.symbols, t.bounds, v, c.Delta())
	return c, nil
}

// failure is a disagreement on one table, before it is shrunk.
type failure struct {
	kind          Kind
	query         *Query // nil where the table itself is at fault
	expected, got string
}

// compare asks a child and returns the first answer that is wrong, or nil. It
// counts the answers that were right.
func (wk *worker) compare(ctx context.Context, v Variant, t *table, queries []Query) (*failure, error) {
	c, err := wk.load(ctx, v, t)
	if err != nil {
		return wk.loadFailure(ctx, v, err)
	}
	var want []byte
	for len(queries) > 0 {
		part := queries[:min(batch, len(queries))]
		queries = queries[len(part):]
		reply, err := c.Ask(part)
		crash := (*Crash)(nil)
		switch {
		case ctx.Err() != nil:
			wk.drop(v)
			return nil, context.Cause(ctx)
		case errors.As(err, &crash):
			wk.drop(v)
			q := part[min(crash.Query, len(part)-1)]
			return &failure{kind: crash.kind(), query: &q, expected: "an answer", got: crash.Error()}, nil
		case err != nil:
			return nil, err
		}
		r := answerReader{reply}
		for i := range part {
			got, ok := r.next(part[i].Op)
			if !ok {
				return nil, fmt.Errorf("harness: the child's answer to %s is cut short", part[i])
			}
			want = wk.expect[v].Append(want[:0], part[i])
			if !bytes.Equal(got, want) {
				wk.s.counted(i)
				delta := c.delta
				wk.drop(v) // a batch may be open
				return &failure{Disagreement, &part[i], describe(part[i], want, delta), describe(part[i], got, delta)}, nil
			}
		}
		wk.s.counted(len(part))
	}
	return nil, nil
}

// loadFailure sorts what went wrong while loading: tables that cannot be
// placed are the code's fault, a child that cannot start is not.
func (wk *worker) loadFailure(ctx context.Context, v Variant, err error) (*failure, error) {
	wk.drop(v)
	crash := (*Crash)(nil)
	switch {
	case ctx.Err() != nil:
		return nil, context.Cause(ctx)
	case errors.Is(err, ErrLoad):
		return &failure{kind: BadTable, expected: "tables that the kernel can use", got: err.Error()}, nil
	case errors.As(err, &crash):
		return &failure{kind: crash.kind(), expected: "tables are loaded", got: crash.Error()}, nil
	}
	return nil, err
}

// check makes a table of a map with a build of the host tool and compares it, one
// set of questions after the other; a fault of the host tool is a failure too.
func (wk *worker) check(ctx context.Context, v Variant, source []model.Symbol, tool string, ask ...func(*table) []Query) (*failure, error) {
	t, err := wk.s.makeTable(ctx, wk.hostTool, v, source, tool)
	if errors.Is(err, ErrRefused) {
		wk.s.refused(err)
		return nil, nil
	}
	if err != nil {
		return toolFailure(ctx, err)
	}
	for _, questions := range ask {
		if f, err := wk.compare(ctx, v, t, questions(t)); f != nil || err != nil {
			return f, err
		}
	}
	return nil, nil
}

func toolFailure(ctx context.Context, err error) (*failure, error) {
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	if errors.Is(err, ErrHostTool) || errors.Is(err, ErrAssembler) {
		return &failure{kind: BadTable, expected: "tables", got: err.Error()}, nil
	}
	return nil, err
}

// smallMap compares the i-th small map in the variants of a word size. The
// tables are shared by variants that agree on them.
func (wk *worker) smallMap(ctx context.Context, i, bits int) error {
	source := SmallMap(wk.s.opts.Seed, i, bits)
	tables := map[string]*table{}
	for _, v := range wk.s.opts.Variants {
		if v.Bits != bits {
			continue
		}
		key := strings.Join(wk.s.work.ToolOptions(v), " ")
		if tables[key] == nil {
			others := wk.s.tools[1:]
			if i%16 != 0 {
				others = nil
			}
			t, err := wk.s.makeTable(ctx, wk.hostTool, v, source, wk.s.tools[0], others...)
			if errors.Is(err, ErrRefused) {
				wk.s.refused(err)
				return nil
			}
			if err != nil {
				f, err := toolFailure(ctx, err)
				return wk.finish(ctx, v, source, f, err)
			}
			tables[key] = t
		}
		t := tables[key]
		f, err := wk.compare(ctx, v, t, wk.questions(i, t))
		if f != nil || err != nil {
			return wk.finish(ctx, v, source, f, err)
		}
	}
	return nil
}

func (wk *worker) questions(i int, t *table) []Query {
	r := rand.New(rand.NewPCG(wk.s.opts.Seed, ^uint64(i)))
	qs := everything(r, t.symbols, t.bounds)
	if wk.s.work.Batch {
		qs = append(qs, inBatches(r, qs)...)
	}
	return qs
}

// realMap compares one part of the whole kernel.
func (wk *worker) realMap(ctx context.Context, v Variant, part, parts, step int) error {
	t, err := wk.s.realTable(ctx, v)
	if err != nil {
		f, err := toolFailure(ctx, err)
		return wk.finish(ctx, v, wk.s.opts.RealMap, f, err)
	}
	n := len(t.symbols)
	qs := sweep(t.symbols, n*part/parts, n*(part+1)/parts, step)
	if part == 0 {
		qs = append(qs, Query{Op: OnEachSymbol}, Query{Op: ReadProc, B: uint64(n)}, Query{Op: KdbWalk})
	}
	f, err := wk.compare(ctx, v, t, qs)
	return wk.finish(ctx, v, t.source, f, err)
}

// replay compares the map of a replay file.
func (wk *worker) replay(ctx context.Context, v Variant) error {
	f, err := wk.check(ctx, v, wk.s.opts.replay, wk.s.tools[0], func(t *table) []Query { return wk.questions(0, t) })
	return wk.finish(ctx, v, wk.s.opts.replay, f, err)
}

// finish shrinks a failure and records it.
func (wk *worker) finish(ctx context.Context, v Variant, source []model.Symbol, f *failure, err error) error {
	if f == nil || err != nil {
		return err
	}
	if !wk.s.claim(f.key()) {
		wk.s.enough()
		return nil
	}
	found, err := wk.report(ctx, v, source, f)
	if err != nil {
		return err
	}
	wk.s.found(*found)
	wk.s.enough()
	return nil
}
