// SPDX-License-Identifier: GPL-2.0-only

package check

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"kgen/gen/harness"
	"kgen/gen/manifest"
	"kgen/gen/modharness"
	"kgen/gen/realmap"
	"kgen/model"
)

// How much is compared. The last prefix that changes lookups, which is what
// would be merged, is compared in every variant and on a whole kernel; the ones
// before it must be right too, for the sake of a bisection, and get less.
const (
	agreeSeed    = 1
	agreeMaps    = 80
	agreeTables  = 500 // of the property generators
	prefixMaps   = 60
	prefixTables = 60
	prefixBuild  = 1 // variants
)

// agreeRung compares the lookups of every prefix with the specification: those of
// the core kernel, those of modules, or both, by what a patch changes. A patch
// that changes nothing they are made of is not compared again.
func agreeRung(ctx context.Context, o Options, states []state) ([]manifest.Result, error) {
	comparisons := []struct {
		changed func(before, after state) bool
		agree   func(ctx context.Context, o Options, i int, p prefix, last bool) (manifest.Result, error)
	}{{lookupsChanged, agreeCore}, {modulesChanged, agreeModules}}
	var results []manifest.Result
	for i := 1; i < len(states); i++ {
		r := manifest.Result{Patch: o.Series.Patches[i-1].Name, OK: true}
		for _, c := range comparisons {
			if !c.changed(states[i-1], states[i]) {
				continue
			}
			o.Progress("agree: " + r.Patch)
			last := !changedLater(states[i:], c.changed)
			one, err := c.agree(ctx, o, i, prefix{o.Tree, o.Series.touches(), states[i]}, last)
			if errors.Is(err, harness.ErrCompile) {
				if why := o.Tree.Supported(); why != nil {
					return nil, why // the series is not to blame
				}
				one, err = manifest.Result{Summary: "failed", Messages: []string{err.Error()}}, nil
			}
			if err != nil {
				return nil, agreeError(err)
			}
			r = joined(r, one)
		}
		if r.Summary == "" {
			r.Summary = "ok (lookups as before)"
		}
		results = append(results, r)
	}
	return results, nil
}

// changedLater tells whether any later step changes what is compared.
func changedLater(states []state, changed func(before, after state) bool) bool {
	for i := 1; i < len(states); i++ {
		if changed(states[i-1], states[i]) {
			return true
		}
	}
	return false
}

// lookupsChanged tells whether a step changes what the harness of the core kernel
// compiles. Headers count wherever they are, since either file may include them,
// but for those of modules.
func lookupsChanged(before, after state) bool {
	for name := range after.changed(before) {
		if name == "kernel/kallsyms.c" || name == "scripts/kallsyms.c" || strings.HasSuffix(name, ".h") && !slices.Contains(modharness.Files, name) {
			return true
		}
	}
	return false
}

// checkReplay refuses what is no replay file before any rung is climbed.
func (o Options) checkReplay() error {
	if o.Replay == "" {
		return nil
	}
	check := harness.CheckReplay
	if modharness.IsReplay(o.Replay) {
		check = modharness.CheckReplay
	}
	err := check(o.Replay)
	var pe *fs.PathError
	switch {
	case errors.As(err, &pe):
		return fmt.Errorf("%w: %s: %w; name a file that a failure left behind", ErrReplay, o.Replay, pe.Err)
	case err != nil:
		return fmt.Errorf("%w: %w; name a file that a failure left behind", ErrReplay, err)
	}
	return nil
}

func agreeCore(ctx context.Context, o Options, i int, p prefix, last bool) (manifest.Result, error) {
	if modharness.IsReplay(o.Replay) {
		return manifest.Result{OK: true, Summary: "not replayed (modules)"}, nil
	}
	rep, err := agree(ctx, o, p, last)
	if err != nil {
		return manifest.Result{}, err
	}
	return agreeResult(o, o.Series.Patches[i-1].Name, rep), nil
}

func agree(ctx context.Context, o Options, p prefix, whole bool) (*harness.Report, error) {
	dir, err := os.MkdirTemp(o.Series.temp, "agree-*")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	w, err := harness.Prepare(dir, harness.Source{Patched: p, Base: o.Tree})
	if err != nil {
		return nil, err
	}
	opts := harness.Options{Seed: agreeSeed, SmallMaps: agreeMaps, Generated: agreeTables}
	if opts.ReplayDir, err = o.replayDir(); err != nil {
		return nil, err
	}
	switch {
	case o.Replay != "":
		return w.Replay(ctx, o.Replay, opts)
	case !whole:
		opts.SmallMaps, opts.Generated, opts.Variants = prefixMaps, prefixTables, w.Variants()[:prefixBuild]
	default:
		if opts.RealMap, err = wholeKernel(); err != nil {
			return nil, err
		}
	}
	return w.Agree(ctx, opts)
}

// wholeKernel reads the fetched System.map.
func wholeKernel() ([]model.Symbol, error) {
	name, err := realmap.SystemMap.Path()
	if err != nil {
		return nil, err
	}
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	m, err := model.ReadText(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return m.Symbols, nil
}

// replayDir is where maps that show a disagreement are kept: with the builds.
func (o Options) replayDir() (string, error) {
	dir, err := o.cacheDir()
	return filepath.Join(dir, "replay"), err
}

func agreeResult(o Options, patch string, rep *harness.Report) manifest.Result {
	r := manifest.Result{Patch: patch, OK: len(rep.Findings) == 0, Messages: []string{rep.Summary()}}
	r.Summary = fmt.Sprintf("%d lookups agree", rep.Lookups)
	if !r.OK {
		r.Summary = count(len(rep.Findings), "failure")
	}
	for _, f := range rep.Findings {
		r.Messages = append(r.Messages, f.String())
		if f.File != "" {
			r.Messages = append(r.Messages, "  again:   "+o.replayCommand(f.File))
		}
	}
	return r
}

// replayCommand is what the user types to see one failure again.
func (o Options) replayCommand(file string) string {
	name := o.Tree.Name
	if name == "" {
		name = o.Tree.Dir
	}
	words := append([]string{"kgen", "check"}, o.Series.args...)
	words = append(words, "--tree", name, "--to", string(Agree), "--only", "--replay", file)
	for i, w := range words {
		if strings.ContainsAny(w, " \t'\"\\$*?[]()&;<>|`!#~") {
			words[i] = "'" + strings.ReplaceAll(w, "'", `'\''`) + "'"
		}
	}
	return strings.Join(words, " ")
}

func agreeError(err error) error {
	if errors.Is(err, harness.ErrMissingTool) {
		return fmt.Errorf("%w: %w", ErrTool, err)
	}
	return err
}

// prefix is the tree with the first patches of the series applied.
type prefix struct {
	tree    harness.Tree
	touched []string
	state   state
}

// ReadFile makes a prefix a harness.Tree.
func (p prefix) ReadFile(name string) ([]byte, error) {
	if !slices.Contains(p.touched, name) {
		return p.tree.ReadFile(name)
	}
	e, ok := p.state[name]
	if !ok {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	}
	return e.data, nil
}
