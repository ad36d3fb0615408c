// SPDX-License-Identifier: GPL-2.0-only

package series

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"kgen/gen/csrc"
	"kgen/gen/mechanism"
	"kgen/gen/tree"
)

// ErrOther: the tree has a mechanism, but not as it is asked for, or has one that
// the series cannot be put on. It is csrc.ErrDrift too: the tree is not one that
// can be edited so.
var ErrOther error = otherError{}

type otherError struct{}

func (otherError) Error() string        { return "in the tree already" }
func (otherError) Is(target error) bool { return target == csrc.ErrDrift }

// takeValues takes the parameters of what the tree has from the tree. One that is
// given and differs is refused: a patch from the one to the other is not what the
// series is.
func (p *plan) takeValues(o Options, upstream []string) error {
	for _, m := range o.Series.Mechanisms {
		if !slices.Contains(upstream, m.Name) {
			continue
		}
		has, err := m.ValuesOf(o.Tree)
		if err != nil {
			return fmt.Errorf("%s: %w", m.Name, err)
		}
		for _, param := range m.Params {
			v, known := has[param.Name]
			if !known {
				continue
			}
			if _, given := o.Values[param.Name]; given && v != p.params[param.Name] {
				return fmt.Errorf("%s is %w, with %s %s and not %s; generate with --%s %s or take a tree without it",
					m.Name, ErrOther, param.Name, param.Text(v), param.Text(p.params[param.Name]), param.Name, param.Text(v))
			}
			p.params[param.Name] = v
		}
	}
	return nil
}

// supported refuses trees that kgen cannot edit. A tree whose order of names was
// replaced by a mechanism that it has is not too old for the lack of it.
func (s *Series) supported(t *tree.Tree) error {
	err := t.Supported()
	if err == nil {
		return nil
	}
	there, failed := s.there(t)
	if failed != nil {
		return failed
	}
	if slices.ContainsFunc(there, func(m *mechanism.Mechanism) bool { return m.Replaces("kallsyms_seqs_of_names") }) {
		return nil
	}
	return err
}

// there lists the mechanisms that a tree has, of the series or not.
func (s *Series) there(src mechanism.Source) ([]*mechanism.Mechanism, error) {
	if s.templates == nil {
		return nil, nil
	}
	all, err := mechanism.All(s.templates)
	if err != nil {
		return nil, err
	}
	return slices.DeleteFunc(all, func(m *mechanism.Mechanism) bool {
		has, err := m.Upstream(src)
		return err != nil || !has // what is half there is told where it matters
	}), nil
}

// check makes sure that a mechanism can be put on the tree. What is in its way is
// named, where it is another mechanism: one that excludes it, or one that changed
// the very code that it was written for.
func (s *Series) check(m *mechanism.Mechanism, src mechanism.Source) error {
	drifted := m.Check(src)
	if drifted == nil && len(m.Conflicts) == 0 {
		return nil
	}
	there, err := s.there(src)
	if err != nil {
		return err
	}
	for _, other := range there {
		if reason, conflict := m.Against(other); conflict {
			return fmt.Errorf("%s is %w, and %s and %s %w: %s; take a tree without it", other.Name, ErrOther, m.Name, other.Name, mechanism.ErrConflict, reason)
		}
	}
	var drift *csrc.DriftError
	if !errors.As(drifted, &drift) {
		return drifted
	}
	by := m.ChangedBy(src, there)
	if by == nil {
		return drifted
	}
	return fmt.Errorf("%s %w and changed %s, of which %s knows the code before; they go together in one series, on a tree without",
		are(names(by)), ErrOther, drift.File, m.Name)
}

// are joins names as a sentence does, with its verb.
func are(names []string) string {
	last := len(names) - 1
	if last == 0 {
		return names[0] + " is"
	}
	return strings.Join(names[:last], ", ") + " and " + names[last] + " are"
}

// mailable refuses a file of which git am would not take a patch: mails lose the
// carriage returns of its lines, and git does not write through a symbolic link.
func mailable(t *tree.Tree, path string, text []byte) error {
	if at := bytes.Index(text, []byte("\r\n")); at >= 0 {
		return &csrc.DriftError{File: path, Line: 1 + bytes.Count(text[:at], []byte("\n")), Expected: "lines that end in LF", Found: "CR and LF, which a mail does not keep"}
	}
	for at := path; at != "."; at = filepath.Dir(at) {
		info, err := os.Lstat(filepath.Join(t.Dir, at))
		if err != nil {
			return err
		}
		if info.Mode()&os.ModeSymlink != 0 {
			return &csrc.DriftError{File: at, Expected: "a file or folder of the tree's own", Found: "a symbolic link, through which git am does not write"}
		}
	}
	return nil
}
