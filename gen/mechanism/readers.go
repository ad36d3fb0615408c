// SPDX-License-Identifier: GPL-2.0-only

package mechanism

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"kgen/gen/csrc"
)

// readers lists all that may read what the mechanism gives another meaning or
// takes away. What reads it too, in a tree that someone else changed, would be
// broken by the patch without a word.
type readers struct {
	Of   string   `toml:"of"`   // a table, function, type or member
	In   []string `toml:"in"`   // functions, or types as "struct x"
	Also []string `toml:"also"` // files to look in beside those that are edited
	Now  string   `toml:"now"`  // what the mechanism makes of it, for the message
}

// checkReaders makes sure that a tree has no reader that the mechanism does not
// know, in the files that it edits. With an error comes the reader.
func (m *Mechanism) checkReaders(w *work) (anchor, error) {
	for _, r := range m.readers {
		for _, file := range slices.Concat(m.Touches(), r.Also) {
			if !isC(file) {
				continue
			}
			f, err := w.file(file)
			if errors.Is(err, csrc.ErrDrift) { // it is not there, or is still to be made
				continue
			}
			if err != nil {
				return anchor{File: file}, err
			}
			for _, u := range f.Users(r.Of) {
				if slices.ContainsFunc(u.Names, func(name string) bool { return slices.Contains(r.In, name) }) {
					continue
				}
				return anchor{File: file, Function: strings.TrimSuffix(u.What, "()")}, &csrc.DriftError{
					File: file, Line: u.Line, What: u.What, Found: "one", Source: u.Source,
					Expected: fmt.Sprintf("no use of %s outside of %s", r.Of, strings.Join(r.In, ", ")),
					Why:      fmt.Sprintf("with %s %s", m.Name, r.Now),
				}
			}
		}
	}
	return anchor{}, nil
}
