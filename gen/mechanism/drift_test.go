// SPDX-License-Identifier: GPL-2.0-only

package mechanism

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"kgen/gen/csrc"
	"kgen/templates"
)

// over is a tree with one file's content replaced.
type over struct {
	Source
	path string
	text []byte // nil: the file is gone
}

func (o over) ReadFile(path string) ([]byte, error) {
	switch {
	case path != o.path:
		return o.Source.ReadFile(path)
	case o.text == nil:
		return nil, &fs.PathError{Op: "open", Path: path, Err: os.ErrNotExist}
	}
	return o.text, nil
}

// cToken is a lexer of its own, so that the test does not trust the one it
// tests. The function under test has no string and no directive.
var cToken = regexp.MustCompile(`(?s)/\*.*?\*/|\s+|[A-Za-z_]\w*|\d\w*|<<|>>|!=|\+\+|.`)

type piece struct {
	text       string
	start, end int
}

func cTokens(src string, from, to int) []piece {
	var out []piece
	for _, m := range cToken.FindAllStringIndex(src[from:to], -1) {
		p := piece{src[from+m[0] : from+m[1]], from + m[0], from + m[1]}
		if !strings.HasPrefix(p.text, "/*") && strings.TrimSpace(p.text) != "" {
			out = append(out, p)
		}
	}
	return out
}

// cFunction is the range of a definition, by its text.
func cFunction(t *testing.T, src, head string) (from, to int) {
	t.Helper()
	from = strings.Index(src, head)
	if from < 0 {
		t.Fatalf("no %q", head)
	}
	return from, from + strings.Index(src[from:], "\n}\n") + 2
}

// another is a token unlike t, of the same kind where there is one.
func another(t string) string {
	switch {
	case t[0] >= '0' && t[0] <= '9':
		n, err := strconv.ParseInt(t, 0, 64)
		if err != nil {
			return t + "1"
		}
		if strings.HasPrefix(t, "0x") {
			return "0x" + strings.ToUpper(strconv.FormatInt(n+1, 16))
		}
		return strconv.FormatInt(n+1, 10)
	case t[0] == '_' || t[0] >= 'A' && t[0] <= 'Z' || t[0] >= 'a' && t[0] <= 'z':
		return t + "x"
	case t == "-":
		return "+"
	}
	return "-"
}

const driftFile, driftHead, driftFunction = "kernel/kallsyms.c", "static unsigned int get_symbol_offset(", "get_symbol_offset"

// TestDriftOfEveryToken changes, removes and doubles every token of
// get_symbol_offset(), one at a time. Each must be refused at the line of the
// first token that differs.
func TestDriftOfEveryToken(t *testing.T) {
	m, err := Load(templates.FS, "density")
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range versions {
		tree := lab(t, v)
		data, err := tree.ReadFile(driftFile)
		if err != nil {
			t.Fatal(err)
		}
		src := string(data)
		from, to := cFunction(t, src, driftHead)
		toks := cTokens(src, from, to)
		if len(toks) < 100 {
			t.Fatalf("%d tokens in %s", len(toks), driftHead)
		}
		for i, tok := range toks {
			for _, edit := range []struct{ reason, text string }{
				{"changed", another(tok.text)},
				{"removed", " "},
				{"doubled", tok.text + " " + tok.text},
				{"number inserted", "7 " + tok.text},
			} {
				if edit.reason == "doubled" && i == len(toks)-1 {
					continue // a second "}" is behind the function
				}
				mutant := src[:tok.start] + edit.text + src[tok.end:]
				err := m.Check(over{tree, driftFile, []byte(mutant)})
				if !errors.Is(err, csrc.ErrDrift) {
					t.Errorf("%s: token %d %q %s: %v", v, i, tok.text, edit.reason, err)
					continue
				}
				var d *csrc.DriftError
				if !errors.As(err, &d) {
					t.Fatalf("%T is no DriftError", err)
				}
				found, line := firstDifference(toks, cTokens(mutant, from, len(mutant)), mutant)
				if d.File != driftFile || !strings.Contains(d.What, driftFunction) || d.Line != line || d.Found != strconv.Quote(found) || strings.Contains(err.Error(), "\n") {
					t.Errorf("%s: token %d %q %s: want line %d, found %q: %v", v, i, tok.text, edit.reason, line, found, err)
				}
				if edit.reason == "changed" && d.Expected != strconv.Quote(tok.text) {
					t.Errorf("%s: token %d %q %s: expected is %s", v, i, tok.text, edit.reason, d.Expected)
				}
			}
		}
	}
}

func firstDifference(want, have []piece, text string) (string, int) {
	i := 0
	for i < len(want) && i < len(have) && want[i].text == have[i].text {
		i++
	}
	if i >= len(have) {
		return "", 0
	}
	return have[i].text, 1 + strings.Count(text[:have[i].start], "\n")
}

// TestDriftNot lists changes that leave the code what it is.
func TestDriftNot(t *testing.T) {
	m, err := Load(templates.FS, "density")
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range versions {
		tree := lab(t, v)
		data, err := tree.ReadFile(driftFile)
		if err != nil {
			t.Fatal(err)
		}
		src := string(data)
		from, to := cFunction(t, src, driftHead)
		var spaced, commented bytes.Buffer
		for _, tok := range cTokens(src, from, to) {
			spaced.WriteString(tok.text + " \n\t")
			commented.WriteString(tok.text + " /* } and { */ // x\n")
		}
		body := src[from:to]
		for _, c := range []struct{ reason, text string }{
			{"as it is", body},
			{"spread over lines", spaced.String()},
			{"a comment after every token", commented.String()},
			{"no comments", regexp.MustCompile(`(?s)/\*.*?\*/`).ReplaceAllString(body, "")},
			{"code before it", "static int new(void)\n{\n\treturn 1;\n}\n\n" + body},
			{"code after it", body + "\n\nstatic int new(void)\n{\n\treturn 1;\n}"},
		} {
			if err := m.Check(over{tree, driftFile, []byte(src[:from] + c.text + src[to:])}); err != nil {
				t.Errorf("%s: %s: %v", v, c.reason, err)
			}
		}
	}
}

// TestDriftMessage pins the words of one message of each kind.
func TestDriftMessage(t *testing.T) {
	tree := lab(t, "7.3")
	whole, err := tree.ReadFile(driftFile)
	if err != nil {
		t.Fatal(err)
	}
	from, to := cFunction(t, string(whole), driftHead)
	const remedy = "; port the series to this tree or use one that kgen list --tree shows as applying"
	for _, c := range []struct {
		reason, mechanism, file, old, new, want string
	}{
		{"a number", "density", driftFile, "((len & 0x7F) | (name[1] << 7)) + 1", "((len & 0x7E) | (name[1] << 7)) + 1",
			`kernel/kallsyms.c:144: get_symbol_offset() has drifted: expected "0x7F" (as in Linux 6.12 and 7.3), found "0x7E" in "len = ((len & 0x7E) | (name[1] << 7)) + 1;"`},
		{"a statement", "density", "scripts/kallsyms.c", "markers_cnt = (table_cnt + 255) / 256;", "markers_cnt = (table_cnt + 127) / 128;",
			`scripts/kallsyms.c:354: write_src() has drifted: expected "255" (as in Linux 6.12 and 7.3), found "127" in "markers_cnt = (table_cnt + 127) / 128;"`},
		{"a declaration", "density", "kernel/kallsyms_internal.h", "extern const unsigned int kallsyms_markers[];", "extern const u16 kallsyms_markers[];",
			`kernel/kallsyms_internal.h:15: the declaration of kallsyms_markers has drifted: expected "unsigned" (as in Linux 6.12 and 7.3), found "u16" in "extern const u16 kallsyms_markers[];"`},
		{"a function renamed", "density", driftFile, "get_symbol_offset(", "symbol_offset(",
			`kernel/kallsyms.c:119: get_symbol_offset() has drifted: expected "get_symbol_offset" (as in Linux 6.12 and 7.3), found "symbol_offset" in "static unsigned int symbol_offset(unsigned long pos)"`},
		{"a function gone", "density", driftFile, "", "int x;\n",
			`kernel/kallsyms.c: get_symbol_offset() has drifted: expected a definition (as in Linux 6.12 and 7.3), found none`},
		{"a function cut out", "density", driftFile, string(whole[from:to]), "",
			`kernel/kallsyms.c: get_symbol_offset() has drifted: expected a definition (as in Linux 6.12 and 7.3), found none`},
		{"a file gone", "density", driftFile, "", "",
			`kernel/kallsyms.c: has drifted: expected a file, found none`},
		{"a list's entry gone", "perf-test", "lib/Makefile", "obj-$(CONFIG_FIND_BIT_BENCHMARK) ", "obj-$(CONFIG_X) ",
			`lib/Makefile: has drifted: expected obj-$(CONFIG_FIND_BIT_BENCHMARK), found none`},
	} {
		m, err := Load(templates.FS, c.mechanism)
		if err != nil {
			t.Fatal(err)
		}
		text, err := tree.ReadFile(c.file)
		if err != nil {
			t.Fatal(err)
		}
		switch {
		case c.old != "":
			text = bytes.ReplaceAll(text, []byte(c.old), []byte(c.new))
		case c.new != "":
			text = []byte(c.new)
		default:
			text = nil
		}
		err = m.Check(over{tree, c.file, text})
		if !errors.Is(err, csrc.ErrDrift) || err.Error() != c.want+remedy {
			t.Errorf("%s:\n have %v\n want %s", c.reason, err, c.want+remedy)
		}
	}
}
