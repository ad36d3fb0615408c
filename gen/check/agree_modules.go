// SPDX-License-Identifier: GPL-2.0-only

package check

import (
	"context"
	"fmt"
	"os"
	"slices"

	"kgen/gen/harness"
	"kgen/gen/manifest"
	"kgen/gen/mechanism"
	"kgen/gen/modharness"
	"kgen/gen/realmap"
	"kgen/model"
	"kgen/templates"
)

// How much is compared of the lookups of modules, as for those of the core
// kernel.
const (
	moduleScenes = 150
	prefixScenes = 60
)

// modulesChanged tells whether a step changes what looks up symbols of modules,
// or ftrace's use of it.
func modulesChanged(before, after state) bool {
	for name := range after.changed(before) {
		if slices.Contains(modharness.Files, name) {
			return true
		}
	}
	return false
}

// agreeModules compares a prefix. Answers that a mechanism declares to change are
// listed with an example each, and do not fail it; a crash always does.
func agreeModules(ctx context.Context, o Options, i int, p prefix, last bool) (manifest.Result, error) {
	dir, err := os.MkdirTemp(o.Series.temp, "agree-*")
	if err != nil {
		return manifest.Result{}, err
	}
	defer os.RemoveAll(dir)
	opts := modharness.Options{Seed: agreeSeed, Scenes: moduleScenes}
	if opts.ReplayDir, err = o.replayDir(); err != nil {
		return manifest.Result{}, err
	}
	src := harness.Source{Patched: p, Base: o.Tree}
	var rep *modharness.Report
	switch {
	case o.Replay != "" && !modharness.IsReplay(o.Replay):
		return manifest.Result{OK: true, Summary: "not replayed (a map of the core kernel)"}, nil
	case o.Replay != "":
		rep, err = modharness.Replay(ctx, dir, src, o.Replay, opts)
	case !last:
		opts.Scenes, opts.Variants = prefixScenes, modharness.Variants()[:prefixBuild]
		rep, err = modharness.Agree(ctx, dir, src, opts)
	default:
		opts.Plain = true
		if opts.Real, err = realModules(); err == nil {
			rep, err = modharness.Agree(ctx, dir, src, opts)
		}
	}
	if err != nil {
		return manifest.Result{}, err
	}
	declared, err := o.Series.declaresChanges(i)
	return modulesResult(o, rep, declared), err
}

func modulesResult(o Options, rep *modharness.Report, declared bool) manifest.Result {
	r := manifest.Result{OK: true, Messages: []string{rep.Summary()}, Summary: fmt.Sprintf("%d lookups in modules agree", rep.Lookups)}
	failures := 0
	for _, f := range rep.Findings {
		text := f.String()
		if declared && f.Kind == harness.Disagreement {
			text = "declared change of " + f.Op + ": " + text
		} else {
			failures++
		}
		r.Messages = append(r.Messages, text)
		if f.File != "" {
			r.Messages = append(r.Messages, "  again:   "+o.replayCommand(f.File))
		}
	}
	switch {
	case failures > 0:
		r.OK, r.Summary = false, count(failures, "failure")
	case len(rep.Findings) > 0:
		r.Summary = fmt.Sprintf("%d lookups in modules; differences as declared, of %s", rep.Lookups, count(len(rep.Findings), "kind"))
	}
	return r
}

// declaresChanges tells whether one of the first n patches is of a mechanism of
// ours that says which answers it changes. Of a foreign series nothing is known.
func (s *Series) declaresChanges(n int) (bool, error) {
	if s.manifest == nil {
		return false, nil
	}
	for _, p := range s.manifest.Patches[:min(n, len(s.manifest.Patches))] {
		if p.Mechanism == "" {
			continue
		}
		m, err := mechanism.Load(templates.FS, p.Mechanism)
		if err != nil {
			return false, err
		}
		if m.Semantics != nil {
			return true, nil
		}
	}
	return false, nil
}

// joined is what two comparisons of one patch say together.
func joined(a, b manifest.Result) manifest.Result {
	a.OK = a.OK && b.OK
	if a.Summary != "" {
		b.Summary = a.Summary + "; " + b.Summary
	}
	a.Summary = b.Summary
	a.Messages = append(a.Messages, b.Messages...)
	return a
}

// wholeModules are compared symbol by symbol. A variable, so that a test of the
// rung does not take the minutes that the large ones do.
var wholeModules = realmap.Modules

// realModules reads the fetched modules.
func realModules() ([]*model.Object, error) {
	var all []*model.Object
	for _, file := range wholeModules {
		name, err := file.Path()
		if err != nil {
			return nil, err
		}
		f, err := os.Open(name)
		if err != nil {
			return nil, err
		}
		o, err := model.ReadModule(f)
		f.Close()
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		all = append(all, o)
	}
	return all, nil
}
