// SPDX-License-Identifier: GPL-2.0-only

package proptest

import (
	"strings"

	"kgen/model"
)

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
