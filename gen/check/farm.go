// SPDX-License-Identifier: GPL-2.0-only

package check

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// farm is a view made of real folders and of links to the tree's files. It is
// made anew in each run, since the tree may have changed; files laid over it are
// kept in upper, with their times, and replace their links.
type farm struct {
	w     *workspace
	lower string // the user's tree
}

func (v *farm) name() string { return "links" }

func (v *farm) prepare(ctx context.Context) error {
	root := v.w.path("tree")
	if err := os.RemoveAll(root); err != nil {
		return cacheError(err)
	}
	err := filepath.WalkDir(v.lower, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		rel, err := filepath.Rel(v.lower, name)
		if err != nil {
			return err
		}
		to := filepath.Join(root, rel)
		switch {
		case d.IsDir() && d.Name() == ".git":
			return filepath.SkipDir
		case d.IsDir():
			return os.Mkdir(to, 0o755)
		case d.Type()&fs.ModeSymlink != 0:
			target, err := os.Readlink(name)
			if err != nil {
				return err
			}
			return os.Symlink(target, to)
		default:
			return os.Symlink(name, to)
		}
	})
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil {
		return cacheError(err)
	}
	if err := v.w.mrproper(ctx, v); err != nil {
		return err
	}
	written, err := v.w.readWritten()
	if err != nil {
		return err
	}
	for _, rel := range written {
		if err := v.relink(rel); err != nil {
			return cacheError(err)
		}
	}
	return nil
}

// relink puts the copy in upper in the place of the link. A path that has no copy
// was deleted by a patch, or not there.
func (v *farm) relink(rel string) error {
	to := filepath.Join(v.w.path("tree"), rel)
	if err := os.Remove(to); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	upper := filepath.Join(v.w.path("upper"), rel)
	info, err := os.Lstat(upper)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
		return err
	}
	if info.Mode()&fs.ModeSymlink != 0 {
		target, err := os.Readlink(upper)
		if err != nil {
			return err
		}
		return os.Symlink(target, to)
	}
	return os.Symlink(upper, to)
}

func (v *farm) command(ctx context.Context, args ...string) (output, error) {
	return proc{name: args[0], args: args[1:], dir: v.w.path("tree"), keep: []*os.File{v.w.lock}}.run(ctx)
}

// current is the copy in upper; without one, what the farm links to.
func (v *farm) current(rel string) (entry, bool, bool, error) {
	e, ok, err := readEntry(v.w.path("upper"), rel)
	if ok || err != nil {
		return e, ok, true, err
	}
	if _, err := os.Lstat(filepath.Join(v.w.path("tree"), rel)); err != nil {
		return entry{}, false, false, nil
	}
	e, ok, err = readEntry(v.lower, rel)
	return e, ok, false, err
}

func (v *farm) put(rel string, e entry) error {
	if err := writeEntry(v.w.path("upper"), rel, e); err != nil {
		return err
	}
	return v.relink(rel)
}

func (v *farm) remove(rel string) error {
	err := os.Remove(filepath.Join(v.w.path("upper"), rel))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return v.relink(rel)
}
