// SPDX-License-Identifier: GPL-2.0-only

package mechanism

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"

	"kgen/gen/csrc"
)

// Sentinels of a description.
var (
	// ErrUnknown: there is no mechanism of that name.
	ErrUnknown = errors.New("no such mechanism")
	// ErrDescription: the folder's files are wrong, whatever the tree.
	ErrDescription = errors.New("wrong description")
	// ErrConflict: mechanisms that cannot be in one series, or not in that order.
	ErrConflict = errors.New("do not go together")
)

// Source is a kernel tree to read from. Paths are relative to its top; what is
// not there is fs.ErrNotExist.
type Source interface {
	ReadFile(path string) ([]byte, error)
}

// Mechanism is one independent change of design, as templates/NAME describes
// it. See the package's documentation for the fields of the file.
type Mechanism struct {
	Name      string
	Summary   string
	After     []string
	Conflicts []Conflict
	Params    Params
	Semantics *Semantics // nil where every answer stays the same

	present   []presence
	values    []value
	require   []anchor
	readers   []readers
	edits     []edit
	known     []known
	fragments map[string]string // by file name
}

// Conflict says what a mechanism cannot share a series with, and why.
type Conflict struct {
	With   string `toml:"with"`
	Reason string `toml:"reason"`
}

// description is the layout of mechanism.toml.
type description struct {
	Name      string     `toml:"name"`
	Summary   string     `toml:"summary"`
	After     []string   `toml:"after"`
	Conflicts []Conflict `toml:"conflicts"`
	Param     []Param    `toml:"param"`
	Semantics *Semantics `toml:"semantics"`
	Present   []presence `toml:"present"`
	Value     []value    `toml:"value"`
	Require   []anchor   `toml:"require"`
	Readers   []readers  `toml:"readers"`
	Edit      []edit     `toml:"edit"`
}

// anchor names code in a file.
type anchor struct {
	File        string `toml:"file"`
	Function    string `toml:"function,omitempty"`
	Branch      string `toml:"branch,omitempty"`
	Statement   string `toml:"statement,omitempty"`
	Declaration string `toml:"declaration,omitempty"`
	Define      string `toml:"define,omitempty"`
}

func (a anchor) code() csrc.Anchor {
	return csrc.Anchor{Function: a.Function, Branch: a.Branch, Statement: a.Statement, Declaration: a.Declaration, Define: a.Define}
}

// Load reads one mechanism and makes sure that its description is complete.
func Load(fsys fs.FS, name string) (*Mechanism, error) {
	names, err := Names(fsys)
	if err != nil {
		return nil, err
	}
	if !slices.Contains(names, name) {
		return nil, fmt.Errorf("%w: %q; there are: %s", ErrUnknown, name, strings.Join(names, ", "))
	}
	var d description
	if err := decode(fsys, path.Join(name, "mechanism.toml"), &d); err != nil {
		return nil, err
	}
	m := &Mechanism{
		Name: d.Name, Summary: d.Summary, After: d.After, Conflicts: d.Conflicts, Params: d.Param,
		Semantics: d.Semantics,
		present:   d.Present, values: d.Value, require: d.Require, readers: d.Readers, edits: d.Edit,
		fragments: make(map[string]string),
	}
	var k knownFile
	if err := decode(fsys, path.Join(name, knownName), &k); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	m.known = k.Known
	files, err := fs.Glob(fsys, name+"/*.tmpl")
	if err != nil {
		return nil, err
	}
	for _, f := range files {
		text, err := fs.ReadFile(fsys, f)
		if err != nil {
			return nil, err
		}
		m.fragments[path.Base(f)] = string(text)
	}
	if err := m.validate(name); err != nil {
		return nil, fmt.Errorf("templates/%s: %w: %w", name, ErrDescription, err)
	}
	for i := range m.Params {
		m.Params[i].mechanism = m.Name
	}
	return m, nil
}

// Names lists the mechanisms, sorted.
func Names(fsys fs.FS) ([]string, error) {
	found, err := fs.Glob(fsys, "*/mechanism.toml")
	for i := range found {
		found[i] = path.Dir(found[i])
	}
	return found, err
}

// All loads every mechanism, sorted by name.
func All(fsys fs.FS) ([]*Mechanism, error) {
	names, err := Names(fsys)
	if err != nil {
		return nil, err
	}
	var all []*Mechanism
	for _, n := range names {
		m, err := Load(fsys, n)
		if err != nil {
			return nil, err
		}
		all = append(all, m)
	}
	return all, nil
}

// Touches lists the files that the mechanism edits or makes, sorted.
func (m *Mechanism) Touches() []string {
	var files []string
	for _, e := range m.edits {
		files = append(files, e.File)
	}
	slices.Sort(files)
	return slices.Compact(files)
}

// Together makes sure that mechanisms can be in one series in this order.
func Together(list []*Mechanism) error {
	for i, m := range list {
		for j, other := range list {
			for _, c := range m.Conflicts {
				if c.With == other.Name {
					return fmt.Errorf("%s and %s %w: %s; leave one out", m.Name, other.Name, ErrConflict, c.Reason)
				}
			}
			if i < j && slices.Contains(m.After, other.Name) {
				return fmt.Errorf("%s and %s %w in this order; put %s first", m.Name, other.Name, ErrConflict, other.Name)
			}
			if i < j && m.Name == other.Name {
				return fmt.Errorf("%s and %s %w: it is one mechanism; name it once", m.Name, m.Name, ErrConflict)
			}
		}
	}
	return nil
}

// decode reads a TOML file strictly.
func decode(fsys fs.FS, name string, into any) error {
	data, err := fs.ReadFile(fsys, name)
	if err != nil {
		return err
	}
	err = toml.NewDecoder(bytes.NewReader(data)).DisallowUnknownFields().Decode(into)
	if err == nil {
		return nil
	}
	var strict *toml.StrictMissingError
	if errors.As(err, &strict) && len(strict.Errors) > 0 {
		e := strict.Errors[0]
		row, _ := e.Position()
		return fmt.Errorf("templates/%s:%d: %w: unknown key %q", name, row, ErrDescription, strings.Join(e.Key(), "."))
	}
	var syntax *toml.DecodeError
	if errors.As(err, &syntax) {
		row, _ := syntax.Position()
		return fmt.Errorf("templates/%s:%d: %w: %w", name, row, ErrDescription, err)
	}
	return fmt.Errorf("templates/%s: %w: %w", name, ErrDescription, err)
}
