// SPDX-License-Identifier: GPL-2.0-only

package model

import (
	"bytes"
	"errors"
	"fmt"
)

// ErrTables: tables that the kernel would read past the end of, or that do not
// belong together.
var ErrTables = errors.New("malformed tables")

// Decode returns the symbols of tables in their order, with the addresses as
// they are. It reads every record as kallsyms_expand_symbol() does, but checks
// what the kernel trusts: that records, tokens, markers and sequence numbers
// lead to where something is.
func Decode(t *Tables) ([]Symbol, error) {
	tokens, err := t.tokens()
	if err != nil {
		return nil, err
	}
	symbols := make([]Symbol, 0, t.NumSyms())
	var text []byte
	at := 0
	for i, addr := range t.Addrs {
		if i&(1<<t.MarkerShift-1) == 0 {
			if m := i >> t.MarkerShift; m >= len(t.Markers) || int(t.Markers[m]) != at {
				return nil, fmt.Errorf("%w: symbol %d: record at %d has no marker that says so", ErrTables, i, at)
			}
		}
		if at >= len(t.Names) || t.Names[at]&0x80 != 0 && at+1 >= len(t.Names) {
			return nil, fmt.Errorf("%w: symbol %d of %d: the stream ends at %d", ErrTables, i, t.NumSyms(), len(t.Names))
		}
		header, size := recordHeader(t.Names, at)
		if at+header+size > len(t.Names) {
			return nil, fmt.Errorf("%w: symbol %d: its record ends at %d, the stream at %d", ErrTables, i, at+header+size, len(t.Names))
		}
		text = text[:0]
		for _, token := range t.Names[at+header:][:size] {
			text = append(text, tokens[token]...)
		}
		if len(text) == 0 {
			return nil, fmt.Errorf("%w: symbol %d: no type", ErrTables, i)
		}
		symbols = append(symbols, Symbol{Addr: addr, Type: text[0], Name: string(text[1:])})
		at += header + size
	}
	if at != len(t.Names) {
		return nil, fmt.Errorf("%w: the stream goes on behind symbol %d, from %d to %d", ErrTables, t.NumSyms(), at, len(t.Names))
	}
	return symbols, t.checkSeqs()
}

// tokens returns what each of the 256 bytes of a record stands for.
func (t *Tables) tokens() (tokens [256][]byte, err error) {
	for i, start := range t.TokenIndex {
		if int(start) > len(t.TokenTable) {
			return tokens, fmt.Errorf("%w: token %d starts at %d, the table ends at %d", ErrTables, i, start, len(t.TokenTable))
		}
		token, _, ended := bytes.Cut(t.TokenTable[start:], []byte{0})
		if !ended {
			return tokens, fmt.Errorf("%w: token %d at %d has no end", ErrTables, i, start)
		}
		tokens[i] = token
	}
	return tokens, nil
}

// checkSeqs says whether kallsyms_seqs_of_names is a permutation.
func (t *Tables) checkSeqs() error {
	if len(t.SeqsOfNames) != 3*t.NumSyms() {
		return fmt.Errorf("%w: %d bytes of name order for %d symbols", ErrTables, len(t.SeqsOfNames), t.NumSyms())
	}
	seen := make([]bool, t.NumSyms())
	for i := range t.NumSyms() {
		s := t.SeqsOfNames[3*i:]
		seq := int(s[0])<<16 | int(s[1])<<8 | int(s[2])
		if seq >= len(seen) || seen[seq] {
			return fmt.Errorf("%w: place %d in name order leads to symbol %d of %d, or does so twice", ErrTables, i, seq, len(seen))
		}
		seen[seq] = true
	}
	return nil
}
