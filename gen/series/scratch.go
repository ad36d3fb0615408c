// SPDX-License-Identifier: GPL-2.0-only

package series

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sort"
	"strings"
	"time"
)

// ErrNoGit says that git, which makes the patches, is not installed.
var ErrNoGit = errors.New("git is not installed")

// scratch is a throw-away repository that holds the touched files and nothing
// else. It exists so that git itself makes the patches.
type scratch struct {
	dir        string
	who        Ident // author of the patches and of the cover letter
	when       time.Time
	attributes []byte       // the tree's .gitattributes
	in         bytes.Buffer // the fast-import stream
	mark       int
}

// commit is one commit of the scratch repository. Files maps a path to its
// content.
type commit struct {
	Message string
	Files   map[string][]byte
}

func newScratch(who Ident, when time.Time, attributes []byte) (*scratch, error) {
	dir, err := os.MkdirTemp("", "kgen-scratch-*")
	if err != nil {
		return nil, fmt.Errorf("scratch repository: %w; set TMPDIR to a folder that can be written", err)
	}
	return &scratch{dir: dir, who: who, when: when, attributes: attributes}, nil
}

func (s *scratch) remove() { os.RemoveAll(s.dir) }

// add queues a commit on top of the last one. Nothing reaches git before
// formatPatch, so that a series costs git three runs, however long it is.
func (s *scratch) add(c commit) {
	s.mark++
	branch := "series"
	if s.mark == 1 {
		branch = "base"
	}
	who := fmt.Sprintf("%s <%s> %d %s", s.who.Name, s.who.Email, s.when.Unix(), s.when.Format("-0700"))
	fmt.Fprintf(&s.in, "commit refs/heads/%s\nmark :%d\nauthor %s\ncommitter %s\n", branch, s.mark, who, who)
	fmt.Fprintf(&s.in, "data %d\n%s\n", len(c.Message), c.Message)
	if s.mark > 1 {
		fmt.Fprintf(&s.in, "from :%d\n", s.mark-1)
	}
	paths := make([]string, 0, len(c.Files))
	for p := range c.Files {
		paths = append(paths, p)
	}
	sort.Strings(paths)
	for _, p := range paths {
		fmt.Fprintf(&s.in, "M 100644 inline %s\ndata %d\n", p, len(c.Files[p]))
		s.in.Write(c.Files[p])
		s.in.WriteByte('\n')
	}
}

// formatPatch writes one file per commit after the first into dir, headed by a
// cover letter, and returns their paths in order.
func (s *scratch) formatPatch(ctx context.Context, dir, prefix string, version int, cover message) ([]string, error) {
	// There is no work tree for git to find the tree's attributes in.
	if err := os.MkdirAll(filepath.Join(s.dir, ".git", "info"), 0o755); err != nil {
		return nil, err
	}
	if err := os.WriteFile(filepath.Join(s.dir, ".git", "info", "attributes"), s.attributes, 0o644); err != nil {
		return nil, err
	}
	if _, err := s.git(ctx, nil, "init", "--quiet", "--template=", "--initial-branch=series"); err != nil {
		return nil, err
	}
	// Nobody keeps this repository: no sync, no compression, no second packing.
	if _, err := s.git(ctx, s.in.Bytes(), "-c", "core.fsync=none", "-c", "core.compression=0",
		"-c", "fastimport.unpackLimit=1", "fast-import", "--quiet", "--depth=0"); err != nil {
		return nil, err
	}
	args := []string{
		// git takes the text of a cover letter from the branch's description.
		"-c", "branch.series.description=" + cover.Subject + "\n\n" + strings.TrimSpace(cover.Body),
		"format-patch", "--quiet",
		"--output-directory", dir,
		"--subject-prefix", prefix,
		"--cover-letter", "--cover-from-description=subject",
		"--signature=kgen", "--abbrev=12", "--no-renames",
		"--diff-algorithm=myers", "--stat=76", "--numbered", "--no-thread"}
	if version > 1 {
		args = append(args, fmt.Sprintf("--reroll-count=%d", version))
	}
	args = append(args, "base..series")
	if _, err := s.git(ctx, nil, args...); err != nil {
		return nil, err
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	var files []string
	for _, e := range entries {
		if filepath.Ext(e.Name()) == ".patch" {
			files = append(files, filepath.Join(dir, e.Name()))
		}
	}
	return files, nil
}

// git runs git in the scratch repository, blind to the user's and the
// machine's configuration: a diff.noprefix there must not change a patch.
func (s *scratch) git(ctx context.Context, stdin []byte, args ...string) ([]byte, error) {
	cmd := exec.CommandContext(ctx, "git", args...)
	cmd.Dir = s.dir
	cmd.Env = append(cleanEnv(os.Environ()),
		"GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_NOSYSTEM=1", "GIT_ATTR_NOSYSTEM=1",
		"GIT_CEILING_DIRECTORIES="+filepath.Dir(s.dir), "LC_ALL=C", "TZ=UTC",
		"GIT_COMMITTER_NAME="+s.who.Name, "GIT_COMMITTER_EMAIL="+s.who.Email,
		fmt.Sprintf("GIT_COMMITTER_DATE=@%d %s", s.when.Unix(), s.when.Format("-0700")))
	if stdin != nil {
		cmd.Stdin = bytes.NewReader(stdin)
	}
	var out, msg bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &msg
	if err := cmd.Run(); err != nil {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if errors.Is(err, exec.ErrNotFound) {
			return nil, fmt.Errorf("%w: install the package git", ErrNoGit)
		}
		if strings.Contains(msg.String(), "No space left on device") || strings.Contains(msg.String(), "Out of diskspace") {
			return nil, fmt.Errorf("%w: no space left for the patches, or for the scratch repository in %s; free some space, choose another -o or set TMPDIR", ErrOutput, filepath.Dir(s.dir))
		}
		last := strings.TrimSpace(msg.String())
		return nil, fmt.Errorf("git %s in the scratch repository: %w: %s", verb(args), err, last[strings.LastIndexByte(last, '\n')+1:])
	}
	return out.Bytes(), nil
}

// verb is the git command among args, for error messages.
func verb(args []string) string {
	for i := 0; i < len(args); i++ {
		if args[i] == "-c" {
			i++
			continue
		}
		return args[i]
	}
	return ""
}

// cleanEnv drops the variables by which a calling git or its hooks would point
// ours at another repository.
func cleanEnv(env []string) []string {
	var kept []string
	for _, e := range env {
		if !strings.HasPrefix(e, "GIT_") {
			kept = append(kept, e)
		}
	}
	return kept
}
