// SPDX-License-Identifier: GPL-2.0-only

package csrc

import (
	"fmt"
	"slices"
	"strings"
)

// ReplaceFunction replaces a definition. Its leading comment goes with it if
// text begins with a comment of its own.
func (f *File) ReplaceFunction(fn Function, text string) []Change {
	at := f.bytes(fn.run())
	if strings.HasPrefix(strings.TrimSpace(text), "/*") {
		at.start = f.commentAbove(fn.item.from).start
	}
	return []Change{{at.start, at.end, strings.Trim(text, "\n"), "replace " + fn.Name + "()"}}
}

// DeleteFunction removes a definition, its leading comment and the blank lines
// after it.
func (f *File) DeleteFunction(fn Function) []Change {
	from := lineStart(f.src, f.commentAbove(fn.item.from).start)
	to := lineEnd(f.src, f.toks[fn.item.to-1].end)
	for to < len(f.src) && f.src[to] == '\n' {
		to++
	}
	return []Change{{from, to, "", "delete " + fn.Name + "()"}}
}

// BeforeFunction inserts text, set apart by a blank line, before a function
// and its leading comment.
func (f *File) BeforeFunction(fn Function, text string) []Change {
	at := lineStart(f.src, f.commentAbove(fn.item.from).start)
	return []Change{{at, at, strings.Trim(text, "\n") + "\n\n", "insert before " + fn.Name + "()"}}
}

// AfterFunction inserts text, set apart by a blank line, after a function and
// the EXPORT_SYMBOL() and the like that belong to it.
func (f *File) AfterFunction(fn Function, text string) []Change {
	last := fn.item.to - 1
	for _, it := range f.items {
		if it.from > last && f.toks[it.from].line <= f.toks[last].line+1 && slices.Contains(texts(f.toks[it.from:it.to]), fn.Name) &&
			it.function == "" && f.toks[it.from].class == ident {
			last = it.to - 1
		}
	}
	at := lineEnd(f.src, f.toks[last].end)
	return []Change{{at, at, "\n" + strings.Trim(text, "\n") + "\n", "insert after " + fn.Name + "()"}}
}

// itemsAround finds the one place at the top level where the pattern stands
// and the items that it is in.
func (f *File) itemsAround(find string) (run, error) {
	found, err := f.TopLevel().find(find, 1)
	if err != nil {
		return run{}, err
	}
	r := found[0]
	for _, it := range f.items {
		if it.from < r.to && r.from < it.to {
			r = run{min(r.from, it.from), max(r.to, it.to)}
		}
	}
	for r.to-1 > r.from && f.toks[r.to-1].class == end {
		r.to--
	}
	return r, nil
}

// itemStart is where an item begins: at its comment, unless it is a directive.
// What stands above the first #include or #ifdef is the comment of the file.
func (f *File) itemStart(r run) int {
	if t := f.toks[r.from]; t.class == directive && t.text != "#define" {
		return lineStart(f.src, t.start)
	}
	return lineStart(f.src, f.commentAbove(r.from).start)
}

// BeforeItem inserts whole lines before the declaration or directive of the
// top level that contains the pattern.
func (f *File) BeforeItem(find, text string) ([]Change, error) {
	r, err := f.itemsAround(find)
	if err != nil {
		return nil, err
	}
	at := f.itemStart(r)
	return []Change{{at, at, lines(text), fmt.Sprintf("insert before %q", oneLine(find))}}, nil
}

// AfterItem inserts whole lines after the declaration or directive of the top
// level that contains the pattern.
func (f *File) AfterItem(find, text string) ([]Change, error) {
	r, err := f.itemsAround(find)
	if err != nil {
		return nil, err
	}
	at := lineEnd(f.src, f.bytes(r).end)
	return []Change{{at, at, lines(text), fmt.Sprintf("insert after %q", oneLine(find))}}, nil
}

// ReplaceItem replaces the declarations or directives of the top level that
// contain the pattern, their comment excepted; an empty text removes them.
func (f *File) ReplaceItem(find, text string) ([]Change, error) {
	r, err := f.itemsAround(find)
	if err != nil {
		return nil, err
	}
	at := f.bytes(r)
	text = strings.TrimSuffix(text, "\n")
	if text == "" {
		at = f.withLines(at)
	}
	return []Change{{at.start, at.end, text, fmt.Sprintf("replace %q", oneLine(find))}}, nil
}

// Include adds the lines of text, #include directives, after the include of
// header after; with none, after the last include of the same kind (<> or "").
// What the file includes already is not added again.
func (f *File) Include(text, after string) ([]Change, error) {
	wanted := headers(text)
	if len(wanted) == 0 {
		return nil, fmt.Errorf("%s: %q includes nothing, so it %w", f.Path, oneLine(text), ErrEdit)
	}
	place, kindred, have := -1, -1, 0
	for _, it := range f.items {
		if f.toks[it.from].text != "#include" || it.to-it.from < 2 {
			continue
		}
		header := f.toks[it.from+1].text
		if slices.Contains(wanted, header) {
			have++
		}
		if after != "" && strings.Trim(header, `<>"`) == after {
			place = it.from
		}
		if after == "" && len(it.branch) == 0 {
			place = it.from
			if header[0] == wanted[0][0] {
				kindred = it.from
			}
		}
	}
	switch {
	case have == len(wanted):
		return nil, nil
	case kindred >= 0:
		place = kindred
	case place < 0 && after != "":
		return nil, &DriftError{File: f.Path, Expected: "#include of " + after, Found: "none"}
	case place < 0:
		return nil, &DriftError{File: f.Path, Expected: "an #include", Found: "none"}
	}
	at := lineEnd(f.src, f.toks[place].start)
	return []Change{{at, at, lines(text), "include " + strings.Join(wanted, " ")}}, nil
}

// headers lists what a text includes.
func headers(text string) []string {
	toks, _ := lex([]byte(text))
	var out []string
	for i, t := range toks {
		if t.text == "#include" && i+1 < len(toks) && toks[i+1].class == str {
			out = append(out, toks[i+1].text)
		}
	}
	return out
}
