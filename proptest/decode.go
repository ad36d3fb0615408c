// SPDX-License-Identifier: GPL-2.0-only

package proptest

import (
	"bytes"
	"errors"
	"fmt"

	"kgen/model"
)

// ErrRecord: a record that does not lie within the arrays.
var ErrRecord = errors.New("broken record")

// Record is one record of the stream, decoded.
type Record struct {
	Offset int // where the record starts in the stream
	Tokens int // how many tokens it has
	// First is what the first token stands for: the type, alone or with the
	// start of the name.
	First string
	Type  byte
	Name  string
}

// Decode reads all records of tables one after the other. It is written from
// the format alone and shares nothing with the model's reader, to be the other
// half of its round trip.
func Decode(t *model.Tables) ([]Record, error) {
	records := []Record{}
	for at, rest := 0, t.Names; len(rest) > 0; {
		r := Record{Offset: at}
		header := 1
		r.Tokens = int(rest[0])
		if r.Tokens > 127 {
			if len(rest) == 1 {
				return nil, fmt.Errorf("%w: %d at %d ends in its length", ErrRecord, len(records), at)
			}
			header = 2
			r.Tokens += 128*int(rest[1]) - 128
		}
		if header+r.Tokens > len(rest) {
			return nil, fmt.Errorf("%w: %d at %d has %d tokens, %d bytes are left",
				ErrRecord, len(records), at, r.Tokens, len(rest)-header)
		}
		var text []byte
		for i, token := range rest[header : header+r.Tokens] {
			expanded, _, _ := bytes.Cut(t.TokenTable[t.TokenIndex[token]:], []byte{0})
			if i == 0 {
				r.First = string(expanded)
			}
			text = append(text, expanded...)
		}
		if len(text) > 0 {
			r.Type, r.Name = text[0], string(text[1:])
		}
		records = append(records, r)
		at, rest = at+header+r.Tokens, rest[header+r.Tokens:]
	}
	return records, nil
}
