// SPDX-License-Identifier: GPL-2.0-only

package proptest

import (
	"fmt"
	"strconv"
	"strings"

	"kgen/model"
)

// parsedAsm is what an assembler would make of the text.
type parsedAsm struct {
	tables  model.Tables
	offsets []string // entries of kallsyms_offsets, as they are written
}

// parseAsm reads the text of scripts/kallsyms.c: labels, and the directives
// that it puts below each. Comments hold names of any bytes and are cut off
// first.
func parseAsm(text string, shift uint) (*parsedAsm, error) {
	p := &parsedAsm{}
	p.tables.MarkerShift = shift
	label, tokens := "", 0
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		if name, is := strings.CutSuffix(line, ":"); is && !strings.HasPrefix(line, "\t") {
			label = name
			continue
		}
		directive, args, _ := strings.Cut(strings.TrimPrefix(line, "\t"), "\t")
		if rest, is := strings.CutPrefix(line, "\t.byte "); is {
			directive, args = ".byte", rest
		}
		if directive != ".asciz" {
			args, _, _ = strings.Cut(args, "\t/*")
		}
		var err error
		switch label + " " + directive {
		case "kallsyms_names .byte":
			p.tables.Names, err = appendBytes(p.tables.Names, args)
		case "kallsyms_seqs_of_names .byte":
			p.tables.SeqsOfNames, err = appendBytes(p.tables.SeqsOfNames, args)
		case "kallsyms_markers .long":
			var v uint64
			v, err = strconv.ParseUint(args, 10, 32)
			p.tables.Markers = append(p.tables.Markers, uint32(v))
		case "kallsyms_token_table .asciz":
			p.tables.TokenTable = append(p.tables.TokenTable, args[1:len(args)-1]...)
			p.tables.TokenTable = append(p.tables.TokenTable, 0)
		case "kallsyms_token_index .short":
			var v uint64
			v, err = strconv.ParseUint(args, 10, 16)
			p.tables.TokenIndex[tokens] = uint16(v)
			tokens++
		case "kallsyms_offsets .long":
			p.offsets = append(p.offsets, args)
		}
		if err != nil {
			return nil, fmt.Errorf("%s: line %q: %w", label, line, err)
		}
	}
	return p, nil
}

func appendBytes(to []byte, list string) ([]byte, error) {
	for arg := range strings.SplitSeq(list, ", ") {
		v, err := strconv.ParseUint(arg, 0, 8)
		if err != nil {
			return to, err
		}
		to = append(to, byte(v))
	}
	return to, nil
}

// address is what the kernel computes from an entry once it is linked at the
// addresses of the table. It states the three dialects once more.
func (p *parsedAsm) address(entry string, t Table, opts model.AsmOptions) uint64 {
	if rest, is := strings.CutPrefix(entry, "_text - . + ("); is {
		distance, err := strconv.ParseInt(strings.TrimSuffix(rest, ")"), 10, 32)
		if err != nil {
			return 0xbad
		}
		return opts.Bounds.Text + uint64(distance)
	}
	v, err := strconv.ParseUint(entry, 0, 32)
	if err != nil {
		return 0xbad
	}
	switch {
	case opts.Dialect != model.BaseRelative:
		return v
	case !opts.AbsolutePercpu:
		return v + t.Symbols[0].Addr
	case v < 1<<31:
		return v
	}
	base := baseOf(t, func(addr uint64) bool { return addr >= opts.Bounds.PercpuStart && addr <= opts.Bounds.PercpuEnd })
	return base + (1<<32 - 1 - v)
}
