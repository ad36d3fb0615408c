// SPDX-License-Identifier: GPL-2.0-only

package harness

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"strconv"
)

// values emits a list of numbers or of distances from _text.
func (p *ImageParser) values(args []byte, size int) error {
	if size == 1 {
		if data, ok := hexBytes(p.scratch[:0], args); ok {
			p.scratch = data
			return p.emit(data)
		}
	}
	for more := true; more; {
		var arg []byte
		arg, args, more = bytes.Cut(args, []byte(","))
		if err := p.value(bytes.TrimSpace(arg), size); err != nil {
			return err
		}
	}
	return nil
}

func (p *ImageParser) value(arg []byte, size int) error {
	if rest, ok := bytes.CutPrefix(arg, []byte("_text")); ok {
		return p.relative(rest, size)
	}
	v, err := number(arg, size)
	if err != nil {
		return err
	}
	var buf [8]byte
	binary.LittleEndian.PutUint64(buf[:], v)
	return p.emit(buf[:size])
}

// relative takes what follows _text: " - . + (5)", "+0x10", "-0x10" or nothing.
func (p *ImageParser) relative(rest []byte, size int) error {
	r := Reloc{Kind: TextRelative64}
	if size == 4 {
		r.Kind = TextRelative32
	} else if size != 8 {
		return errors.New("a distance from _text needs 4 or 8 bytes")
	}
	sign, rest := operator(rest)
	if after, ok := bytes.CutPrefix(rest, []byte(".")); ok && sign == '-' {
		if size != 4 {
			return errors.New("a distance between two places needs 4 bytes")
		}
		r.Kind = PlaceRelative
		sign, rest = operator(after)
	}
	if sign != 0 || len(rest) > 0 {
		if sign != '+' && sign != '-' {
			return errors.New("unknown expression")
		}
		u, err := number(bytes.TrimSpace(bytes.Trim(rest, "()")), 8)
		if err != nil {
			return errors.New("unknown expression")
		}
		v := int64(u) // distances are modulo 2^64
		if sign == '-' {
			v = -v
		}
		r.Addend = v
	}
	if err := p.emit(zeros[:r.Kind.size()]); err != nil {
		return err
	}
	b := &p.image.Blocks[len(p.image.Blocks)-1]
	r.Offset = uint32(len(b.Data) - r.Kind.size())
	b.Relocs = append(roomFor(b.Relocs, 1), r)
	return nil
}

var zeros [8]byte

// operator cuts the first byte off, and spaces on both sides of it.
func operator(text []byte) (sign byte, rest []byte) {
	text = bytes.TrimSpace(text)
	if len(text) == 0 {
		return 0, nil
	}
	return text[0], bytes.TrimSpace(text[1:])
}

// number reads an integer that fits size bytes, signed or unsigned.
func number(arg []byte, size int) (uint64, error) {
	bits := 8 * size
	v, ok := plainNumber(arg)
	if !ok {
		var err error
		v, err = strconv.ParseUint(string(arg), 0, 64)
		ok = err == nil
	}
	if ok {
		if v > math.MaxUint64>>(64-bits) {
			return 0, fmt.Errorf("%#x does not fit %d bytes", v, size)
		}
		return v, nil
	}
	return negative(arg, size)
}

// plainNumber reads a number as the host tools write them: decimal digits without
// a zero in front, or hexadecimal ones, neither more than surely fit.
func plainNumber(arg []byte) (v uint64, ok bool) {
	if digits, ok := bytes.CutPrefix(arg, []byte("0x")); ok {
		if len(digits) == 0 || len(digits) > 16 {
			return 0, false
		}
		for _, c := range digits {
			d, ok := hexDigit(c)
			if !ok {
				return 0, false
			}
			v = v<<4 | uint64(d)
		}
		return v, true
	}
	if len(arg) == 0 || len(arg) > 19 || arg[0] == '0' && len(arg) > 1 {
		return 0, false
	}
	for _, c := range arg {
		if c < '0' || c > '9' {
			return 0, false
		}
		v = 10*v + uint64(c-'0')
	}
	return v, true
}

func hexDigit(c byte) (byte, bool) {
	switch {
	case c >= '0' && c <= '9':
		return c - '0', true
	case c >= 'a' && c <= 'f':
		return c - 'a' + 10, true
	}
	return 0, false
}

// hexBytes reads a list of bytes as the host tools write most of their text:
// "0x0c, 0x41".
func hexBytes(data, args []byte) ([]byte, bool) {
	for {
		if len(args) < 4 || args[0] != '0' || args[1] != 'x' {
			return data, false
		}
		high, ok := hexDigit(args[2])
		low, also := hexDigit(args[3])
		if !ok || !also {
			return data, false
		}
		data, args = append(data, high<<4|low), args[4:]
		if len(args) == 0 {
			return data, true
		}
		if len(args) < 2 || args[0] != ',' || args[1] != ' ' {
			return data, false
		}
		args = args[2:]
	}
}

func negative(arg []byte, size int) (uint64, error) {
	bits := 8 * size
	v, err := strconv.ParseInt(string(arg), 0, 64)
	if err != nil {
		return 0, errors.New("not a number")
	}
	if v < math.MinInt64>>(64-bits) {
		return 0, fmt.Errorf("%d does not fit %d bytes", v, size)
	}
	return uint64(v), nil
}
