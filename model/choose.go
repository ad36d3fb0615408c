// SPDX-License-Identifier: GPL-2.0-only

package model

import (
	"fmt"
	"slices"
	"strings"
)

// Params are the parameters of mechanisms as a command line has them, named as
// the fields of Choice.
type Params struct {
	Shift                  uint // of density, sub-markers or group-sizes
	BucketShift, StartBits uint // of hash-order and hash-blocks
	BlockShift, EntryBytes uint // of hash-blocks
}

// Choose makes a choice of mechanisms by their words, as a series lists them.
// Mechanisms that exclude each other are refused with the reason.
func Choose(words []string, p Params) (Choice, error) {
	c := StockChoice()
	located := Mechanism("")
	for i, word := range words {
		if slices.Contains(words[:i], word) {
			return c, refuse("%s is named twice", word)
		}
		switch m := Mechanism(word); m {
		case Density, SubMarkers, GroupSizes, StaticIndex:
			if located != "" && located != m {
				return c, refuse("%s and %s both say how records are found", located, m)
			}
			located, c.Locate, c.Shift = m, m, p.Shift
			if m == StaticIndex {
				c.Shift = 0
			}
		case NameOffsets, HashOrder, HashBlocks:
			if c.Order != "" && c.Order != m {
				return c, refuse("%s and %s both say how names are ordered", c.Order, m)
			}
			c.Order = m
		case BatchIndex:
			c.Batch = true
		case TokenMatch:
			c.TokenMatch = true
		case SeqUnroll:
			c.SeqUnroll = true
		default:
			return c, refuse("%q is not a mechanism of core symbol lookups", word)
		}
	}
	switch c.Order {
	case HashBlocks:
		c.BlockShift, c.EntryBytes = p.BlockShift, p.EntryBytes
		fallthrough
	case HashOrder:
		c.BucketShift, c.StartBits = p.BucketShift, p.StartBits
	}
	return c, c.Check()
}

// String names the mechanisms with their parameters, such as
// "sub-markers:5 hash-order:4:8 token-match"; the stock kernel is "stock".
func (c Choice) String() string {
	var words []string
	switch {
	case c.Locate == StaticIndex:
		words = append(words, string(StaticIndex))
	case c.Locate != Density || c.Shift != StockMarkerShift:
		words = append(words, fmt.Sprintf("%s:%d", c.Locate, c.Shift))
	}
	switch c.Order {
	case HashOrder:
		words = append(words, fmt.Sprintf("%s:%d:%d", c.Order, c.BucketShift, c.StartBits))
	case HashBlocks:
		words = append(words, fmt.Sprintf("%s:%d:%d:%d:%d", c.Order, c.BucketShift, c.StartBits, c.BlockShift, c.EntryBytes))
	case NameOffsets:
		words = append(words, string(NameOffsets))
	}
	if c.Batch {
		words = append(words, string(BatchIndex))
	}
	if c.TokenMatch {
		words = append(words, string(TokenMatch))
	}
	if c.SeqUnroll {
		words = append(words, string(SeqUnroll))
	}
	if len(words) == 0 {
		return "stock"
	}
	return strings.Join(words, " ")
}

// Mechanisms lists the words that Choose knows.
func Mechanisms() []Mechanism {
	return []Mechanism{
		Density, SubMarkers, GroupSizes, StaticIndex, BatchIndex,
		NameOffsets, HashOrder, HashBlocks, TokenMatch, SeqUnroll,
	}
}
