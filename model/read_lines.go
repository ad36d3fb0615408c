// SPDX-License-Identifier: GPL-2.0-only

package model

import (
	"fmt"
	"strings"
)

// parsedBlock is what a run of whole lines holds; line numbers count from its
// start.
type parsedBlock struct {
	Map
	start int // where its symbols are among those of all blocks
	lines int
	fault string // what is wrong with line number lines, "" if nothing is
}

// parse reads lines until the first malformed one.
func (b *parsedBlock) parse(text string) {
	// Whole blocks are searched for rare bytes, so that lines need not be.
	modules := strings.IndexByte(text, '\t') >= 0
	odd := strings.IndexByte(text, 0) >= 0 || strings.IndexByte(text, '\r') >= 0
	for len(text) > 0 {
		b.lines++
		addr, digits := hexNumber(text)
		if digits+3 > len(text) || digits == 0 || digits > maxDigits ||
			text[digits] != ' ' || text[digits+1] >= 0x80 || text[digits+1] == '\n' || text[digits+2] != ' ' {
			line, _, _ := strings.Cut(text, "\n")
			b.fault = explain(line)
			return
		}
		s := Symbol{Addr: addr, Type: text[digits+1]}
		text = text[digits+3:]
		end := strings.IndexByte(text, '\n')
		if end < 0 {
			end = len(text)
		}
		s.Name = text[:end]
		text = text[min(end+1, len(text)):]
		if odd && strings.ContainsAny(string(s.Type)+s.Name, "\x00\r") {
			b.fault = "holds a NUL or a carriage return; convert the map to plain text with Unix line ends"
			return
		}
		if modules {
			b.addModuleLine(s)
		} else {
			b.add(s)
		}
	}
}

func (b *parsedBlock) add(s Symbol) {
	if len(s.Name) >= KsymNameLen {
		b.Skipped = append(b.Skipped, SkippedName{Line: b.lines, Name: s.Name})
		return
	}
	b.Symbols = append(b.Symbols, s)
}

// addModuleLine splits the module column off, if the line has one.
func (b *parsedBlock) addModuleLine(s Symbol) {
	name, column, found := strings.Cut(s.Name, "\t")
	if !found || len(column) < 2 || column[0] != '[' || column[len(column)-1] != ']' {
		b.add(s)
		return
	}
	s.Name = name
	b.Modules = append(b.Modules, ModuleSymbol{Symbol: s, Module: column[1 : len(column)-1]})
}

const maxDigits = 16 // of a 64-bit address

// hexNumber reads the number at the start of text and returns its digits'
// count.
func hexNumber(text string) (v uint64, digits int) {
	for digits < len(text) {
		d := hexDigit[text[digits]]
		if d == 0 {
			break
		}
		v = v<<4 | uint64(d-1)
		digits++
	}
	return v, digits
}

// hexDigit holds the value of each hexadecimal digit plus one.
var hexDigit = func() (t [256]byte) {
	for i, c := range "0123456789abcdef" {
		t[c] = byte(i + 1)
		t[strings.ToUpper(string(c))[0]] = byte(i + 1)
	}
	return t
}()

// explain tells what is wrong with a malformed line.
func explain(line string) string {
	_, digits := hexNumber(line)
	what := "expected address, type and name with one space between"
	switch {
	case strings.HasPrefix(strings.TrimLeft(line, " "), "U "), strings.HasPrefix(strings.TrimLeft(line, " "), "w "):
		what = "an undefined symbol has no address; leave it out, as scripts/mksysmap does"
	case digits > maxDigits:
		what = fmt.Sprintf("expected an address of at most %d digits", maxDigits)
	case digits+1 < len(line) && line[digits] == ' ' && line[digits+1] >= 0x80:
		what = "expected an ASCII type"
	}
	const shown = 60
	if len(line) > shown {
		line = line[:shown] + "..."
	}
	return fmt.Sprintf("%s, found %q", what, line)
}
