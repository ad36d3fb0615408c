// SPDX-License-Identifier: GPL-2.0-only

package model

import (
	"errors"
	"fmt"
	"io"
	"strings"
)

// ErrMapSyntax: a line of a symbol map that scripts/kallsyms.c refuses, or that
// it would take for something that nm does not print.
var ErrMapSyntax = errors.New("malformed symbol map")

// Map is what a symbol map holds, in its order.
type Map struct {
	Symbols []Symbol       // the kernel's own symbols
	Modules []ModuleSymbol // lines of /proc/kallsyms that name a module
	Skipped []SkippedName  // names that the host tool leaves out
}

// ModuleSymbol is a symbol of a loaded module, in /proc/kallsyms.
type ModuleSymbol struct {
	Symbol
	Module string
}

// SkippedName is a symbol whose name is too long for the kernel's buffers.
type SkippedName struct {
	Line int // 1-based line of the map, 0 when it was not read from text
	Name string
}

// String is the warning that scripts/kallsyms.c prints for the symbol.
func (s SkippedName) String() string {
	return fmt.Sprintf("Symbol %s too long for kallsyms (%d >= %d).\n"+
		"Please increase KSYM_NAME_LEN both in kernel and kallsyms.c", s.Name, len(s.Name), KsymNameLen)
}

const (
	blockSize = 1 << 20
)

// ReadText reads the output of nm, a System.map or /proc/kallsyms: lines of
// address, type and name with one space between. It mirrors read_map() and
// read_symbol(), except that it refuses, naming the line, what strtoull() and
// C strings let pass there: signs, 0x, blanks before the address, numbers
// beyond 64 bits, NUL bytes and carriage returns. The module column of
// /proc/kallsyms, which the host tool would take for part of the name, is
// split off.
func ReadText(r io.Reader) (*Map, error) {
	m := new(Map)
	line := 0
	err := eachBlock(r, func(block string) error {
		p := parser{block: block, line: line, m: m}
		err := p.parse()
		line = p.line
		return err
	})
	if err != nil {
		return nil, err
	}
	return m, nil
}

// eachBlock hands out the text in pieces that end where lines end.
func eachBlock(r io.Reader, use func(string) error) error {
	buf := make([]byte, 0, blockSize)
	for {
		n, err := io.ReadFull(r, buf[len(buf):cap(buf)])
		buf = buf[:len(buf)+n]
		last := err == io.EOF || err == io.ErrUnexpectedEOF
		if err != nil && !last {
			return fmt.Errorf("reading symbol map: %w", err)
		}
		end := len(buf)
		if !last {
			for end > 0 && buf[end-1] != '\n' {
				end--
			}
		}
		if end > 0 {
			if err := use(string(buf[:end])); err != nil {
				return err
			}
			buf = append(buf[:0], buf[end:]...)
		}
		if last {
			return nil
		}
	}
}

type parser struct {
	block string
	line  int // lines read so far
	m     *Map
}

func (p *parser) parse() error {
	for rest := p.block; len(rest) > 0; {
		text, after, _ := strings.Cut(rest, "\n")
		rest = after
		p.line++
		if err := p.parseLine(text); err != nil {
			return err
		}
	}
	return nil
}

func (p *parser) parseLine(text string) error {
	addr, digits := uint64(0), 0
	for digits < len(text) && hexDigit[text[digits]] != 0 {
		addr = addr<<4 | uint64(hexDigit[text[digits]]-1)
		digits++
	}
	if digits == 0 || digits > 16 || len(text) < digits+3 ||
		text[digits] != ' ' || text[digits+1] >= 0x80 || text[digits+2] != ' ' {
		return fmt.Errorf("%w: line %d", ErrMapSyntax, p.line)
	}
	p.m.Symbols = append(p.m.Symbols, Symbol{Addr: addr, Type: text[digits+1], Name: text[digits+3:]})
	return nil
}

// hexDigit holds the value of each hexadecimal digit plus one.
var hexDigit = func() (t [256]byte) {
	for i, c := range "0123456789abcdef" {
		t[c] = byte(i + 1)
		t[strings.ToUpper(string(c))[0]] = byte(i + 1)
	}
	return t
}()
