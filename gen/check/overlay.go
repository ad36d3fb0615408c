// SPDX-License-Identifier: GPL-2.0-only

package check

import (
	"context"
	"errors"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// overlay is a view through an overlay file system. It is mounted in a mount
// namespace of its own by each program that needs it and vanishes with it: after
// a kill -9 there is nothing to unmount. Between programs nothing is mounted,
// and the upper layer is an ordinary folder that may be written to.
type overlay struct {
	w    *workspace
	user bool            // not root: a user namespace gives the right to mount
	gone map[string]bool // files of the tree to hide
}

// A deleted file is removed through the mount, which leaves a whiteout in the
// upper layer. The list is in the file gone.
const overlayScript = `mount -t overlay overlay -o "$1" tree
cd tree
while IFS= read -r f; do [ -z "$f" ] || rm -f -- "$f"; done < ../gone
shift
exec "$@"`

func (v *overlay) name() string { return "overlay" }

func (v *overlay) command(ctx context.Context, args ...string) (output, error) {
	list := strings.Join(slices.Sorted(maps.Keys(v.gone)), "\n") + "\n"
	if err := os.WriteFile(v.w.path("gone"), []byte(list), 0o644); err != nil {
		return output{}, cacheError(err)
	}
	flags, options := "-m", "lowerdir=lower,upperdir=upper,workdir=work,index=off"
	if v.user {
		flags, options = "-Urm", options+",userxattr"
	}
	return proc{
		name: "unshare", dir: v.w.dir, keep: []*os.File{v.w.lock},
		args: append([]string{flags, "sh", "-e", "-c", overlayScript, "sh", options}, args...),
	}.run(ctx)
}

// probe says why there can be no overlay, or nothing.
func (v *overlay) probe(ctx context.Context) (string, error) {
	for _, name := range []string{"upper", "work", "tree"} {
		if err := os.MkdirAll(v.w.path(name), 0o755); err != nil {
			return "", cacheError(err)
		}
	}
	out, err := v.command(ctx, "test", "-f", "Makefile")
	switch {
	case errors.Is(err, exec.ErrNotFound):
		return "unshare is missing", nil
	case err != nil:
		return "", err
	case out.code != 0:
		return "mount: " + out.last(), nil
	}
	return "", nil
}

// current looks at the upper layer first. A character device there is a whiteout.
func (v *overlay) current(rel string) (entry, bool, bool, error) {
	info, err := os.Lstat(filepath.Join(v.w.path("upper"), rel))
	switch {
	case err == nil && info.Mode()&fs.ModeCharDevice != 0:
		return entry{}, false, true, nil
	case err == nil:
		e, ok, err := readEntry(v.w.path("upper"), rel)
		return e, ok, true, err
	}
	e, ok, err := readEntry(v.w.path("lower")+"/.", rel)
	return e, ok, false, err
}

func (v *overlay) put(rel string, e entry) error {
	delete(v.gone, rel)
	return writeEntry(v.w.path("upper"), rel, e)
}

// remove takes the file from the upper layer, and has what lies below hidden.
func (v *overlay) remove(rel string) error {
	v.gone[rel] = true
	err := os.Remove(filepath.Join(v.w.path("upper"), rel))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// prepare hides what a build in the tree itself has left there, since kbuild
// refuses such a tree for O=. Kbuild's own mrproper knows what that is; here it
// removes nothing but the sight of it.
func (v *overlay) prepare(ctx context.Context) error { return v.w.mrproper(ctx, v) }
