// SPDX-License-Identifier: GPL-2.0-only

package tree

import (
	"errors"
	"fmt"
	"io/fs"
	"strconv"

	"kgen/model"
)

// Feature is one fact that decides what applies to a tree.
type Feature struct {
	Name     string `json:"name"`
	Value    string `json:"value"`
	Meaning  string `json:"meaning"`
	Evidence string `json:"evidence"` // file:line, or the file that lacks it
}

// Values of features that code asks for.
const (
	yes     = "yes"
	no      = "no"
	unknown = "unknown"

	placeRelative  = "place-relative"
	baseRelative   = "base-relative"
	baseOrAbsolute = "base-relative or absolute"
	orPercpu       = ", per-CPU symbols absolute on request"

	exact    = "exact"
	stripped = "LTO suffix stripped"
)

// Features reads every feature from the source, always in the same order. The
// error is ErrUnreadable; a file that is missing is a fact.
func (t *Tree) Features() ([]Feature, error) {
	s := newScanner(t)
	var all []Feature
	for _, p := range probes {
		all = append(all, s.feature(p))
	}
	return all, s.err
}

// Supported is nil if kgen can edit the symbol tables of the tree, and otherwise
// ErrUnsupported with what its source lacks. A tree may still have drifted where
// one edit goes: that is found when it is made.
func (t *Tree) Supported() error {
	s := newScanner(t)
	seqs, compare := s.feature(seqsProbe), s.feature(compareProbe)
	switch {
	case s.err != nil:
		return s.err
	case seqs.Value != yes:
		return fmt.Errorf("%w: Linux %s in %s has no kallsyms_seqs_of_names in %s, which came with v6.2; use a newer tree, such as 6.12 or 7.3",
			ErrUnsupported, t.Version, t.Dir, seqs.Evidence)
	case compare.Value != exact:
		return fmt.Errorf("%w: Linux %s in %s has kallsyms_seqs_of_names (v6.2 or a backport), but ordered and searched without LTO suffixes (cleanup_symbol_name, %s), expected exact names as since v6.11; use a newer tree, such as 6.12 or 7.3",
			ErrUnsupported, t.Version, t.Dir, compare.Evidence)
	}
	return nil
}

// Dialect is the way the tree's tables store addresses. The error is
// ErrUnsupported for one that the model does not know.
func (t *Tree) Dialect() (model.Dialect, error) {
	s := newScanner(t)
	f := s.feature(offsetsProbe)
	if s.err != nil {
		return 0, s.err
	}
	switch f.Value {
	case placeRelative:
		return model.PlaceRelative, nil
	case baseRelative, baseRelative + orPercpu:
		return model.BaseRelative, nil
	}
	return 0, fmt.Errorf("%w: kallsyms_sym_address() of Linux %s in %s reads addresses that are %s (%s), expected place-relative or base-relative ones; use a newer tree, such as 6.12 or 7.3",
		ErrUnsupported, t.Version, t.Dir, f.Value, f.Evidence)
}

// NameLimit is the tree's KSYM_NAME_LEN: the bytes of the longest symbol name and
// its terminator. The error is ErrUnsupported where it is not a plain number.
func (t *Tree) NameLimit() (int, error) {
	s := newScanner(t)
	f := s.feature(limitProbe)
	if s.err != nil {
		return 0, s.err
	}
	n, err := strconv.Atoi(f.Value)
	if err != nil {
		return 0, fmt.Errorf("%w: no number is defined as KSYM_NAME_LEN in %s of %s; use a newer tree, such as 6.12 or 7.3",
			ErrUnsupported, f.Evidence, t.Dir)
	}
	return n, nil
}

// scanner reads each file once.
type scanner struct {
	tree  *Tree
	files map[string]*source
	err   error // the first failure other than absence
}

func newScanner(t *Tree) *scanner {
	return &scanner{tree: t, files: map[string]*source{}}
}

// file gives a file of the tree, an empty one if it is not there.
func (s *scanner) file(rel string) *source {
	if src := s.files[rel]; src != nil {
		return src
	}
	text, err := s.tree.ReadFile(rel)
	if err != nil && !errors.Is(err, fs.ErrNotExist) && s.err == nil {
		s.err = err
	}
	s.files[rel] = newSource(rel, text)
	return s.files[rel]
}

func (s *scanner) exists(rel string) bool {
	_, err := s.tree.ReadFile(rel)
	if err != nil && !errors.Is(err, fs.ErrNotExist) && s.err == nil {
		s.err = err
	}
	return err == nil
}

func (s *scanner) feature(p probe) Feature {
	value, evidence := p.read(s)
	return Feature{Name: p.name, Value: value, Meaning: p.meaning, Evidence: evidence}
}
