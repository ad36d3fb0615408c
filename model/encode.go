// SPDX-License-Identifier: GPL-2.0-only

package model

import (
	"fmt"
	"math"
	"strings"
)

const (
	// KsymNameLen is KSYM_NAME_LEN: the buffer that a name and its terminating
	// NUL must fit, in the kernel and in the host tool.
	KsymNameLen = 512
	// StockMarkerShift is the marker spacing of kernels as they are: one marker
	// every 256 symbols.
	StockMarkerShift = 8
	// MaxMarkerShift is the sparsest spacing the encoder makes.
	MaxMarkerShift = StockMarkerShift

	maxSymbols = 1 << 24 // kallsyms_seqs_of_names packs 24 bits
	// maxEncodedName leaves room for the type character and the NUL in the
	// host tool's KSYM_NAME_LEN buffer.
	maxEncodedName = KsymNameLen - 2
)

// EncodeOptions selects what Encode may vary.
type EncodeOptions struct {
	MarkerShift uint // log2 of the marker spacing, 0..MaxMarkerShift
}

// Encode compresses symbols and builds every table of the kernel, byte for
// byte as scripts/kallsyms.c does. The symbols must be in table order, as
// Prepare leaves them; only ascending addresses are demanded, so that a test
// may place aliases as it likes.
//
// It mirrors optimize_token_table(), write_src() and sort_symbols_by_name().
// The name order does not depend on the tokens, so the two are found side by
// side.
func Encode(symbols []Symbol, opts EncodeOptions) (*Tables, error) {
	if opts.MarkerShift > MaxMarkerShift {
		return nil, fmt.Errorf("%w: %d, expected 0 to %d", ErrMarkerShift, opts.MarkerShift, MaxMarkerShift)
	}
	if err := checkSymbols(symbols); err != nil {
		return nil, err
	}
	// First what takes all processors, then the two long tasks that take one
	// each.
	c := newCompressor(symbols)
	if err := c.checkBytes(symbols); err != nil {
		return nil, err
	}
	t := &Tables{MarkerShift: opts.MarkerShift, Addrs: make([]uint64, len(symbols))}
	inParallel(2, func(task int) {
		if task == 0 {
			c.selectTokens()
			return
		}
		t.SeqsOfNames = packSeqs(nameOrder(symbols))
		for i := range symbols {
			t.Addrs[i] = symbols[i].Addr
		}
	})
	t.Names, t.Markers = c.stream(opts.MarkerShift)
	if err := c.tokenTable(t); err != nil {
		return nil, err
	}
	return t, nil
}

// checkSymbols refuses the tables and lengths for which the host tool has no
// defined or no correct output.
func checkSymbols(symbols []Symbol) error {
	if len(symbols) > maxSymbols {
		return fmt.Errorf("%w: %d, expected at most %d", ErrTooManySymbols, len(symbols), maxSymbols)
	}
	size := uint64(0)
	for i := range symbols {
		s := &symbols[i]
		if i > 0 && s.Addr < symbols[i-1].Addr {
			return fmt.Errorf("%w: %q at %#x follows %q at %#x; pass them through Prepare",
				ErrTableOrder, s.Name, s.Addr, symbols[i-1].Name, symbols[i-1].Addr)
		}
		if len(s.Name) > maxEncodedName {
			return fmt.Errorf("%w: %.40q... has %d bytes, expected at most %d; rename or drop it",
				ErrNameLength, s.Name, len(s.Name), maxEncodedName)
		}
		size += uint64(len(s.Name)) + 3
	}
	if size > math.MaxUint32 {
		return fmt.Errorf("%w: up to %d bytes, expected less than 4 GiB", ErrStreamSize, size)
	}
	return nil
}

// unwritable are the bytes that .asciz "..." cannot hold as they are, or that
// end a C string.
const unwritable = "\x00\n\r\"\\"

// checkBytes refuses what ends a C string, an assembler string or a comment
// before its time. The counts tell whether to look for it at all.
func (c *compressor) checkBytes(symbols []Symbol) error {
	suspect := c.count(pairKey('*', '/')) > 0
	for i := range len(unwritable) {
		suspect = suspect || c.uses(unwritable[i])
	}
	if !suspect {
		return nil
	}
	for _, s := range symbols {
		text := string([]byte{s.Type}) + s.Name
		if strings.ContainsAny(text, unwritable) {
			return fmt.Errorf("%w: %q (type %q) holds a quote, backslash, NUL or line end; rename or drop it",
				ErrNameByte, s.Name, s.Type)
		}
		if strings.Contains(text, "*/") {
			return fmt.Errorf("%w: %q (type %q) would end the comment it is printed in; rename or drop it",
				ErrNameByte, s.Name, s.Type)
		}
	}
	return nil
}
