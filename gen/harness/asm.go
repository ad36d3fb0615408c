// SPDX-License-Identifier: GPL-2.0-only

package harness

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// ErrAssembler: the host tool wrote a line that the parser does not know, or
// that an assembler would refuse.
var ErrAssembler = errors.New("unexpected assembler text")

// ParseImage reads the assembler text of scripts/kallsyms.c for a machine of
// 32 or 64 bits, little-endian. It knows the directives that 6.12 and 7.3
// write and their like; CompareAssembled holds it against a real assembler.
func ParseImage(text []byte, bits int) (*Image, error) {
	p := NewImageParser(bits)
	p.Write(text)
	return p.Image()
}

// ImageParser is ParseImage of a text as it comes: a host tool can write to it.
//
// A million symbols are three million lines and 240 MB, nearly all of them numbers
// and comments. So the text is never all there, and no strings are made of it.
type ImageParser struct {
	bits     int
	number   int
	begun    []byte // a line whose end has not come yet
	scratch  []byte // the bytes of a line
	err      error  // of the first line that is wrong
	image    Image
	padding  int // bytes of alignment that are owed if data follows
	defines  map[string]string
	skipping []bool // for each open #if: whether its branch is left out
}

// NewImageParser begins a text for a machine of 32 or 64 bits.
func NewImageParser(bits int) *ImageParser {
	return &ImageParser{bits: bits, defines: map[string]string{}}
}

// Write takes the next part of the text. It never fails, so that who writes gets to
// its end; what is wrong is told by Image.
func (p *ImageParser) Write(text []byte) (int, error) {
	n := len(text)
	for {
		end := bytes.IndexByte(text, '\n')
		if end < 0 {
			p.begun = append(p.begun, text...)
			return n, nil
		}
		line := text[:end]
		if len(p.begun) > 0 {
			p.begun = append(p.begun, line...)
			line = p.begun
		}
		p.take(line)
		text, p.begun = text[end+1:], p.begun[:0]
	}
}

func (p *ImageParser) take(line []byte) {
	if p.err != nil {
		return
	}
	p.number++
	if err := p.line(line); err != nil {
		p.err = fmt.Errorf("host tool output, line %d: %w: %s: %q", p.number, ErrAssembler, err, shorten(line))
	}
}

// Image ends the text.
func (p *ImageParser) Image() (*Image, error) {
	p.take(p.begun)
	if p.err == nil && len(p.skipping) > 0 {
		p.err = fmt.Errorf("host tool output: %w: #if without #endif", ErrAssembler)
	}
	if p.err != nil {
		return nil, p.err
	}
	return &p.image, nil
}

func (p *ImageParser) line(line []byte) error {
	line = bytes.TrimSpace(line)
	if len(line) == 0 {
		return nil
	}
	if line[0] == '#' {
		return p.preprocess(string(line))
	}
	if slices.Contains(p.skipping, true) {
		return nil
	}
	line, err := dropComment(line)
	if err != nil || len(line) == 0 {
		return err
	}
	if label, ok := bytes.CutSuffix(line, []byte(":")); ok {
		return p.label(string(label))
	}
	word, args := line, []byte(nil)
	if i := bytes.IndexAny(line, " \t"); i >= 0 {
		word, args = line[:i], bytes.TrimSpace(line[i:])
	}
	return p.directive(word, args)
}

// preprocess follows the few directives of the C preprocessor that 6.12 uses
// to write one text for both word sizes.
func (p *ImageParser) preprocess(line string) error {
	f := strings.Fields(line)
	switch {
	case f[0] == "#include":
	case f[0] == "#if" && len(f) == 4 && f[1] == "BITS_PER_LONG" && f[2] == "==":
		p.skipping = append(p.skipping, f[3] != strconv.Itoa(p.bits))
	case f[0] == "#else" && len(p.skipping) > 0:
		p.skipping[len(p.skipping)-1] = !p.skipping[len(p.skipping)-1]
	case f[0] == "#endif" && len(p.skipping) > 0:
		p.skipping = p.skipping[:len(p.skipping)-1]
	case f[0] == "#define" && len(f) >= 3:
		if !slices.Contains(p.skipping, true) {
			p.defines[f[1]] = strings.Join(f[2:], " ")
		}
	default:
		return errors.New("unknown preprocessor line")
	}
	return nil
}

// dropComment removes a /* comment */ at the end of a line. Inside quotes
// there is none.
func dropComment(line []byte) ([]byte, error) {
	at := bytes.Index(line, []byte("/*"))
	if at < 0 {
		return line, nil
	}
	if bytes.IndexByte(line[:at], '"') >= 0 {
		return line, nil
	}
	if end := bytes.Index(line[at+2:], []byte("*/")); end != len(line)-at-4 {
		return nil, errors.New("a comment does not end with the line")
	}
	return bytes.TrimSpace(line[:at]), nil
}

func (p *ImageParser) label(name string) error {
	if name == "" || strings.ContainsAny(name, " \t\"") {
		return errors.New("not a label")
	}
	if p.image.Block(name) != nil {
		return errors.New("the label is defined twice")
	}
	p.padding = 0
	p.image.Blocks = append(p.image.Blocks, Block{Label: name})
	return nil
}

func (p *ImageParser) directive(word, args []byte) error {
	if expanded, ok := p.defines[string(word)]; ok {
		name, more, _ := strings.Cut(expanded, " ")
		return p.directive([]byte(name), append([]byte(more), args...))
	}
	switch string(word) {
	case ".section", ".globl", ".global", ".size", ".type":
		return nil
	case ".balign", ".p2align", ".align":
		return p.align(string(word), string(args))
	case ".byte":
		return p.values(args, 1)
	case ".short", ".hword", ".2byte":
		return p.values(args, 2)
	case ".long", ".int", ".4byte":
		return p.values(args, 4)
	case ".quad", ".8byte":
		return p.values(args, 8)
	case ".asciz", ".string":
		return p.text(args, true)
	case ".ascii":
		return p.text(args, false)
	case ".zero", ".skip":
		n, err := strconv.ParseUint(string(args), 0, 24)
		if err != nil {
			return err
		}
		return p.emit(make([]byte, n))
	}
	return errors.New("unknown directive")
}

func (p *ImageParser) align(word, args string) error {
	n, err := strconv.ParseUint(args, 0, 16)
	if err == nil && word == ".p2align" {
		n = 1 << min(n, 16)
	}
	if err != nil || n == 0 || n&(n-1) != 0 {
		return errors.New("alignment is no power of two")
	}
	if k := len(p.image.Blocks); k > 0 {
		p.padding = -len(p.image.Blocks[k-1].Data) & int(n-1)
	}
	return nil
}

// emit appends data to the open block, after what alignment owes inside it.
func (p *ImageParser) emit(data []byte) error {
	k := len(p.image.Blocks)
	if k == 0 {
		return errors.New("data before the first label")
	}
	b := &p.image.Blocks[k-1]
	if p.padding > 0 {
		b.Data = append(b.Data, make([]byte, p.padding)...)
		p.padding = 0
	}
	b.Data = append(roomFor(b.Data, len(data)), data...)
	return nil
}

// roomFor doubles a slice that is full. append() lets one of millions grow by a
// quarter, and copies each element four times.
func roomFor[T any](s []T, n int) []T {
	if len(s)+n > cap(s) {
		return slices.Grow(s, len(s)+n)
	}
	return s
}

func (p *ImageParser) text(args []byte, terminate bool) error {
	if len(args) < 2 || args[0] != '"' || args[len(args)-1] != '"' {
		return errors.New("a string without its quotes")
	}
	s := args[1 : len(args)-1]
	if bytes.ContainsAny(s, "\"\\") {
		return errors.New("a quote or backslash inside a string, which an assembler reads as something else")
	}
	if err := p.emit(s); err != nil || !terminate {
		return err
	}
	return p.emit([]byte{0})
}

func shorten(line []byte) string {
	if len(line) > 80 {
		return string(line[:77]) + "..."
	}
	return string(line)
}
