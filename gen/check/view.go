// SPDX-License-Identifier: GPL-2.0-only

package check

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"
)

// view shows the user's tree with some files changed, at workspace/tree, and
// never writes to the user's tree.
//
// A stale object must not pass for a fresh one, and make knows only times. So a
// file whose content changes always gets the present as its time, also when it
// goes back to what the tree has: the tree's own time is older than the objects
// of the run before. For this every path that ever differed stays a real copy.
type view interface {
	name() string
	// prepare makes the view ready for a run, with nothing laid over the tree yet
	// but what earlier runs left.
	prepare(ctx context.Context) error
	// current is what the workspace's copy of the file holds; copied is false
	// where the tree itself shows through.
	current(rel string) (e entry, exists, copied bool, err error)
	put(rel string, e entry) error
	remove(rel string) error
	// command runs a program in workspace/tree.
	command(ctx context.Context, args ...string) (output, error)
}

// chooseView takes the overlay where the system allows one, and a copy made of
// links where it does not, as in some containers.
func (w *workspace) chooseView(ctx context.Context, tree string, o Options) (view, error) {
	if err := os.Remove(w.path("lower")); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, cacheError(err)
	}
	// By this name the tree's path needs no escaping in mount options.
	if err := os.Symlink(tree, w.path("lower")); err != nil {
		return nil, cacheError(err)
	}
	over := &overlay{w: w, user: os.Geteuid() != 0, gone: make(map[string]bool)}
	why, err := over.probe(ctx)
	if err != nil || why == "" {
		return over, err
	}
	o.Progress("build: no overlay here (" + why + "): linking the tree into the cache, which takes longer")
	return &farm{w: w, lower: tree}, nil
}

// show makes the view hold the state. Paths that earlier series wrote and this
// one does not touch go back to what the tree has.
func (w *workspace) show(tree string, touched []string, s state) error {
	written, err := w.readWritten()
	if err != nil {
		return err
	}
	all := slices.Concat(written, touched)
	slices.Sort(all)
	all = slices.Compact(all)
	// The list comes first: after a crash it may name too much, never too little.
	if err := os.WriteFile(w.path("written"), []byte(strings.Join(all, "\n")), 0o644); err != nil {
		return cacheError(err)
	}
	for _, rel := range all {
		want, ok := s[rel]
		if !slices.Contains(touched, rel) {
			if want, ok, err = readEntry(tree, rel); err != nil {
				return err
			}
		}
		if err := w.showFile(rel, want, ok); err != nil {
			return cacheError(fmt.Errorf("%s: %w", rel, err))
		}
	}
	return nil
}

func (w *workspace) showFile(rel string, want entry, ok bool) error {
	have, exists, copied, err := w.view.current(rel)
	switch {
	case err != nil:
		return err
	case !ok && exists:
		return w.view.remove(rel)
	case !ok, copied && exists && have.equal(want):
		return nil
	}
	return w.view.put(rel, want)
}

func (w *workspace) readWritten() ([]string, error) {
	data, err := os.ReadFile(w.path("written"))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return strings.FieldsFunc(string(data), func(r rune) bool { return r == '\n' }), cacheError(err)
}
