// SPDX-License-Identifier: GPL-2.0-only

package harness

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
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
	p := asmParser{bits: bits, defines: map[string]string{}}
	for len(text) > 0 {
		var line []byte
		line, text, _ = bytes.Cut(text, []byte("\n"))
		p.number++
		if err := p.line(line); err != nil {
			return nil, fmt.Errorf("host tool output, line %d: %w: %s: %q", p.number, ErrAssembler, err, shorten(line))
		}
	}
	if len(p.skipping) > 0 {
		return nil, fmt.Errorf("host tool output: %w: #if without #endif", ErrAssembler)
	}
	return &p.image, nil
}

type asmParser struct {
	bits     int
	number   int
	image    Image
	padding  int // bytes of alignment that are owed if data follows
	defines  map[string]string
	skipping []bool // for each open #if: whether its branch is left out
}

func (p *asmParser) line(line []byte) error {
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
	return p.directive(string(word), args)
}

// preprocess follows the few directives of the C preprocessor that 6.12 uses
// to write one text for both word sizes.
func (p *asmParser) preprocess(line string) error {
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
	if quote := bytes.IndexByte(line, '"'); quote >= 0 && quote < at {
		return line, nil
	}
	if end := bytes.Index(line[at+2:], []byte("*/")); end != len(line)-at-4 {
		return nil, errors.New("a comment does not end with the line")
	}
	return bytes.TrimSpace(line[:at]), nil
}

func (p *asmParser) label(name string) error {
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

func (p *asmParser) directive(word string, args []byte) error {
	if expanded, ok := p.defines[word]; ok {
		name, more, _ := strings.Cut(expanded, " ")
		return p.directive(name, append([]byte(more), args...))
	}
	switch word {
	case ".section", ".globl", ".global", ".size", ".type":
		return nil
	case ".balign", ".p2align", ".align":
		return p.align(word, string(args))
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

func (p *asmParser) align(word, args string) error {
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
func (p *asmParser) emit(data []byte) error {
	k := len(p.image.Blocks)
	if k == 0 {
		return errors.New("data before the first label")
	}
	b := &p.image.Blocks[k-1]
	b.Data = append(b.Data, make([]byte, p.padding)...)
	b.Data = append(b.Data, data...)
	p.padding = 0
	return nil
}

func (p *asmParser) text(args []byte, terminate bool) error {
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

// values emits a list of numbers or of distances from _text.
func (p *asmParser) values(args []byte, size int) error {
	for more := true; more; {
		var arg []byte
		arg, args, more = bytes.Cut(args, []byte(","))
		if err := p.value(string(bytes.TrimSpace(arg)), size); err != nil {
			return err
		}
	}
	return nil
}

func (p *asmParser) value(arg string, size int) error {
	if rest, ok := strings.CutPrefix(arg, "_text"); ok {
		return p.relative(strings.ReplaceAll(rest, " ", ""), size)
	}
	v, err := number(arg, size)
	if err != nil {
		return err
	}
	var buf [8]byte
	binary.LittleEndian.PutUint64(buf[:], v)
	return p.emit(buf[:size])
}

// relative takes what follows _text: "-.+(5)", "+0x10", "-0x10" or nothing.
func (p *asmParser) relative(rest string, size int) error {
	r := Reloc{Kind: TextRelative64}
	if size == 4 {
		r.Kind = TextRelative32
	} else if size != 8 {
		return errors.New("a distance from _text needs 4 or 8 bytes")
	}
	if after, ok := strings.CutPrefix(rest, "-."); ok {
		if size != 4 {
			return errors.New("a distance between two places needs 4 bytes")
		}
		r.Kind, rest = PlaceRelative, after
	}
	if rest != "" {
		sign := rest[0]
		if sign != '+' && sign != '-' {
			return errors.New("unknown expression")
		}
		u, err := number(strings.Trim(rest[1:], "()"), 8)
		if err != nil {
			return errors.New("unknown expression")
		}
		v := int64(u) // distances are modulo 2^64
		if sign == '-' {
			v = -v
		}
		r.Addend = v
	}
	if err := p.emit(make([]byte, r.Kind.size())); err != nil {
		return err
	}
	b := &p.image.Blocks[len(p.image.Blocks)-1]
	r.Offset = uint32(len(b.Data) - r.Kind.size())
	b.Relocs = append(b.Relocs, r)
	return nil
}

// number reads an integer that fits size bytes, signed or unsigned.
func number(arg string, size int) (uint64, error) {
	bits := 8 * size
	if v, err := strconv.ParseUint(arg, 0, 64); err == nil {
		if v > math.MaxUint64>>(64-bits) {
			return 0, fmt.Errorf("%#x does not fit %d bytes", v, size)
		}
		return v, nil
	}
	v, err := strconv.ParseInt(arg, 0, 64)
	if err != nil {
		return 0, errors.New("not a number")
	}
	if v < math.MinInt64>>(64-bits) {
		return 0, fmt.Errorf("%d does not fit %d bytes", v, size)
	}
	return uint64(v), nil
}

func shorten(line []byte) string {
	if len(line) > 80 {
		return string(line[:77]) + "..."
	}
	return string(line)
}
