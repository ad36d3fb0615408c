// SPDX-License-Identifier: GPL-2.0-only

package check

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"kgen/gen/manifest"
)

// buildRung compiles what the series touches: once without it, then after each
// patch what that patch affects. An error fails a patch, and so does a warning
// that was not there before it.
func buildRung(ctx context.Context, o Options, states []state) ([]manifest.Result, error) {
	w, fresh, err := beginWorkspace(ctx, o, "", "")
	if err != nil {
		return nil, err
	}
	defer w.close()
	if fresh {
		o.Progress("build: configuring; the first build of a tree takes up to a minute")
	} else {
		o.Progress("build: configuring")
	}
	if err := w.view.prepare(ctx); err != nil {
		return nil, err
	}
	b := &builder{
		o: o, w: w, touched: o.Series.touches(),
		known: make(known), broken: make(map[string]bool), noted: make(map[string]bool),
	}
	var results []manifest.Result
	for i, s := range states {
		name := ""
		if i > 0 {
			name = o.Series.Patches[i-1].Name
		}
		res, err := b.step(ctx, s, name)
		if err != nil {
			return nil, err
		}
		results = append(results, res)
	}
	return results, w.end()
}

// beginWorkspace opens a workspace and prepares it for a build with the compiler
// that is there now. What else its objects depend on is in config. It tells
// whether the build is from nothing.
func beginWorkspace(ctx context.Context, o Options, suffix, config string) (_ *workspace, fresh bool, err error) {
	w, err := openWorkspace(ctx, o, suffix)
	if err != nil {
		return nil, false, err
	}
	defer func() {
		if err != nil {
			w.close()
		}
	}()
	gcc, err := proc{name: "gcc", args: []string{"--version"}}.run(ctx)
	if err != nil {
		return nil, false, err
	}
	stamp, err := stampOf(o, w.view.name(), gcc.stdout+config)
	if err != nil {
		return nil, false, err
	}
	fresh, err = w.begin(stamp)
	return w, fresh, err
}

// stampOf describes what objects are made with, as far as make does not see it
// by itself. The tree's folder is in it for the case that another tree of the
// same version, with older files, was put in its place.
func stampOf(o Options, view, gcc string) (string, error) {
	info, err := os.Stat(filepath.Join(o.Tree.Dir, "Makefile"))
	if err != nil {
		return "", err
	}
	const layout = 1 // of the workspace
	return fmt.Sprintf("layout %d\nview %s\ntree %s\nmakefile %v\nconfig %s\n%s",
		layout, view, o.Tree.Dir, info.ModTime().UnixNano(), strings.Join(coreConfig, " "), gcc), nil
}

// builder goes through the prefixes of a series.
type builder struct {
	o       Options
	w       *workspace
	touched []string

	state   state           // what the view shows
	targets []target        // what was built for it
	symbols []string        // configuration symbols asked for so far
	known   known           // what the compiler said so far
	broken  map[string]bool // targets that do not build without the series
	noted   map[string]bool // notes that the report has
}

// step builds one prefix. An empty patch name stands for the tree without any.
func (b *builder) step(ctx context.Context, s state, patch string) (manifest.Result, error) {
	base := patch == ""
	changed := s.changed(b.state)
	// Objects must be older than the files written now, and file systems count
	// time in ticks of some milliseconds.
	time.Sleep(10 * time.Millisecond)
	if err := b.w.show(b.o.Tree.Dir, b.touched, s); err != nil {
		return manifest.Result{}, err
	}
	read := b.reader(s)
	p := newPlan(read, b.lister(s), b.touched)
	again := base || touchesKconfig(changed)
	said, err := b.configure(ctx, read, s, &p, again)
	if err != nil {
		return manifest.Result{}, err
	}
	affected, err := b.affected(p.targets, changed, base)
	if err != nil {
		return manifest.Result{}, err
	}
	what := "the tree without the series"
	if !base {
		what = patch
	}
	b.o.Progress(fmt.Sprintf("build: %s, %s", what, count(len(affected), "target")))

	outs, err := b.compile(ctx, affected, base || again)
	if err != nil {
		return manifest.Result{}, err
	}
	for _, out := range outs {
		said = append(said, diagnostics(out, b.w.path("tree"))...)
	}
	b.state, b.targets = s, p.targets
	if base {
		return b.judgeBase(ctx, affected, said, p.notes)
	}
	return b.judge(ctx, patch, affected, said, outs, p.notes)
}

// configure writes the configuration where it may differ from the last, and takes
// the targets that cannot be switched on from the plan.
func (b *builder) configure(ctx context.Context, read reader, st state, p *plan, again bool) ([]diagnostic, error) {
	for _, t := range p.targets {
		for _, s := range t.symbols {
			if !slices.Contains(b.symbols, s) {
				b.symbols, again = append(b.symbols, s), true
			}
		}
	}
	var said []diagnostic
	if again {
		out, err := b.w.configure(ctx, read, st, b.symbols)
		if err != nil {
			return nil, err
		}
		said = diagnostics(out, b.w.path("tree"))
		if out.code != 0 {
			if b.state == nil {
				return nil, fmt.Errorf("%s: %w: make allnoconfig: %s; see %s", b.o.Tree.Dir, ErrBase, out.last(), b.w.path("log"))
			}
			// The patch broke Kconfig. The old .config stays, and make says it again.
			said = append(said, diagnostic{text: "make allnoconfig: " + out.last(), key: "allnoconfig", fatal: true})
		}
	}
	on, err := b.w.configured()
	if err != nil {
		return nil, err
	}
	p.targets = slices.DeleteFunc(p.targets, func(t target) bool {
		for _, s := range t.symbols {
			if !on[s] {
				p.note(t.source+t.because, "CONFIG_"+s+" cannot be on in the x86_64 configuration")
				return true
			}
		}
		return false
	})
	return said, nil
}

func touchesKconfig(changed map[string]bool) bool {
	for file := range changed {
		if isKconfig(file) {
			return true
		}
	}
	return false
}

// affected picks the targets that the changed files are a part of: all of them
// for the base, so that every warning is seen; then those whose source changed,
// that are new, that failed before, or that kbuild noted to depend on a changed
// file. Their old
// outputs are removed, so that none can be taken for a new one.
func (b *builder) affected(targets []target, changed map[string]bool, base bool) ([]target, error) {
	var out []target
	for _, t := range targets {
		isNew := !slices.ContainsFunc(b.targets, func(old target) bool { return old.name == t.name })
		failed := !b.built(t.name) && !b.broken[t.name]
		if !base && !isNew && !failed && !changed[t.source] && !b.dependsOn(t, changed) {
			continue
		}
		out = append(out, t)
		if err := os.Remove(b.w.path("out/" + t.name)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, cacheError(err)
		}
	}
	return out, nil
}

// dependsOn reads the .cmd file in which kbuild keeps what an output was made of.
func (b *builder) dependsOn(t target, changed map[string]bool) bool {
	data, err := os.ReadFile(b.w.path("out/" + path.Join(path.Dir(t.name), "."+path.Base(t.name)+".cmd")))
	if err != nil {
		return true // never built: then it is affected
	}
	words := strings.Fields(string(data))
	for file := range changed {
		if slices.Contains(words, b.w.path("tree/"+file)) {
			return true
		}
	}
	return false
}

// compile builds the targets. Kbuild's prepare, which builds the host programs,
// comes before any object, and is asked for by name only where no object is.
func (b *builder) compile(ctx context.Context, targets []target, prepare bool) ([]output, error) {
	var objects, tools []string
	for _, t := range targets {
		if t.host {
			tools = append(tools, t.name)
		} else {
			objects = append(objects, t.name)
		}
	}
	var outs []output
	if len(objects) > 0 {
		out, err := b.w.compile(ctx, objects...)
		if err != nil {
			return nil, err
		}
		outs = append(outs, out)
	}
	missing := slices.ContainsFunc(tools, func(name string) bool { return !b.built(name) })
	if missing && !failedAlready(outs) || prepare && len(outs) == 0 {
		out, err := b.w.compile(ctx, "prepare")
		if err != nil {
			return nil, err
		}
		outs = append(outs, out)
	}
	return outs, nil
}

// failedAlready tells whether make stopped at an error, which another run would
// only say again.
func failedAlready(outs []output) bool {
	return slices.ContainsFunc(outs, func(o output) bool { return o.code != 0 })
}

func (b *builder) built(name string) bool {
	_, err := os.Stat(b.w.path("out/" + name))
	return err == nil
}

// reader reads the tree with the state laid over it.
func (b *builder) reader(s state) reader {
	return func(rel string) ([]byte, error) {
		if e, ok := s[rel]; ok {
			return e.data, nil
		}
		if slices.Contains(b.touched, rel) {
			return nil, fs.ErrNotExist
		}
		return os.ReadFile(filepath.Join(b.o.Tree.Dir, rel))
	}
}

// lister lists a folder of the tree with the state laid over it.
func (b *builder) lister(s state) func(string) []string {
	return func(dir string) []string {
		var names []string
		// A folder that only the series makes cannot be read, and need not be.
		entries, _ := os.ReadDir(filepath.Join(b.o.Tree.Dir, dir))
		for _, e := range entries {
			names = append(names, e.Name())
		}
		for file := range s {
			if path.Dir(file) == dir {
				names = append(names, path.Base(file))
			}
		}
		slices.Sort(names)
		return slices.Compact(names)
	}
}
