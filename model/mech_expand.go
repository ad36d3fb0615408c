// SPDX-License-Identifier: GPL-2.0-only

package model

import "strings"

// comparer compares a name with the symbol whose record is at off: negative,
// zero or positive as strcmp() of the two, which compares unsigned bytes.
type comparer func(s *stream, m *meter, name string, off int) int

// compareExpanded is the stock kernel: kallsyms_expand_symbol() into a buffer
// on the stack, then strcmp().
func compareExpanded(s *stream, m *meter, name string, off int) int {
	var buf [KsymNameLen]byte
	symbol := s.expand(m, buf[:0], off)
	same := 0
	for same < len(name) && same < len(symbol) && name[same] == symbol[same] {
		same++
	}
	m.cost.NameBytes += same + 1
	return strings.Compare(name, string(symbol))
}

// expand appends the name of the record at off. It mirrors
// kallsyms_expand_symbol(): not the first token is left out but the first
// character, which is the type.
func (s *stream) expand(m *meter, name []byte, off int) []byte {
	tokens, data := s.open(m, off)
	m.read(NamesTable, data, len(tokens))
	skipped := false
	for _, token := range tokens {
		at := s.token(m, token)
		end := at
		for s.TokenTable[end] != 0 {
			end++
		}
		m.read(TokenTable, at, end-at+1)
		if !skipped && end > at {
			skipped = true
			at++
		}
		name = append(name, s.TokenTable[at:end]...)
	}
	return name
}
