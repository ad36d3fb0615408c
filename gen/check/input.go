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

	"golang.org/x/sys/unix"

	"kgen/gen/manifest"
)

// Series is what a check is about: patches in the order of git am.
type Series struct {
	Name     string // as the user gave it
	Patches  []Patch
	Warnings []string // what the user should know, a line each

	args     []string         // what Load was given
	dir      string           // the folder kgen made, or empty
	manifest *manifest.Series // its series.json when the patches are still those
	temp     string           // where mails were taken apart
}

// Patch is one mail with a diff.
type Patch struct {
	Name    string   // file name, or one made of number and subject
	Subject string   // without [PATCH n/m]
	Touches []string // paths inside the tree, old and new names, sorted

	mail  string // file for git am
	plain string // the same without transfer encoding, for checkpatch
}

// Load reads a series from folders, mboxes and patch files. A folder that kgen
// made gives its patches in the order of series.json, any other folder its
// *.patch files by name, an mbox its mails by the number in [PATCH n/m]. Mails
// without a diff, such as a cover letter, are passed over. Errors match ErrInput
// or ErrTool. Close removes what Load unpacked.
func Load(ctx context.Context, args []string) (_ *Series, err error) {
	if len(args) == 0 {
		return nil, fmt.Errorf("%w: nothing given; name a folder, an mbox or patch files", ErrInput)
	}
	temp, err := os.MkdirTemp("", "kgen-check-*")
	if err != nil {
		return nil, fmt.Errorf("temporary folder: %w; set TMPDIR to a folder that can be written", err)
	}
	if err := roomIn(temp); err != nil {
		os.RemoveAll(temp)
		return nil, err
	}
	s := &Series{Name: args[0], args: args, temp: temp}
	defer func() {
		if err != nil {
			s.Close()
		}
	}()
	if len(args) > 1 {
		s.Name = fmt.Sprintf("%s and %d more", args[0], len(args)-1)
	}
	for _, arg := range args {
		info, err := os.Stat(arg)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return nil, fmt.Errorf("%w: %s: no such file or folder; name a folder, an mbox or patch files", ErrInput, arg)
		case err != nil:
			return nil, fmt.Errorf("%w: %w", ErrInput, err)
		case info.IsDir():
			err = s.loadDir(ctx, arg, len(args) == 1)
		default:
			err = s.loadFile(ctx, arg)
		}
		if err != nil {
			return nil, err
		}
	}
	s.tellApart()
	return s, nil
}

// Close removes the temporary files of the series.
func (s *Series) Close() { os.RemoveAll(s.temp) }

// tellApart makes the names of the patches differ, so that a report can be read:
// two folders may both have a 0001-fix.patch.
func (s *Series) tellApart() {
	times := make(map[string]int)
	for i := range s.Patches {
		name := s.Patches[i].Name
		times[name]++
		if n := times[name]; n > 1 {
			s.Patches[i].Name = fmt.Sprintf("%s (%d)", name, n)
		}
	}
}

// touches is every path that a patch of the series names, sorted.
func (s *Series) touches() []string {
	var all []string
	for _, p := range s.Patches {
		all = append(all, p.Touches...)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// loadDir reads the patches of a folder. Only a folder given alone can have the
// outcome recorded in its series.json.
func (s *Series) loadDir(ctx context.Context, dir string, alone bool) error {
	names, err := filepath.Glob(filepath.Join(globEscape(dir), "*.patch"))
	if err != nil {
		return fmt.Errorf("%w: %s: %w", ErrInput, dir, err)
	}
	m, err := manifest.Read(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return fmt.Errorf("%w: %w", ErrInput, err)
	default:
		names, err = s.loadManifest(dir, m, names, alone)
		if err != nil {
			return err
		}
	}
	before := len(s.Patches)
	for _, name := range names {
		mails, err := splitMails(ctx, name, s.temp)
		if err != nil {
			return err
		}
		for _, mail := range mails {
			if !mail.hasDiff() {
				continue // a cover letter
			}
			p, err := mail.patch(filepath.Base(name))
			if err != nil {
				return err
			}
			s.Patches = append(s.Patches, p)
		}
	}
	if len(s.Patches) == before {
		return fmt.Errorf("%w: %s: no *.patch file with a diff in it; make them with git format-patch -o %s", ErrInput, dir, dir)
	}
	return nil
}

// loadFile reads a file given by name: a patch, or an mbox of several.
func (s *Series) loadFile(ctx context.Context, name string) error {
	mails, err := splitMails(ctx, name, s.temp)
	if err != nil {
		return err
	}
	if len(mails) == 1 {
		if !mails[0].hasDiff() {
			return fmt.Errorf("%w: %s: no diff in it; expected a mail as git format-patch writes it", ErrInput, name)
		}
		p, err := mails[0].patch(filepath.Base(name))
		if err != nil {
			return err
		}
		s.Patches = append(s.Patches, p)
		return nil
	}
	mails, err = orderMails(name, mails)
	if err != nil {
		return err
	}
	for _, mail := range mails {
		p, err := mail.patch(mail.fileName())
		if err != nil {
			return err
		}
		s.Patches = append(s.Patches, p)
	}
	return nil
}

// globEscape keeps a folder name such as "v2[rfc]" from being a pattern.
func globEscape(dir string) string {
	var out []rune
	for _, r := range dir {
		if r == '*' || r == '?' || r == '[' || r == '\\' {
			out = append(out, '\\')
		}
		out = append(out, r)
	}
	return string(out)
}

// roomNeeded is what a check may put into the temporary folder, in bytes: copies
// of the patches and of the files they touch, MAINTAINERS being the largest.
const roomNeeded = 16 << 20

// roomIn makes sure that a full disk is called that: git cuts a patch short on
// one, and the patch would be blamed.
func roomIn(dir string) error {
	var fs unix.Statfs_t
	if err := unix.Statfs(dir, &fs); err != nil {
		return nil // what is wrong shows in its own words
	}
	if free := fs.Bavail * uint64(fs.Bsize); free < roomNeeded {
		return fmt.Errorf("temporary folder %s: %w, %d KiB free of the %d needed; free some space or set TMPDIR", filepath.Dir(dir), unix.ENOSPC, free>>10, roomNeeded>>10)
	}
	return nil
}
