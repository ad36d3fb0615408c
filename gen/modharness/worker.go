// SPDX-License-Identifier: GPL-2.0-only

package modharness

import (
	"context"
	"time"

	"kgen/gen/harness"
)

// worker runs jobs one after the other, with a child of its own for each
// variant.
type worker struct {
	s        *session
	children map[Variant]*harness.Child
}

func (wk *worker) close() {
	for v := range wk.children {
		wk.drop(v)
	}
}

// drop ends the child of a variant; the next use starts another.
func (wk *worker) drop(v Variant) {
	if c := wk.children[v]; c != nil {
		c.Close()
	}
	delete(wk.children, v)
}

// play runs a scene in the child of a variant.
func (wk *worker) play(ctx context.Context, v Variant, sc *scene, timeout time.Duration, known func(harness.Op) bool) (*failure, error) {
	if wk.children[v] == nil {
		c, err := harness.StartChild(ctx, wk.s.programs[v], timeout)
		if err != nil {
			return nil, err
		}
		wk.children[v] = c
	}
	st := &stage{child: wk.children[v], rules: v.rules(), bits: v.Arch.bits(), single: wk.s.works[v.Arch].Single, known: known}
	f, err := st.play(ctx, sc)
	if f != nil || err != nil {
		wk.drop(v)
	}
	wk.s.mu.Lock()
	wk.s.report.Lookups += st.compared
	wk.s.report.Modules += len(st.images)
	wk.s.mu.Unlock()
	return f, err
}

// do runs a job, and again as long as it shows something new.
func (wk *worker) do(ctx context.Context, j job) error {
	sc := j.scene()
	for !wk.s.died() {
		f, err := wk.play(ctx, j.variant, sc, wk.s.opts.Timeout, wk.s.known)
		if err != nil {
			return err
		}
		if f == nil || !wk.s.claim(f) {
			return nil
		}
		found, err := wk.report(ctx, j.variant, sc, f)
		if err != nil {
			return err
		}
		wk.s.mu.Lock()
		wk.s.report.Findings = append(wk.s.report.Findings, *found)
		wk.s.mu.Unlock()
	}
	return nil
}
