// SPDX-License-Identifier: GPL-2.0-only

package csrc

import (
	"bytes"
	"fmt"
	"slices"
)

// Change replaces a byte range of a file by Text. All Changes of one file name
// places in its original text, so their order does not matter.
type Change struct {
	start, end int
	Text       string
	What       string // the edit, for messages
}

// Splice makes the new text of the file. The changes must not overlap, and the
// grammar must not read the result worse than the original; either is an error
// of the edits (ErrEdit) that names the edit.
func (f *File) Splice(changes []Change) ([]byte, error) {
	out, err := Splice(f.Path, f.src, changes)
	if err != nil {
		return nil, err
	}
	worse := func(text []byte) bool { return Parse(f.Path, text).Errors() > f.Errors() }
	if !worse(out) {
		return out, nil
	}
	for i := range changes { // find the one to name
		some, err := Splice(f.Path, f.src, changes[:i+1])
		if err != nil {
			return nil, err
		}
		if worse(some) {
			return nil, fmt.Errorf("%s: %s: %w: the result does not parse as well as the original", f.Path, changes[i].What, ErrEdit)
		}
	}
	return nil, fmt.Errorf("%s: %w: the edits together do not parse as well as the original", f.Path, ErrEdit)
}

// Splice applies changes to a text of any kind. Insertions at one place keep
// the order they are given in.
func Splice(path string, src []byte, changes []Change) ([]byte, error) {
	sorted := slices.Clone(changes)
	slices.SortStableFunc(sorted, func(a, b Change) int {
		if a.start != b.start {
			return a.start - b.start
		}
		return a.end - b.end
	})
	var out bytes.Buffer
	at := 0
	for i, c := range sorted {
		if c.start < at {
			return nil, fmt.Errorf("%s: %s: %w: it overlaps %s", path, c.What, ErrEdit, sorted[i-1].What)
		}
		out.Write(src[at:c.start])
		out.WriteString(c.Text)
		at = c.end
	}
	out.Write(src[at:])
	return out.Bytes(), nil
}
