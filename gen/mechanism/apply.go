// SPDX-License-Identifier: GPL-2.0-only

package mechanism

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"
	"text/template"

	"kgen/gen/csrc"
)

// Apply makes the edits in memory and returns the new content of every file
// that changed. src is the tree with the earlier mechanisms of the series in,
// data what the texts may name. An error is csrc.ErrDrift where a place of an
// edit is not there, and csrc.ErrEdit where the edit is wrong.
func (m *Mechanism) Apply(src Source, data map[string]any) (map[string][]byte, error) {
	w := work{src: src}
	for _, e := range m.edits {
		if e.When != "" {
			when, err := render(e.where(m)+" when", e.When, data)
			if err != nil {
				return nil, err
			}
			if strings.TrimSpace(when) != "true" {
				continue
			}
		}
		name := e.where(m)
		if e.Template != "" {
			name = path.Join("templates", m.Name, e.Template)
		}
		text, err := render(name, e.text(m), data)
		if err != nil {
			return nil, err
		}
		if err := e.make(&w, text); err != nil {
			return nil, err
		}
	}
	return w.finish()
}

// work gathers the changes of a mechanism, file by file.
type work struct {
	src     Source
	texts   map[string][]byte
	changes map[string][]csrc.Change
	made    map[string][]byte // new files
}

// text reads a file of the tree, once.
func (w *work) text(name string) ([]byte, error) {
	if t, ok := w.texts[name]; ok {
		return t, nil
	}
	t, err := w.src.ReadFile(name)
	if err != nil {
		return nil, missing(name, err)
	}
	if w.texts == nil {
		w.texts = make(map[string][]byte)
	}
	w.texts[name] = t
	return t, nil
}

// file reads and parses a C file of the tree.
func (w *work) file(name string) (*csrc.File, error) {
	t, err := w.text(name)
	if err != nil {
		return nil, err
	}
	return parse(name, t), nil
}

func (w *work) change(name string, c []csrc.Change) {
	if w.changes == nil {
		w.changes = make(map[string][]csrc.Change)
	}
	w.changes[name] = append(w.changes[name], c...)
}

// create makes a new file.
func (w *work) create(name, text string) error {
	_, err := w.src.ReadFile(name)
	switch {
	case err == nil:
		return &csrc.DriftError{File: name, Expected: "no such file", Found: "one"}
	case !errors.Is(err, fs.ErrNotExist):
		return err
	}
	if w.made == nil {
		w.made = make(map[string][]byte)
	}
	w.made[name] = []byte(text)
	return nil
}

// finish splices the changes in.
func (w *work) finish() (map[string][]byte, error) {
	out := make(map[string][]byte, len(w.changes)+len(w.made))
	for name, text := range w.made {
		out[name] = text
	}
	for name, changes := range w.changes {
		if len(changes) == 0 {
			continue
		}
		var err error
		if isC(name) {
			var f *csrc.File
			if f, err = w.file(name); err == nil {
				out[name], err = f.Splice(changes)
			}
		} else {
			out[name], err = csrc.Splice(name, w.texts[name], changes)
		}
		if err != nil {
			return nil, err
		}
	}
	return out, nil
}

func isC(name string) bool { return path.Ext(name) == ".c" || path.Ext(name) == ".h" }

// render executes a text; what it names and data lacks is an error.
func render(name, text string, data map[string]any) (string, error) {
	t, err := template.New(name).Option("missingkey=error").Parse(text)
	if err != nil {
		return "", fmt.Errorf("%w: %w", ErrDescription, err)
	}
	var b strings.Builder
	if err := t.Execute(&b, data); err != nil {
		return "", fmt.Errorf("%w: %w", ErrDescription, err)
	}
	return b.String(), nil
}
