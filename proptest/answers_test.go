// SPDX-License-Identifier: GPL-2.0-only

package proptest

import (
	"fmt"
	"slices"
	"testing"

	"kgen/model"
)

const (
	mostNames     = 60 // asked of one design
	mostAddresses = 60
)

// TestNamesAnswerAsSpecified: every design gives every name the address, the
// range and the matches that the specification gives it.
func TestNamesAnswerAsSpecified(t *testing.T) { hold(t, namesLaw) }

func namesLaw(t Table, pick int64) string {
	spec := &model.Spec{Symbols: t.Symbols}
	names := some(Names(t.Symbols), mostNames)
	expected := make([]string, len(names))
	for i, name := range names {
		start, end, err := spec.NameRange(name)
		expected[i] = nameAnswer(spec.LookupName(name), start, end, err == nil, spec.Matches(name))
	}
	return eachDesign(t, pick, func(d *model.Design, _ state) string {
		for i, name := range names {
			addr, found, _ := d.LookupName(name)
			start, end, ok, _ := d.NamesRange(name)
			matches, _ := d.OnEachMatch(name)
			if d.Choice().BucketShift != 0 && ok {
				// The range does not count in name order; only its length is the specification's.
				first, _, err := spec.NameRange(name)
				if err == nil {
					start, end = first, first+end-start
				}
			}
			got := nameAnswer(addr, start, end, ok, matches)
			if got != expected[i] || found != (ok && name != "") {
				return fmt.Sprintf("name %q:\nexpected %s\n     got %s", name, expected[i], got)
			}
		}
		return ""
	})
}

func nameAnswer(addr uint64, start, end int, ok bool, matches []uint64) string {
	if !ok {
		return fmt.Sprintf("address %#x, no range, matches %#x", addr, matches)
	}
	return fmt.Sprintf("address %#x, range %d to %d, matches %#x", addr, start, end, matches)
}

// TestAddressesAnswerAsSpecified: every design finds around every address the
// symbol that the specification finds, with size, offset and text.
func TestAddressesAnswerAsSpecified(t *testing.T) {
	hold(t, func(t Table, pick int64) string {
		addrs := some(Addresses(t.Symbols), mostAddresses)
		var specs []*model.Spec
		var expected [][]string
		for _, all := range []bool{false, true} {
			s := &model.Spec{Symbols: t.Symbols, Bounds: t.Bounds(), Rules: model.Rules{AllSymbols: all}}
			answers := make([]string, len(addrs))
			for i, addr := range addrs {
				if len(t.Symbols) > 0 {
					place := s.SymbolPos(addr)
					answers[i] = addressAnswer(place, t.Symbols[place.Pos].Name, s.SprintSymbol(addr))
				}
			}
			specs, expected = append(specs, s), append(expected, answers)
		}
		return eachDesign(t, pick, func(d *model.Design, _ state) string {
			for i, addr := range addrs {
				at, ok, _ := d.LookupAddr(addr)
				for j, s := range specs {
					got := ""
					if ok {
						place := placeIn(at, addr, s)
						got = addressAnswer(place, at.Name, textOf(at.Name, place, addr, s))
					}
					if got != expected[j][i] {
						return fmt.Sprintf("address %#x, all symbols %v:\nexpected %s\n     got %s",
							addr, s.Rules.AllSymbols, expected[j][i], got)
					}
				}
			}
			return ""
		})
	})
}

// placeIn completes what a design knows of an address with the section's end,
// as get_symbol_pos() does.
func placeIn(at model.Located, addr uint64, s *model.Spec) model.Place {
	end := at.Next
	switch b := s.Bounds; {
	case at.HasNext:
	case addr >= b.Sinittext && addr < b.Einittext:
		end = b.Einittext
	case s.Rules.AllSymbols:
		end = b.End
	default:
		end = b.Etext
	}
	return model.Place{Pos: at.Seq, Size: end - at.Start, Offset: addr - at.Start}
}

// textOf is what sprint_symbol() makes of it.
func textOf(name string, p model.Place, addr uint64, s *model.Spec) string {
	if name == "" || !s.IsKsymAddr(addr) {
		return fmt.Sprintf("%#x", addr)
	}
	return fmt.Sprintf("%s+%#x/%#x", name, p.Offset, p.Size)
}

func addressAnswer(p model.Place, name, text string) string {
	return fmt.Sprintf("symbol %d %q, size %#x, offset %#x, text %q", p.Pos, name, p.Size, p.Offset, text)
}

// TestPositionsAnswerAsSpecified: for every position, the record starts where
// the sizes of those before it add up to, and has the symbol's type.
func TestPositionsAnswerAsSpecified(t *testing.T) { hold(t, positionsLaw) }

func positionsLaw(t Table, pick int64) string {
	records, err := Decode(encode(t, pick))
	if err != nil {
		return err.Error()
	}
	return eachDesign(t, pick, func(d *model.Design, s state) string {
		for seq, r := range records {
			off, cost := d.SymbolOffset(seq)
			if off != r.Offset {
				return fmt.Sprintf("offset of symbol %d:\nexpected %d\n     got %d", seq, r.Offset, off)
			}
			if least, most := walkTo(d, s, seq); cost.Hops < least || cost.Hops > most {
				return fmt.Sprintf("offset of symbol %d:\nexpected %d to %d hops\n     got %d", seq, least, most, cost.Hops)
			}
			if got, _ := d.SymbolType(seq); got != t.Symbols[seq].Type {
				return fmt.Sprintf("type of symbol %d:\nexpected %q\n     got %q", seq, t.Symbols[seq].Type, got)
			}
		}
		return ""
	})
}

// walkTo is how many records are passed on the way to a symbol: those since its
// marker, or since its group, if all groups before it have sizes that fit.
func walkTo(d *model.Design, s state, seq int) (least, most int) {
	least = seq & (1<<d.Choice().Shift - 1)
	switch {
	case s == open:
		return 0, 0
	case d.Choice().Locate == model.GroupSizes:
		return least, seq & 255
	}
	return least, least
}

// TestSpecificationAgreesWithItself: the specification's own functions, each
// of which is a scan, tell one story.
func TestSpecificationAgreesWithItself(t *testing.T) {
	hold(t, func(t Table, _ int64) string {
		spec := &model.Spec{Symbols: t.Symbols, Bounds: t.Bounds(), Rules: model.Rules{AllSymbols: true}}
		order := spec.NameOrder()
		for _, name := range some(Names(t.Symbols), mostNames) {
			matches := spec.Matches(name)
			start, end, err := spec.NameRange(name)
			var inRange []uint64
			for i := start; err == nil && i <= end; i++ {
				if t.Symbols[order[i]].Name != name {
					return fmt.Sprintf("name %q: place %d of its range %d to %d is %q",
						name, i, start, end, t.Symbols[order[i]].Name)
				}
				inRange = append(inRange, t.Symbols[order[i]].Addr)
			}
			if !slices.Equal(inRange, matches) || !slices.IsSorted(matches) {
				return fmt.Sprintf("name %q: range holds %#x, matches are %#x", name, inRange, matches)
			}
			if len(matches) > 0 && name != "" && spec.LookupName(name) != matches[0] {
				return fmt.Sprintf("name %q: found at %#x, first match at %#x", name, spec.LookupName(name), matches[0])
			}
		}
		var seen []model.Symbol
		spec.OnEachSymbol(func(name string, addr uint64) int {
			seen = append(seen, model.Symbol{Addr: addr, Type: spec.SymbolType(len(seen)), Name: name})
			return 0
		})
		if !slices.Equal(seen, t.Symbols) {
			return fmt.Sprintf("on_each_symbol visits %v, expected %v", seen, t.Symbols)
		}
		return ""
	})
}

// TestEveryLegalChoice tries all designs there are on tables of few symbols,
// where the laws above pick some for each table.
func TestEveryLegalChoice(t *testing.T) {
	for _, text := range []string{
		"",
		"0 T \n0 t a\n10 W ab\n10 T a\nffffffffffffffff D \xff\n",
	} {
		table, err := ParseTable([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		for _, check := range []law{namesLaw, positionsLaw} {
			if complaint := guarded(check)(table, everyDesign); complaint != "" {
				t.Errorf("%s\n%v", complaint, table)
			}
		}
	}
}
