// SPDX-License-Identifier: GPL-2.0-only

package model

import "errors"

// What the encoder refuses. In each case scripts/kallsyms.c either has no
// defined behaviour or writes tables that are silently wrong; docs/encoder.md
// tells how each was seen.
var (
	// ErrTableOrder: the symbols are not in ascending address order.
	ErrTableOrder = errors.New("symbols are not in table order")
	// ErrMarkerShift: the marker shift is outside 0..MaxMarkerShift.
	ErrMarkerShift = errors.New("marker shift out of range")
	// ErrTooManySymbols: a sequence number does not fit the three bytes of
	// kallsyms_seqs_of_names.
	ErrTooManySymbols = errors.New("too many symbols for 3-byte sequence numbers")
	// ErrNameLength: the type and the name do not fit KSYM_NAME_LEN bytes with
	// their terminator; the host tool writes past the end of its buffer.
	ErrNameLength = errors.New("symbol name too long to encode")
	// ErrNameByte: a byte that cannot stand in the assembler text, or that ends
	// a C string early.
	ErrNameByte = errors.New("symbol cannot be written as assembler text")
	// ErrTokenTable: the expanded tokens need offsets wider than the 16 bits of
	// kallsyms_token_index.
	ErrTokenTable = errors.New("token table does not fit 16-bit offsets")
	// ErrStreamSize: the stream needs offsets wider than the 32 bits of
	// kallsyms_markers.
	ErrStreamSize = errors.New("symbol names do not fit 32-bit stream offsets")
	// ErrAddressRange: an address does not fit the 32-bit entry that the
	// dialect stores for it.
	ErrAddressRange = errors.New("address does not fit kallsyms_offsets")
)
