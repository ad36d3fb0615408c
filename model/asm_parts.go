// SPDX-License-Identifier: GPL-2.0-only

package model

import (
	"encoding/binary"
	"fmt"
	"slices"
	"strconv"
)

// The sections of write_src(), in its order.

// ptrMacros is what 6.12's text starts with: alignment and pointers there
// depend on the word size, which only the assembler knows.
const ptrMacros = `#include <asm/bitsperlong.h>
#if BITS_PER_LONG == 64
#define PTR .quad
#define ALGN .balign 8
#else
#define PTR .long
#define ALGN .balign 4
#endif
`

// label mirrors output_label().
func (a *asm) label(buf []byte, name string) []byte {
	align := ".balign 4"
	if a.opts.Dialect == BaseRelative {
		align = "ALGN"
	}
	return fmt.Appendf(buf, ".globl %s\n\t%s\n%s:\n", name, align, name)
}

// endTable closes a table; 7.3 records its size.
func (a *asm) endTable(buf []byte, name string) []byte {
	if a.opts.Dialect == PlaceRelative {
		buf = fmt.Appendf(buf, ".size %s, . - %s\n", name, name)
	}
	return append(buf, '\n')
}

func (a *asm) head(buf []byte) []byte {
	if a.opts.Dialect == BaseRelative {
		buf = append(buf, ptrMacros...)
	}
	buf = append(buf, "\t.section .rodata, \"a\"\n"...)
	buf = a.label(buf, "kallsyms_num_syms")
	buf = fmt.Appendf(buf, "\t.long\t%d\n\n", len(a.symbols))
	return a.label(buf, "kallsyms_names")
}

// names writes the records of the asmChunk symbols from start.
func (a *asm) names(buf []byte, start int) []byte {
	at := int(a.t.Markers[start>>a.t.MarkerShift])
	for i := start; i < min(start+asmChunk, len(a.symbols)); i++ {
		header, size := recordHeader(a.t.Names, at)
		next := at + header + size
		buf = a.comment(appendBytes(buf, a.t.Names[at:next]), i)
		at = next
	}
	return buf
}

// byteLen is the text of one more byte in a list, ", 0xff".
const byteLen = 6

// byteText holds it for every byte, in the low bytes of a word, so that it is
// written by one store; the bytes above are written over by what follows.
var byteText = func() (t [256]uint64) {
	for i := range t {
		t[i] = binary.LittleEndian.Uint64(fmt.Appendf(nil, ", 0x%02x\x00\x00", i))
	}
	return t
}()

// appendBytes writes a directive for some bytes.
func appendBytes(buf, list []byte) []byte {
	// The last letter stands where the comma of the first byte goes.
	const start, last = "\t.byt", 'e'
	comma := len(buf) + len(start)
	end := comma + byteLen*len(list)
	buf = append(slices.Grow(buf, end+8-len(buf)), start...)
	rest := buf[comma : end+8]
	for _, b := range list {
		binary.LittleEndian.PutUint64(rest, byteText[b])
		rest = rest[byteLen:]
	}
	buf = buf[:end]
	buf[comma] = last
	return buf
}

// recordHeader returns the bytes of the length prefix of the record at a
// stream offset, and the bytes of compressed name that follow it.
func recordHeader(names []byte, at int) (header, size int) {
	size = int(names[at])
	if size&0x80 == 0 {
		return 1, size
	}
	return 2, size&0x7F | int(names[at+1])<<7
}

// comment ends a line with the symbol it is about. It makes half of all text, so
// it asks for room once.
func (a *asm) comment(buf []byte, i int) []byte {
	const before, after = "\t/* ", " */\n"
	s, start := &a.symbols[i], len(buf)
	end := start + len(before) + 1 + len(s.Name) + len(after)
	buf = slices.Grow(buf, end-start)[:end]
	line := buf[start:]
	copy(line, before)
	line[len(before)] = s.Type
	line = line[len(before)+1:]
	copy(line[copy(line, s.Name):], after)
	return buf
}

// middle writes the markers, the tokens and the label of the offsets.
func (a *asm) middle(buf []byte) []byte {
	buf = a.endTable(buf, "kallsyms_names")
	buf = a.label(buf, "kallsyms_markers")
	for _, m := range a.t.Markers {
		buf = append(buf, "\t.long\t"...)
		buf = strconv.AppendUint(buf, uint64(m), 10)
		buf = append(buf, '\n')
	}
	buf = a.endTable(buf, "kallsyms_markers")
	buf = a.label(buf, "kallsyms_token_table")
	for _, start := range a.t.TokenIndex {
		buf = fmt.Appendf(buf, "\t.asciz\t\"%s\"\n", cString(a.t.TokenTable[start:]))
	}
	buf = a.endTable(buf, "kallsyms_token_table")
	buf = a.label(buf, "kallsyms_token_index")
	for _, start := range a.t.TokenIndex {
		buf = fmt.Appendf(buf, "\t.short\t%d\n", start)
	}
	buf = append(buf, '\n')
	return a.label(buf, "kallsyms_offsets")
}

// offset writes one entry of kallsyms_offsets.
func (a *asm) offset(buf []byte, i int) []byte {
	if a.opts.Dialect == PlaceRelative && a.opts.PCRelative {
		buf = append(buf, "\t.long\t_text - . + ("...)
		buf = strconv.AppendInt(buf, a.entry(i), 10)
		buf = append(buf, ')')
	} else {
		buf = append(buf, "\t.long\t"...)
		buf = appendHex(buf, uint64(uint32(a.entry(i))))
	}
	return a.comment(buf, i)
}

func (a *asm) afterOffsets(buf []byte) []byte {
	buf = a.endTable(buf, "kallsyms_offsets")
	if a.opts.Dialect == BaseRelative {
		buf = a.label(buf, "kallsyms_relative_base")
		sign, distance := byte('+'), a.addr.Base-a.addr.Text
		if a.addr.Text > a.addr.Base {
			sign, distance = '-', a.addr.Text-a.addr.Base
		}
		buf = append(buf, "\tPTR\t_text "...)
		buf = append(buf, sign, ' ')
		buf = append(appendHex(buf, distance), "\n\n"...)
	}
	return a.label(buf, "kallsyms_seqs_of_names")
}

// seq writes the i-th entry of kallsyms_seqs_of_names.
func (a *asm) seq(buf []byte, i int) []byte {
	s := a.t.SeqsOfNames[3*i:][:3]
	return a.comment(appendBytes(buf, s), int(s[0])<<16|int(s[1])<<8|int(s[2]))
}

// appendHex writes what C's %#llx does: 0 gets no prefix.
func appendHex(buf []byte, v uint64) []byte {
	if v != 0 {
		buf = append(buf, "0x"...)
	}
	return strconv.AppendUint(buf, v, 16)
}
