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
// The name order does not depend on the compression, so the two run side by
// side.
func Encode(symbols []Symbol, opts EncodeOptions) (*Tables, error) {
	if opts.MarkerShift > MaxMarkerShift {
		return nil, fmt.Errorf("%w: %d, expected 0 to %d", ErrMarkerShift, opts.MarkerShift, MaxMarkerShift)
	}
	if err := checkSymbols(symbols); err != nil {
		return nil, err
	}
	seqs := make(chan []byte, 1)
	go func() { seqs <- packSeqs(nameOrder(symbols)) }()

	c := newCompressor(symbols)
	c.selectTokens()
	t := &Tables{MarkerShift: opts.MarkerShift, Addrs: make([]uint64, len(symbols))}
	for i := range symbols {
		t.Addrs[i] = symbols[i].Addr
	}
	t.Names, t.Markers = c.stream(symbols, opts.MarkerShift)
	err := c.tokenTable(t)
	t.SeqsOfNames = <-seqs
	if err != nil {
		return nil, err
	}
	return t, nil
}

// checkSymbols refuses the symbols for which the host tool has no defined or
// no correct output.
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
		if err := checkBytes(s); err != nil {
			return err
		}
	}
	if size > math.MaxUint32 {
		return fmt.Errorf("%w: up to %d bytes", ErrStreamSize, size)
	}
	return nil
}

// checkBytes refuses what ends a C string, an assembler string or a comment
// before its time.
func checkBytes(s *Symbol) error {
	bad := unwritable[s.Type]
	for i := 0; i < len(s.Name); i++ {
		bad = bad || unwritable[s.Name[i]]
	}
	if bad {
		return fmt.Errorf("%w: %q (type %q) holds a quote, backslash, NUL or line end; rename or drop it",
			ErrNameByte, s.Name, s.Type)
	}
	if s.Type == '*' && strings.HasPrefix(s.Name, "/") || strings.Contains(s.Name, "*/") {
		return fmt.Errorf("%w: %q (type %q) would end the comment it is printed in; rename or drop it",
			ErrNameByte, s.Name, s.Type)
	}
	return nil
}

// unwritable marks the bytes that .asciz "..." cannot hold as they are.
var unwritable = [256]bool{0: true, '\n': true, '\r': true, '"': true, '\\': true}
