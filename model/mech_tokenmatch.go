// SPDX-License-Identifier: GPL-2.0-only

package model

// compareTokens is the mechanism "token-match": it compares the name with one
// token after the other and leaves at the first different byte. Most probes of
// a search end within the first token, and no buffer is needed. As in
// expanding, the type is the first character, not the first token.
func compareTokens(s *stream, m *meter, name string, off int) int {
	tokens, data := s.open(m, off)
	matched, skipped := 0, false
	for i, token := range tokens {
		m.readLine(NamesTable, (data+i)>>lineShift)
		for at := s.token(m, token); ; at++ {
			m.readLine(TokenTable, at>>lineShift)
			char := s.TokenTable[at]
			if char == 0 {
				break
			}
			if !skipped {
				skipped = true
				continue
			}
			m.cost.NameBytes++
			switch {
			case matched == len(name) || name[matched] < char:
				return -1
			case name[matched] > char:
				return 1
			}
			matched++
		}
	}
	m.cost.NameBytes++
	if matched < len(name) {
		return 1
	}
	return 0
}
