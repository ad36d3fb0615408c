// SPDX-License-Identifier: GPL-2.0-only

package bench

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"

	"kgen/gen/harness"
	"kgen/model"
)

// symbols are what all variants hold, as the host tool reads them and as the
// tables have them.
type symbols struct {
	variant harness.Variant
	file    string // the map, for the host tool
	hash    string // of the map
	table   []model.Symbol
	bounds  model.Bounds
}

const (
	// MinSymbols is the least to resize a map to: what marks the ends of sections
	// is among them, and kept.
	MinSymbols = 1000
	// minTable is the least of what remains in the table, so that there is some of
	// each kind of query.
	minTable = MinSymbols / 2
)

// newSymbols writes the map into a folder. Per-CPU symbols at the bottom of the
// address space, which 6.12 has, go behind the others, as they are in 7.3: so
// maps and trees of both can be put together.
func newSymbols(dir string, source []model.Symbol) (*symbols, error) {
	s := &symbols{variant: harness.Variant{Compiler: "gcc", Bits: 64, UnsignedChar: true, AllSymbols: true, Relocatable: true}}
	source = harness.FitMap(source, s.variant)
	text := harness.FormatMap(source)
	sum := sha256.Sum256(text)
	s.hash = hex.EncodeToString(sum[:])
	s.file = filepath.Join(dir, "symbols.map")
	s.table, s.bounds = model.Prepare(source, model.PrepareOptions{AllSymbols: true})
	if len(s.table) < minTable {
		return nil, fmt.Errorf("%w: expected at least %d, found %d; give the map of a kernel", ErrSymbols, minTable, len(s.table))
	}
	if !slices.ContainsFunc(s.table, s.inText) {
		return nil, fmt.Errorf("%w: expected functions between _stext and _etext, found none; give the map of a kernel", ErrSymbols)
	}
	return s, os.WriteFile(s.file, text, 0o644)
}

// inText says whether a symbol is one that the measuring program takes for traceable.
func (s *symbols) inText(sym model.Symbol) bool {
	return s.bounds.Stext <= sym.Addr && sym.Addr < s.bounds.Etext
}

// Resize makes n symbols of a map; how says in words what was done.
//
// To have more, there are copies of each symbol, numbered after a dot as
// compilers number theirs, spread over the gap up to the next symbol. To have
// fewer, some are left out evenly, but none that marks the end of a section.
func Resize(source []model.Symbol, n int) (resized []model.Symbol, how string) {
	all := slices.Clone(source)
	slices.SortStableFunc(all, func(a, b model.Symbol) int { return cmp.Compare(a.Addr, b.Addr) })
	if n < len(all) {
		for i, s := range all {
			if isBoundary(s) || i*n/len(all) != (i+1)*n/len(all) {
				resized = append(resized, s)
			}
		}
		return resized, "evenly chosen from"
	}
	for i, s := range all {
		copies := uint64(n / len(all))
		if i < n%len(all) {
			copies++
		}
		gap := uint64(0)
		if i+1 < len(all) {
			gap = min(all[i+1].Addr-s.Addr, widestGap)
		}
		resized = append(resized, s)
		for c := uint64(1); c < copies; c++ {
			again := s
			again.Name = s.Name[:min(len(s.Name), longestCopied)] + "." + strconv.FormatUint(c, 10)
			again.Addr += gap * c / copies
			resized = append(resized, again)
		}
	}
	return resized, "numbered copies in the gaps of"
}

const (
	longestCopied = model.KsymNameLen - 16 // leaves room for a number
	widestGap     = 1 << 20                // bytes; the gap behind a section is no symbol's
)

// isBoundary says whether the host tool finds the end of a section by s.
func isBoundary(s model.Symbol) bool {
	return model.BoundsOf([]model.Symbol{s}) != model.BoundsOf(nil)
}
