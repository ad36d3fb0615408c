// SPDX-License-Identifier: GPL-2.0-only

package series

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"

	"kgen/gen/mechanism"
)

// ErrUnknown says that there is no series of the wanted name.
var ErrUnknown = errors.New("no such series")

// Series is an ordered list of mechanisms, each of which becomes one patch.
type Series struct {
	Name       string
	Summary    string // one line for kgen list
	Mechanisms []*mechanism.Mechanism

	templates fs.FS // of all mechanisms, for what a tree may have besides
}

// file is the layout of patches/NAME/series.toml.
type file struct {
	Name    string   `toml:"name"`
	Summary string   `toml:"summary"`
	Patches []string `toml:"patches"`
}

// Load reads the description of one series from patches and its mechanisms
// from templates. The error is ErrUnknown where patches has no such folder.
func Load(patches, templates fs.FS, name string) (*Series, error) {
	names, err := Names(patches)
	if err != nil {
		return nil, err
	}
	known := false
	for _, n := range names {
		known = known || n == name
	}
	if !known {
		return nil, fmt.Errorf("%w: %q; there are: %s", ErrUnknown, name, strings.Join(names, ", "))
	}

	where := path.Join(name, "series.toml")
	data, err := fs.ReadFile(patches, where)
	if err != nil {
		return nil, err
	}
	var f file
	if err := toml.NewDecoder(bytes.NewReader(data)).DisallowUnknownFields().Decode(&f); err != nil {
		return nil, fmt.Errorf("patches/%s: %w", where, err)
	}
	if f.Name != name {
		return nil, fmt.Errorf("patches/%s: name is %q, the folder is %q", where, f.Name, name)
	}
	s := &Series{Name: f.Name, Summary: f.Summary, templates: templates}
	for _, p := range f.Patches {
		m, err := mechanism.Load(templates, p)
		if err != nil {
			return nil, fmt.Errorf("patches/%s: %w", where, err)
		}
		s.Mechanisms = append(s.Mechanisms, m)
	}
	return s, nil
}

// Names lists the folders of patches that describe a series, sorted.
func Names(patches fs.FS) ([]string, error) {
	found, err := fs.Glob(patches, "*/series.toml")
	if err != nil {
		return nil, err
	}
	for i := range found {
		found[i] = path.Dir(found[i])
	}
	return found, nil
}

// ChangesAnswers says whether a mechanism of the series changes what lookups
// answer.
func (s *Series) ChangesAnswers() bool {
	return slices.ContainsFunc(s.Mechanisms, func(m *mechanism.Mechanism) bool { return m.Semantics != nil })
}

// StatesScale tells whether a text of the series has figures that depend on how
// large the kernel's table is.
func (s *Series) StatesScale(patches fs.FS) (bool, error) {
	files := []string{path.Join(s.Name, "cover.tmpl")}
	for _, m := range s.Mechanisms {
		files = append(files, path.Join(m.Name, "message.tmpl"))
	}
	for _, name := range files {
		text, err := fs.ReadFile(patches, name)
		if err != nil {
			return false, err
		}
		for _, figure := range []string{".symbols", ".map", ".gaps"} {
			if bytes.Contains(text, []byte(figure)) {
				return true, nil
			}
		}
	}
	return false, nil
}

// InCore tells whether the series changes lookups in the kernel's own symbols:
// kernel/kallsyms.c, or scripts/kallsyms.c, which writes the tables. The others
// are about the symbols of modules.
func (s *Series) InCore() bool {
	return slices.ContainsFunc(s.Mechanisms, func(m *mechanism.Mechanism) bool {
		files := m.Touches()
		return slices.Contains(files, "kernel/kallsyms.c") || slices.Contains(files, "scripts/kallsyms.c")
	})
}

// Params lists the parameters of all mechanisms, in the order of the patches.
func (s *Series) Params() []mechanism.Param {
	var all []mechanism.Param
	for _, m := range s.Mechanisms {
		all = append(all, m.Params...)
	}
	return all
}
