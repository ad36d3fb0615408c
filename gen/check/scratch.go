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
	"strings"
	"syscall"

	"kgen/gen/tree"
)

// entry is a file of the tree: its content, or where a symbolic link points.
type entry struct {
	data []byte
	mode fs.FileMode // permissions, and fs.ModeSymlink for a link
}

func (e entry) equal(other entry) bool {
	return e.mode == other.mode && string(e.data) == string(other.data)
}

// state is the content of every file that the series touches, at one prefix of
// it. A file that is not there at that prefix is missing from the map.
type state map[string]entry

// changed is every path whose content differs from before.
func (s state) changed(before state) map[string]bool {
	diff := make(map[string]bool)
	for p, e := range s {
		if old, ok := before[p]; !ok || !e.equal(old) {
			diff[p] = true
		}
	}
	for p := range before {
		if _, ok := s[p]; !ok {
			diff[p] = true
		}
	}
	return diff
}

// readEntry reads a file below root without following links: a series may touch
// the link itself, and a link on the way there could lead out of the tree. A
// file that does not exist has ok false.
func readEntry(root, rel string) (e entry, ok bool, err error) {
	for dir := path.Dir(rel); dir != "."; dir = path.Dir(dir) {
		info, err := os.Lstat(filepath.Join(root, dir))
		if err == nil && info.Mode()&fs.ModeSymlink != 0 {
			return e, false, fmt.Errorf("%w: %s leads through the symbolic link %s; patch the file it points to", ErrInput, rel, dir)
		}
	}
	name := filepath.Join(root, rel)
	info, err := os.Lstat(name)
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) {
		return e, false, nil
	}
	if err != nil {
		return e, false, err
	}
	switch {
	case info.Mode()&fs.ModeSymlink != 0:
		target, err := os.Readlink(name)
		return entry{[]byte(target), fs.ModeSymlink}, true, err
	case info.Mode().IsRegular():
		// Git knows two modes. A tree unpacked under another umask is the same tree.
		mode := fs.FileMode(0o644)
		if info.Mode()&0o100 != 0 {
			mode = 0o755
		}
		data, err := os.ReadFile(name)
		return entry{data, mode}, true, err
	}
	return e, false, fmt.Errorf("%w: %s is neither a file nor a link in %s", ErrInput, rel, root)
}

// writeEntry makes the file below root what e says, with the present as its
// modification time.
func writeEntry(root, rel string, e entry) error {
	name := filepath.Join(root, rel)
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return err
	}
	if err := os.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if e.mode&fs.ModeSymlink != 0 {
		return os.Symlink(string(e.data), name)
	}
	if err := os.WriteFile(name, e.data, e.mode); err != nil {
		return err
	}
	return os.Chmod(name, e.mode) // whatever the umask
}

// readState reads the given paths below root.
func readState(root string, paths []string) (state, error) {
	s := make(state)
	for _, rel := range paths {
		e, ok, err := readEntry(root, rel)
		if err != nil {
			return nil, err
		}
		if ok {
			s[rel] = e
		}
	}
	return s, nil
}

// newScratch makes a git repository in dir of the given files of the tree and
// nothing else: git am needs no more, and a kernel's worth of files takes
// minutes to commit. It returns their content.
func newScratch(ctx context.Context, dir string, t *tree.Tree, paths []string) (state, error) {
	base, err := readState(t.Dir, paths)
	if err != nil {
		return nil, err
	}
	// Attributes decide line endings and hunk headers.
	attributes, err := readState(t.Dir, []string{".gitattributes"})
	if err != nil {
		return nil, err
	}
	for _, files := range []state{attributes, base} {
		for rel, e := range files {
			if err := writeEntry(dir, rel, e); err != nil {
				return nil, fmt.Errorf("scratch repository: %w; set TMPDIR to a folder with space", err)
			}
		}
	}
	for _, args := range [][]string{
		{"init", "--quiet", "--template="},
		// -f: a .gitignore among the files must not hide others; Debian's has /*.
		{"add", "--force", "."},
		{"commit", "--quiet", "--allow-empty", "-m", "base"},
	} {
		out, err := git(ctx, dir, nil, args...)
		if err != nil {
			return nil, err
		}
		if out.code != 0 {
			return nil, fmt.Errorf("scratch repository: git %s: %s; set TMPDIR to a folder with space", strings.Join(args, " "), out.last())
		}
	}
	return base, nil
}
