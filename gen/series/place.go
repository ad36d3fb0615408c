// SPDX-License-Identifier: GPL-2.0-only

package series

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"

	"kgen/gen/manifest"
)

// Sentinels of the output folder.
var (
	ErrExists     = errors.New("exists already")
	ErrInsideTree = errors.New("lies inside the kernel tree")
	ErrPrecious   = errors.New("is not a folder that kgen replaces")
	ErrOutput     = errors.New("cannot write the output")
)

// place is an output folder in the making: dir is filled, then swapped for
// final in one step.
type place struct {
	final string
	dir   string
	force bool // what stands at final may be replaced
}

// newPlace makes the folder to fill, beside the wanted one, so that the rename
// at the end stays within a file system.
func newPlace(out, tree string, force bool) (*place, error) {
	final, err := resolve(out)
	if err != nil {
		return nil, outputError(out, err)
	}
	if within(final, tree) {
		return nil, fmt.Errorf("output %s: %w %s; choose -o outside of it, kgen writes nothing there", out, ErrInsideTree, tree)
	}
	switch info, err := os.Lstat(final); {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return nil, outputError(out, err)
	case !force:
		return nil, fmt.Errorf("output %s: %w; say --force to replace it whole, or choose another -o", out, ErrExists)
	case !info.IsDir():
		return nil, fmt.Errorf("output %s: a file, not a folder, so it %w; choose another -o", out, ErrPrecious)
	default:
		if why := precious(final, tree); why != "" {
			return nil, fmt.Errorf("output %s: %s, so it %w even with --force; choose another -o", out, why, ErrPrecious)
		}
	}
	parent := filepath.Dir(final)
	if err := os.MkdirAll(parent, 0o755); err != nil {
		return nil, outputError(out, err)
	}
	dir, err := os.MkdirTemp(parent, "."+filepath.Base(final)+".kgen-*")
	if err != nil {
		return nil, outputError(out, err)
	}
	if err := os.Chmod(dir, 0o755); err != nil {
		os.Remove(dir)
		return nil, outputError(out, err)
	}
	return &place{final: final, dir: dir, force: force}, nil
}

// commit puts the filled folder where it was wanted. A folder that stands there
// is swapped out first and then removed, so at no time is there none.
func (p *place) commit() error {
	err := unix.Renameat2(unix.AT_FDCWD, p.dir, unix.AT_FDCWD, p.final, unix.RENAME_NOREPLACE)
	if errors.Is(err, unix.EEXIST) && !p.force {
		return fmt.Errorf("output %s: %w since kgen began; say --force to replace it whole, or choose another -o", p.final, ErrExists)
	}
	if errors.Is(err, unix.EEXIST) {
		err = unix.Renameat2(unix.AT_FDCWD, p.dir, unix.AT_FDCWD, p.final, unix.RENAME_EXCHANGE)
	}
	if errors.Is(err, unix.EINVAL) || errors.Is(err, unix.ENOSYS) { // not every file system can swap
		if _, there := os.Lstat(p.final); there == nil && !p.force {
			return fmt.Errorf("output %s: %w since kgen began; say --force to replace it whole, or choose another -o", p.final, ErrExists)
		}
		old := p.dir + ".old"
		if err = os.Rename(p.final, old); err == nil || errors.Is(err, fs.ErrNotExist) {
			if err = os.Rename(p.dir, p.final); err == nil {
				return os.RemoveAll(old)
			}
			os.Rename(old, p.final)
		}
	}
	if err != nil {
		return outputError(p.final, err)
	}
	return os.RemoveAll(p.dir)
}

// abandon removes what was filled so far. After commit it does nothing.
func (p *place) abandon() { os.RemoveAll(p.dir) }

// resolve makes out absolute and follows the links of what exists of it, so
// that a link into the tree does not pass for a place outside of it.
func resolve(out string) (string, error) {
	if out == "" {
		return "", errors.New("the name is empty")
	}
	abs, err := filepath.Abs(out)
	if err != nil {
		return "", err
	}
	rest := ""
	for dir := abs; ; dir = filepath.Dir(dir) {
		real, err := filepath.EvalSymlinks(dir)
		if err == nil {
			return filepath.Join(real, rest), nil
		}
		if !errors.Is(err, fs.ErrNotExist) || dir == filepath.Dir(dir) {
			return "", err
		}
		rest = filepath.Join(filepath.Base(dir), rest)
	}
}

// precious says why a folder must not be replaced, or "".
func precious(dir, tree string) string {
	has := func(names ...string) bool {
		for _, name := range names {
			if _, err := os.Lstat(filepath.Join(dir, name)); err != nil {
				return false
			}
		}
		return true
	}
	switch {
	case has(".git"), has("HEAD", "objects", "refs"):
		return "a git repository"
	case strings.Contains(dir+"/", "/.git/"):
		return "inside a git repository's own files"
	case has("Makefile", "kernel"), has("Makefile", "scripts"):
		return "a kernel tree"
	case strings.Count(dir, "/") < 2:
		return "a folder of the system"
	}
	if within(tree, dir) {
		return "it holds the kernel tree"
	}
	if home, err := os.UserHomeDir(); err == nil && within(home, dir) {
		return "it holds the home folder"
	}
	if cwd, err := os.Getwd(); err == nil && within(cwd, dir) {
		return "it holds the current folder"
	}
	if entries, err := os.ReadDir(dir); (err != nil || len(entries) > 0) && !manifest.Is(dir) {
		return "it has files and no " + manifest.FileName + " of kgen's"
	}
	return ""
}

// within says whether a path is a folder or in it, whatever links either is named
// through.
func within(path, folder string) bool {
	outer, err := os.Stat(folder)
	if err != nil {
		return false
	}
	real, err := resolve(path)
	if err != nil {
		return false
	}
	for ; ; real = filepath.Dir(real) {
		if info, err := os.Stat(real); err == nil && os.SameFile(info, outer) {
			return true
		}
		if real == filepath.Dir(real) {
			return false
		}
	}
}

// outputError words what keeps an output from being written.
func outputError(out string, err error) error {
	var pe *fs.PathError
	if errors.As(err, &pe) {
		out, err = pe.Path, pe.Err
	}
	remedy := "choose another -o"
	switch {
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT):
		remedy = "free some space or choose another -o"
	case errors.Is(err, fs.ErrPermission), errors.Is(err, syscall.EROFS):
		remedy = "choose a folder that you may write to"
	}
	return fmt.Errorf("%w %s: %w; %s", ErrOutput, out, err, remedy)
}
