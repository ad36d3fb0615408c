// SPDX-License-Identifier: GPL-2.0-only

package tree

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"kgen/gen/debian"
)

// head gives the commit of a git tree whose top folder is dir, and "" where there
// is none: no repository, one without commits or out of order, or one whose top
// folder is another. The last is a kernel unpacked inside somebody's project,
// whose commits say nothing about the kernel.
func head(dir string) (string, error) {
	// A file in linked worktrees and submodules, a folder otherwise.
	if _, err := os.Lstat(filepath.Join(dir, ".git")); errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	out, err := git(dir, nil, "rev-parse", "--show-toplevel", "--verify", "HEAD^{commit}")
	if errors.Is(err, ErrMissingTool) {
		return "", err
	}
	lines := strings.Split(strings.TrimSuffix(string(out), "\n"), "\n")
	if err != nil || len(lines) != 2 || !sameFolder(lines[0], dir) {
		return "", nil
	}
	return lines[1], nil
}

func sameFolder(a, b string) bool {
	x, errA := os.Stat(a)
	y, errB := os.Stat(b)
	return errA == nil && errB == nil && os.SameFile(x, y)
}

// commitDate is the committer's date of HEAD.
func commitDate(dir string) (time.Time, error) {
	out, err := git(dir, nil, "show", "-s", "--no-show-signature", "--format=%ct", "HEAD")
	if err != nil {
		return time.Time{}, err
	}
	seconds, err := strconv.ParseInt(strings.TrimSpace(string(out)), 10, 64)
	if err != nil {
		return time.Time{}, fmt.Errorf("%w: the date of HEAD in %s: %w", ErrUnreadable, dir, err)
	}
	return time.Unix(seconds, 0).UTC(), nil
}

// Dirty gives those of the named files that are not as HEAD has them, in the order
// named: changed, deleted, or not in HEAD at all. Content is compared, not time
// stamps or the index, whose skip-worktree and assume-unchanged bits hide changes.
// A folder has no HEAD and no dirty files.
func (t *Tree) Dirty(files ...string) ([]string, error) {
	if t.Flavour != Git || len(files) == 0 {
		return nil, nil
	}
	committed, err := t.committed(files)
	if err != nil {
		return nil, err
	}
	var here []string
	for _, name := range files {
		if _, err := os.Stat(filepath.Join(t.Dir, name)); err == nil {
			here = append(here, name)
		} else if !errors.Is(err, fs.ErrNotExist) {
			return nil, unreadable(err)
		}
	}
	// Without -w nothing is stored. Clean filters (line ends) are applied, as
	// git add would.
	out, err := git(t.Dir, []byte(strings.Join(here, "\n")+"\n"), "hash-object", "--stdin-paths")
	if err != nil {
		return nil, err
	}
	ids := strings.Fields(string(out))
	if len(here) != len(ids) {
		return nil, fmt.Errorf("%w: git hash-object gave %d ids for %d files of %s", ErrUnreadable, len(ids), len(here), t.Dir)
	}
	found := map[string]string{}
	for i, name := range here {
		found[name] = ids[i]
	}
	var dirty []string
	for _, name := range files {
		if found[name] != committed[name] {
			dirty = append(dirty, name)
		}
	}
	return dirty, nil
}

// committed maps those files that HEAD has to the ids of their content there.
func (t *Tree) committed(files []string) (map[string]string, error) {
	out, err := git(t.Dir, nil, slices.Concat([]string{"ls-tree", "-z", t.Base, "--"}, files)...)
	if err != nil {
		return nil, err
	}
	ids := map[string]string{}
	for entry := range strings.SplitSeq(string(out), "\x00") {
		if meta, name, ok := strings.Cut(entry, "\t"); ok { // mode type id TAB name
			ids[name] = strings.Fields(meta)[2]
		}
	}
	return ids, nil
}

// git runs a read-only git command on the repository of dir.
func git(dir string, stdin []byte, args ...string) ([]byte, error) {
	cmd := exec.Command("git", args...)
	cmd.Dir = dir
	cmd.Env = gitEnv(os.Environ())
	cmd.Stdin = bytes.NewReader(stdin)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if errors.Is(err, exec.ErrNotFound) {
		return nil, debian.Missing("git", "git")
	}
	if err != nil {
		why, _, _ := strings.Cut(strings.TrimSpace(stderr.String()), "\n")
		return nil, fmt.Errorf("%w: git %s in %s: %w: %s", ErrUnreadable, args[0], dir, err, why)
	}
	return out, nil
}

// gitEnv makes git look at the folder it runs in, whatever the caller's
// environment (kgen may run in a hook), take no optional locks, accept a tree that
// another user owns, and start no file monitor.
func gitEnv(environ []string) []string {
	env := slices.DeleteFunc(slices.Clone(environ), func(v string) bool {
		return strings.HasPrefix(v, "GIT_")
	})
	return append(env,
		"LC_ALL=C",
		"GIT_OPTIONAL_LOCKS=0",
		"GIT_NO_LAZY_FETCH=1",
		"GIT_CONFIG_COUNT=2",
		"GIT_CONFIG_KEY_0=safe.directory", "GIT_CONFIG_VALUE_0=*",
		"GIT_CONFIG_KEY_1=core.fsmonitor", "GIT_CONFIG_VALUE_1=false",
	)
}
