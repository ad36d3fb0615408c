// SPDX-License-Identifier: GPL-2.0-only

package csrc

import (
	"errors"
	"fmt"
	"strings"
)

// Sentinels of a refused edit.
var (
	// ErrDrift: the tree's code is not the code an edit was written for.
	ErrDrift = errors.New("has drifted")
	// ErrAmbiguous: more than one place fits.
	ErrAmbiguous = errors.New("is ambiguous")
	// ErrEdit: the edit itself is wrong, whatever the tree.
	ErrEdit = errors.New("cannot be edited so")
)

// DriftError says where a tree's code differs from the code an edit was
// written for. errors.Is(err, ErrDrift) holds.
type DriftError struct {
	File     string
	Line     int      // 1-based, or 0 where there is no place to point at
	What     string   // "get_symbol_offset()", "#define X"; empty for the whole file
	Expected string   // `"0x7F"`, "a number", ...
	Trees    []string // the Linux versions that have what is expected
	Found    string
	Source   string // the line found there
	Why      string // what is wrong with it, where that does not show
}

// Error is one line: where, what, expected, found, why not, and what to do.
func (e *DriftError) Error() string {
	var b strings.Builder
	b.WriteString(e.File)
	if e.Line > 0 {
		fmt.Fprintf(&b, ":%d", e.Line)
	}
	b.WriteString(": ")
	if e.What != "" {
		b.WriteString(e.What + " ")
	}
	fmt.Fprintf(&b, "%v: expected %s", ErrDrift, e.Expected)
	if len(e.Trees) > 0 {
		b.WriteString(" (as in Linux " + joinAnd(e.Trees) + ")")
	}
	b.WriteString(", found " + e.Found)
	if e.Source != "" {
		fmt.Fprintf(&b, " in %q", e.Source)
	}
	if e.Why != "" {
		b.WriteString("; " + e.Why)
	}
	b.WriteString("; port the series to this tree or use one that kgen list --tree shows as applying")
	return b.String()
}

// Unwrap makes errors.Is(err, ErrDrift) true.
func (e *DriftError) Unwrap() error { return ErrDrift }

func joinAnd(s []string) string {
	if len(s) < 2 {
		return strings.Join(s, "")
	}
	return strings.Join(s[:len(s)-1], ", ") + " and " + s[len(s)-1]
}

// excerpt is the source line of a token, short enough for a message.
func (f *File) excerpt(t token) string {
	from, to := lineStart(f.src, t.start), lineEnd(f.src, t.start)
	s := strings.TrimSpace(string(f.src[from:to]))
	const most = 60
	if len(s) <= most {
		return s
	}
	at := min(max(0, t.start-from-most/2), len(s)-most)
	cut := strings.ToValidUTF8(s[at:at+most], "")
	if at > 0 {
		cut = "..." + cut
	}
	return cut + "..."
}
