// SPDX-License-Identifier: GPL-2.0-only

package proptest

import (
	"strings"

	"kgen/model"
)

// Stats is what is counted in a real table. Each list has one entry for each
// thing counted, so that an entry drawn at random is as likely as in the real
// table.
type Stats struct {
	lengths []int    // bytes of each name
	groups  []int    // symbols of each distinct name
	aliases []int    // symbols at each distinct address
	gaps    []uint64 // bytes from each distinct address to the next
	types   string   // type of each symbol
	words   []string // of names, each with the separator that ends it
}

// NewStats counts symbols in table order.
func NewStats(symbols []model.Symbol) *Stats {
	s := &Stats{}
	var types strings.Builder
	named := map[string]int{}
	for i, sym := range symbols {
		s.lengths = append(s.lengths, len(sym.Name))
		types.WriteByte(sym.Type)
		named[sym.Name]++
		if named[sym.Name] == 1 {
			s.addWords(sym.Name)
		}
		if i == 0 || sym.Addr != symbols[i-1].Addr {
			if i > 0 {
				s.gaps = append(s.gaps, sym.Addr-symbols[i-1].Addr)
			}
			s.aliases = append(s.aliases, 0)
		}
		s.aliases[len(s.aliases)-1]++
	}
	for _, sym := range symbols { // in table order: a map's own order is random
		if n := named[sym.Name]; n > 0 {
			s.groups = append(s.groups, n)
			named[sym.Name] = 0
		}
	}
	s.types = types.String()
	return s
}

// addWords cuts a name behind its separators.
func (s *Stats) addWords(name string) {
	for name != "" {
		end := strings.IndexAny(name, "_.") + 1
		if end == 0 {
			end = len(name)
		}
		s.words = append(s.words, name[:end])
		name = name[end:]
	}
}

// Profile is what tells a table like a real one from another.
type Profile struct {
	Length     float64 // mean bytes of a name
	Duplicates float64 // share of symbols whose name others have too
	Aliases    float64 // share of symbols whose address others have too
	Text       float64 // share of symbols of type T, t, W or w
	Compressed float64 // tokens for each byte of type and name, once encoded
}

// ProfileOf measures a table.
func ProfileOf(symbols []model.Symbol) (Profile, error) {
	t, err := model.Encode(symbols, model.EncodeOptions{MarkerShift: model.StockMarkerShift})
	if err != nil {
		return Profile{}, err
	}
	records, err := Decode(t)
	if err != nil {
		return Profile{}, err
	}
	named, placed := map[string]int{}, map[uint64]int{}
	for _, s := range symbols {
		named[s.Name]++
		placed[s.Addr]++
	}
	var p Profile
	tokens := 0
	for i, s := range symbols {
		p.Length += float64(len(s.Name))
		p.Duplicates += count(named[s.Name] > 1)
		p.Aliases += count(placed[s.Addr] > 1)
		p.Text += count(strings.IndexByte("TtWw", s.Type) >= 0)
		tokens += records[i].Tokens
	}
	n := float64(max(len(symbols), 1))
	p.Compressed = float64(tokens) / max(p.Length+n, 1)
	for _, sum := range []*float64{&p.Length, &p.Duplicates, &p.Aliases, &p.Text} {
		*sum /= n
	}
	return p, nil
}

func count(b bool) float64 {
	if b {
		return 1
	}
	return 0
}
