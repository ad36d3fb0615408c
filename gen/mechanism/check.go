// SPDX-License-Identifier: GPL-2.0-only

package mechanism

import (
	"errors"
	"io/fs"
	"slices"
	"strings"

	"kgen/gen/csrc"
)

const knownName = "known.toml"

// knownFile is the layout of known.toml.
type knownFile struct {
	Known []known `toml:"known"`
}

// known is one variant of required code, as digests; see csrc.Known.
type known struct {
	anchor
	Trees []string `toml:"trees"`
	Sum   string   `toml:"sum"`
	Marks string   `toml:"marks,multiline"`
}

// Check makes sure that a tree has the code the mechanism was written for, and
// that nothing else there reads what it changes. It is for the tree as it is,
// before any edit of the series. The error names the first place that differs and
// is csrc.ErrDrift.
func (m *Mechanism) Check(src Source) error {
	_, err := m.check(src)
	return err
}

// check is Check, and names the code that an error is about.
func (m *Mechanism) check(src Source) (anchor, error) {
	w := work{src: src}
	for _, a := range m.require {
		f, err := w.file(a.File)
		if err != nil {
			return a, err
		}
		if err := f.Verify(a.code(), m.variants(a), m.words()...); err != nil {
			return a, err
		}
	}
	if at, err := m.checkReaders(&w); err != nil {
		return at, err
	}
	return m.tryEdits(&w)
}

// tryEdits looks for the places of all edits, so that a mechanism that cannot
// be made is refused before anything is. Places that an earlier mechanism or a
// condition provides are left for Apply.
func (m *Mechanism) tryEdits(w *work) (anchor, error) {
	for _, e := range m.edits {
		if len(m.After) > 0 || e.When != "" {
			continue
		}
		if err := e.make(w, e.text(m)); err != nil {
			return anchor{File: e.File, Function: e.Function, Branch: e.Branch, Statement: e.Find}, err
		}
	}
	return anchor{}, nil
}

// variants are the known ones of required code.
func (m *Mechanism) variants(a anchor) []csrc.Known {
	var out []csrc.Known
	for _, k := range m.known {
		if k.anchor == a {
			out = append(out, csrc.Known{Sum: k.Sum, Marks: strings.Join(strings.Fields(k.Marks), ""), Trees: k.Trees})
		}
	}
	return out
}

// words are texts whose tokens the required code may have.
func (m *Mechanism) words() []string {
	var out []string
	for _, e := range m.edits {
		out = append(out, e.Find, e.Replace, m.fragments[e.Template])
	}
	return out
}

// Fingerprints makes the content of known.toml from trees by version: one
// entry a variant of each requirement.
func (m *Mechanism) fingerprints(trees map[string]Source) (knownFile, error) {
	var versions []string
	for v := range trees {
		versions = append(versions, v)
	}
	slices.Sort(versions)
	var out knownFile
	for _, a := range m.require {
		first := len(out.Known)
		for _, v := range versions {
			w := work{src: trees[v]}
			f, err := w.file(a.File)
			if err != nil {
				return out, err
			}
			k, err := f.Fingerprint(a.code())
			if err != nil {
				return out, err
			}
			same := slices.IndexFunc(out.Known[first:], func(o known) bool { return o.Sum == k.Sum })
			if same >= 0 {
				o := &out.Known[first+same]
				o.Trees = append(o.Trees, v)
				continue
			}
			out.Known = append(out.Known, known{anchor: a, Trees: []string{v}, Sum: k.Sum, Marks: wrap(k.Marks)})
		}
	}
	return out, nil
}

// wrap breaks digests into lines of 15 tokens.
func wrap(marks string) string {
	const width = 75
	var b strings.Builder
	for len(marks) > width {
		b.WriteString(marks[:width] + "\n")
		marks = marks[width:]
	}
	return b.String() + marks + "\n"
}

// missing words a file that a tree does not have.
func missing(path string, err error) error {
	if !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return &csrc.DriftError{File: path, Expected: "a file", Found: "none"}
}
