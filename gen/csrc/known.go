// SPDX-License-Identifier: GPL-2.0-only

package csrc

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// Known is the fingerprint of code that an edit was written for. It holds
// digests only, none of the code: Sum decides, Marks say where code differs.
type Known struct {
	Sum   string   // sha256 of the tokens' texts, NUL between them, in hex
	Marks string   // markLen characters a token
	Trees []string // the Linux versions that have this code
}

// A mark is the letter of the token's class and 24 bits of the sha256 of its
// text in base64: enough to name the token again, given a list to choose from.
const markLen = 5

func mark(c class, text string) string {
	h := sha256.Sum256([]byte(text))
	return string(c) + base64.RawURLEncoding.EncodeToString(h[:3])
}

func fingerprint(toks []token) (sum, marks string) {
	var b strings.Builder
	for _, t := range toks {
		b.WriteString(mark(t.class, t.text))
	}
	h := sha256.Sum256([]byte(strings.Join(texts(toks), "\x00")))
	return hex.EncodeToString(h[:]), b.String()
}

// Fingerprint is that of the anchored code. Comments and white space are not
// in it.
func (f *File) Fingerprint(a Anchor) (Known, error) {
	runs, err := f.locate(a)
	if err != nil {
		return Known{}, err
	}
	sum, marks := fingerprint(f.collect(runs))
	return Known{Sum: sum, Marks: marks}, nil
}

func (f *File) collect(runs []run) []token {
	var toks []token
	for _, r := range runs {
		toks = append(toks, f.toks[r.from:r.to]...)
	}
	return toks
}

// Verify makes sure that the anchored code is one of the known variants. A
// *DriftError names the first token that differs from the variant that comes
// closest, and what it was expected to be: words are tokens to consider for
// that, beside those of the file.
func (f *File) Verify(a Anchor, known []Known, words ...string) error {
	runs, err := f.locate(a)
	if err == nil {
		toks := f.collect(runs)
		sum, marks := fingerprint(toks)
		for _, k := range known {
			if k.Sum == sum {
				return nil
			}
		}
		best, _ := closest(marks, known)
		return f.differ(a, toks, runs[len(runs)-1].to, marks, best, words)
	}
	var drift *DriftError
	if !errors.As(err, &drift) {
		return err
	}
	for _, k := range known {
		drift.Trees = append(drift.Trees, k.Trees...)
	}
	slices.Sort(drift.Trees)
	drift.Trees = slices.Compact(drift.Trees)
	return f.remains(a, known, words, drift)
}

// remains looks for what became of anchored code that is not where it should
// be. Most of it must still be there, or the answer is missing as given.
func (f *File) remains(a Anchor, known []Known, words []string, missing error) error {
	longest := 0
	for _, k := range known {
		longest = max(longest, len(k.Marks)/markLen)
	}
	marks := make([]string, len(f.toks))
	for i, t := range f.toks {
		marks[i] = mark(t.class, t.text)
	}
	var (
		score float64
		found run
		text  string
		as    Known
	)
	for _, r := range f.lookalikes(a, longest) {
		m := strings.Join(marks[r.from:r.to], "")
		if best, s := closest(m, known); s > score {
			score, found, text, as = s, r, m, best
		}
	}
	if score < 0.5 {
		return missing
	}
	return f.differ(a, f.toks[found.from:found.to], found.to, text, as, words)
}

// closest picks the variant with the most in common at both ends, and says
// what part of it that is.
func closest(marks string, known []Known) (Known, float64) {
	var (
		best  Known
		score = -1.0
	)
	for _, k := range known {
		pre := common(marks, k.Marks)
		post := commonEnd(marks[pre:], k.Marks[pre:])
		if s := float64(pre+post) / float64(max(len(k.Marks), 1)); s > score {
			best, score = k, s
		}
	}
	return best, score
}

// common is the length of the common beginning, in whole marks.
func common(a, b string) int {
	n := 0
	for n+markLen <= min(len(a), len(b)) && a[n:n+markLen] == b[n:n+markLen] {
		n += markLen
	}
	return n
}

func commonEnd(a, b string) int {
	n := 0
	for n+markLen <= min(len(a), len(b)) && a[len(a)-n-markLen:len(a)-n] == b[len(b)-n-markLen:len(b)-n] {
		n += markLen
	}
	return n
}

// differ words the first difference between code and a variant. next is the
// token after the code.
func (f *File) differ(a Anchor, toks []token, next int, marks string, as Known, words []string) error {
	d := &DriftError{File: f.Path, What: a.String(), Trees: as.Trees}
	n := common(marks, as.Marks)
	switch {
	case n < len(as.Marks):
		d.Expected = f.unhash(as.Marks[n:n+markLen], a, words)
	case as.Marks == "":
		d.Expected = "code that kgen knows"
	default:
		d.Expected = "the end of it"
	}
	i := n / markLen
	if i < len(toks) {
		d.Line, d.Found, d.Source = toks[i].line, quote(toks[i].text), f.excerpt(toks[i])
		return d
	}
	d.Found = "the end of it"
	if len(toks) > 0 {
		last := toks[len(toks)-1]
		d.Line, d.Source = last.line, f.excerpt(last)
	}
	if next < len(f.toks) {
		d.Found += fmt.Sprintf(" and %s", quote(f.toks[next].text))
	}
	return d
}

func quote(text string) string {
	if text == "\n" {
		return "the end of the line"
	}
	return `"` + text + `"`
}

// unhash names the token that a mark was made of, or else its class.
func (f *File) unhash(m string, a Anchor, words []string) string {
	fits := func(text string) bool { return mark(class(m[0]), text) == m }
	for _, t := range f.toks {
		if byte(t.class) == m[0] && fits(t.text) {
			return quote(t.text)
		}
	}
	var more []string
	for _, w := range append(words, a.Function, a.Declaration, a.Define) {
		toks, _ := lex([]byte(w))
		more = append(more, texts(toks)...)
	}
	switch class(m[0]) {
	case keyword:
		for w := range keywords {
			more = append(more, w)
		}
	case punct:
		more = append(more, puncts...)
		for c := '!'; c <= '~'; c++ {
			more = append(more, string(c))
		}
	case number:
		for i := range 4097 {
			more = append(more, fmt.Sprint(i), fmt.Sprintf("0x%x", i), fmt.Sprintf("0x%X", i), fmt.Sprintf("0x%02x", i), fmt.Sprintf("0x%02X", i))
		}
	}
	for _, w := range more {
		if fits(w) {
			return quote(w)
		}
	}
	return class(m[0]).name()
}
