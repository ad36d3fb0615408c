// SPDX-License-Identifier: GPL-2.0-only

package tree

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

// Flavour says where the history of a tree is.
type Flavour string

const (
	// Git is a git working tree (or a linked worktree) with a commit.
	Git Flavour = "git"
	// Folder has no history: an unpacked archive, also inside some other
	// project's repository.
	Folder Flavour = "folder"
)

// Tree is an opened kernel source tree.
type Tree struct {
	Dir     string  // absolute
	Name    string  // last element of Dir; for a fetched tree the name of its release
	Version string  // what make kernelversion prints: "7.3.4", "7.4.0-rc2"
	Flavour Flavour // Git or Folder
	Base    string  // full id of the HEAD commit; "" for a Folder
}

// Required are the files without which a folder is not taken for a kernel tree.
var Required = []string{"Makefile", "kernel/kallsyms.c"}

// Open opens the tree at a path (absolute, relative, or below ~), or the fetched
// tree of a release in Releases. A word that is the name of a release always means
// the fetched tree: write ./7.3 for a folder of that name. Older kernels than kgen
// can edit are opened too; see Supported.
//
// Errors are ErrNotKernel, ErrUnreadable, ErrCache and, for a git tree on a machine without
// git, ErrMissingTool.
func Open(nameOrPath string) (*Tree, error) {
	dir, err := locate(nameOrPath)
	if err != nil {
		return nil, err
	}
	info, err := os.Stat(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, syscall.ENOTDIR):
		return nil, fmt.Errorf("%w: %s does not exist; expected the top folder of a kernel source tree, or one of %s",
			ErrNotKernel, nameOrPath, releaseNames())
	case err != nil:
		return nil, unreadable(err)
	case !info.IsDir():
		return nil, fmt.Errorf("%w: %s is a file; expected the top folder of a kernel source tree", ErrNotKernel, nameOrPath)
	}
	t := &Tree{Dir: dir, Name: filepath.Base(dir), Flavour: Folder}
	for _, name := range Required {
		if _, err := t.ReadFile(name); errors.Is(err, fs.ErrNotExist) {
			if _, err := FindRelease(nameOrPath); err == nil {
				return nil, fmt.Errorf("%w: the fetched %s has no %s; remove %s and run kgen tree fetch %[2]s", ErrNotKernel, nameOrPath, name, dir)
			}
			return nil, fmt.Errorf("%w: %s has no %s; expected the top folder of a kernel source tree", ErrNotKernel, nameOrPath, name)
		} else if err != nil {
			return nil, err
		}
	}
	if t.Version, err = t.readVersion(); err != nil {
		return nil, err
	}
	if t.Base, err = head(dir); err != nil {
		return nil, err
	}
	if t.Base != "" {
		t.Flavour = Git
	}
	return t, nil
}

// locate turns what the user said into an absolute path.
func locate(nameOrPath string) (string, error) {
	if nameOrPath == "" {
		return "", fmt.Errorf("%w: no tree named; expected a path or one of %s", ErrNotKernel, releaseNames())
	}
	if _, err := FindRelease(nameOrPath); err == nil {
		dir, err := FetchedDir(nameOrPath)
		if err != nil {
			return "", err
		}
		switch _, err := os.Stat(dir); {
		case errors.Is(err, fs.ErrNotExist):
			return "", fmt.Errorf("%w: %s is not fetched yet; run kgen tree fetch %[2]s", ErrNotKernel, nameOrPath)
		case err != nil:
			return "", cacheError(err)
		}
		return dir, nil
	}
	path := nameOrPath
	if path == "~" || strings.HasPrefix(path, "~/") { // a shell leaves --tree=~/linux alone
		home, err := os.UserHomeDir()
		if err != nil {
			return "", fmt.Errorf("%w: %s: %w", ErrUnreadable, nameOrPath, err)
		}
		path = filepath.Join(home, path[1:])
	}
	abs, err := filepath.Abs(path)
	if err != nil {
		return "", fmt.Errorf("%w: %s: %w", ErrUnreadable, nameOrPath, err)
	}
	return abs, nil
}

// ReadFile reads a file of the tree, named by its slash-separated path from the
// top. A file that is not there gives an error that is fs.ErrNotExist; any other
// failure is ErrUnreadable.
func (t *Tree) ReadFile(rel string) ([]byte, error) {
	if !filepath.IsLocal(rel) {
		return nil, fmt.Errorf("%w: %q is not a path inside it", ErrUnreadable, rel)
	}
	name := filepath.Join(t.Dir, filepath.FromSlash(rel))
	info, err := os.Stat(name)
	if err == nil && !info.Mode().IsRegular() && !info.IsDir() {
		// A pipe would keep us waiting for ever, a device would never end.
		return nil, fmt.Errorf("%w: %s is not a regular file; put back the kernel's own", ErrUnreadable, name)
	}
	data, err := os.ReadFile(name)
	if errors.Is(err, syscall.ENOTDIR) {
		return nil, &fs.PathError{Op: "open", Path: filepath.Join(t.Dir, rel), Err: fs.ErrNotExist}
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, unreadable(err)
	}
	return data, err
}

// Date is when the tree was made: the committer's date of HEAD, and for a folder
// the time stamp of its Makefile, which archives preserve.
func (t *Tree) Date() (time.Time, error) {
	if t.Flavour == Git {
		return commitDate(t.Dir)
	}
	info, err := os.Stat(filepath.Join(t.Dir, "Makefile"))
	if err != nil {
		return time.Time{}, unreadable(err)
	}
	return info.ModTime().UTC(), nil
}

// cacheError is for the folder of fetched trees, which says nothing of any tree.
func cacheError(err error) error {
	return fmt.Errorf("%w: %w; set XDG_CACHE_HOME to a folder that can be read", ErrCache, err)
}

func unreadable(err error) error {
	return fmt.Errorf("%w: %w; check its owner and permissions", ErrUnreadable, err)
}
