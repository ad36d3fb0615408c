// SPDX-License-Identifier: GPL-2.0-only

package model

import (
	"errors"
	"fmt"
	"strings"
)

// ErrChoice: mechanisms that cannot be combined, or a parameter out of range.
var ErrChoice = errors.New("no such design")

// Mechanism is one change of design, by its word on the command line.
type Mechanism string

const (
	Density     Mechanism = "density"
	SubMarkers  Mechanism = "sub-markers"
	StaticIndex Mechanism = "static-index"
	BatchIndex  Mechanism = "batch-index"
	NameOffsets Mechanism = "name-offsets"
	HashOrder   Mechanism = "hash-order"
	TokenMatch  Mechanism = "token-match"
	SeqUnroll   Mechanism = "seq-unroll"
)

// Choice is a design: how records are found, how names are ordered, how they
// are compared. StockChoice is the kernel as it is; a field that a mechanism
// needs and the choice does not have is 0 or empty.
type Choice struct {
	// Locate is Density, SubMarkers or StaticIndex.
	Locate Mechanism
	// Shift is log2 of the symbols per marker (Density, where 8 is stock) or
	// per sub-marker.
	Shift uint
	// Order is HashOrder, NameOffsets, or empty for the stock order.
	Order Mechanism
	// BucketShift is log2 of the symbols per bucket, and StartBits the size of
	// an entry of the table of bucket starts, of HashOrder.
	BucketShift, StartBits uint
	// Batch, TokenMatch and SeqUnroll say whether the mechanism is there.
	Batch, TokenMatch, SeqUnroll bool
}

// StockChoice is the kernel as it is.
func StockChoice() Choice { return Choice{Locate: Density, Shift: StockMarkerShift} }

// Check returns why a choice is no design, or nil. The error is an ErrChoice.
func (c Choice) Check() error {
	if err := c.checkLocate(); err != nil {
		return err
	}
	if err := c.checkOrder(); err != nil {
		return err
	}
	switch {
	case c.Batch && c.Locate == StaticIndex:
		return refuse("%s finds every record at once; %s has nothing to add", StaticIndex, BatchIndex)
	case c.Batch && c.Order == NameOffsets:
		return refuse("no probe of %s asks where a record is; %s has nothing to add", NameOffsets, BatchIndex)
	}
	return nil
}

func (c Choice) checkLocate() error {
	switch c.Locate {
	case Density:
		return checkRange("marker shift", c.Shift, 0, MaxMarkerShift)
	case SubMarkers:
		return checkRange("sub-marker shift", c.Shift, MinSubMarkerShift, MaxSubMarkerShift)
	case StaticIndex:
		if c.Shift != 0 {
			return refuse("%s has no markers and no shift", StaticIndex)
		}
		return nil
	}
	return refuse("%q does not find records", c.Locate)
}

func (c Choice) checkOrder() error {
	switch c.Order {
	case HashOrder:
		if c.StartBits != WideStarts && c.StartBits != NarrowStarts {
			return refuse("bucket starts of %d bits, expected %d or %d", c.StartBits, NarrowStarts, WideStarts)
		}
		return checkRange("bucket shift", c.BucketShift, MinBucketShift, MaxBucketShift)
	case NameOffsets, "":
		if c.BucketShift != 0 || c.StartBits != 0 {
			return refuse("only %s has buckets", HashOrder)
		}
		return nil
	}
	return refuse("%q is no order of names", c.Order)
}

func checkRange(what string, got, low, high uint) error {
	if got < low || got > high {
		return refuse("%s %d, expected %d to %d", what, got, low, high)
	}
	return nil
}

func refuse(format string, args ...any) error {
	return fmt.Errorf("%w: "+format, append([]any{ErrChoice}, args...)...)
}

// Choices lists every legal design.
func Choices() []Choice {
	var all []Choice
	flags := []bool{false, true}
	for _, locate := range []Mechanism{Density, SubMarkers, StaticIndex} {
		for shift := range uint(MaxMarkerShift + 1) {
			for _, order := range orders() {
				for bits := range 1 << 3 {
					c := order
					c.Locate, c.Shift = locate, shift
					c.TokenMatch, c.SeqUnroll, c.Batch = flags[bits&1], flags[bits>>1&1], flags[bits>>2]
					if c.Check() == nil {
						all = append(all, c)
					}
				}
			}
		}
	}
	return all
}

// orders lists every order with its parameters.
func orders() []Choice {
	all := []Choice{{}, {Order: NameOffsets}}
	for shift := uint(MinBucketShift); shift <= MaxBucketShift; shift++ {
		for _, bits := range []uint{NarrowStarts, WideStarts} {
			all = append(all, Choice{Order: HashOrder, BucketShift: shift, StartBits: bits})
		}
	}
	return all
}

// Params are the parameters of mechanisms as a command line has them.
type Params struct {
	Shift       uint // of density or sub-markers
	BucketShift uint // of hash-order
	StartBits   uint // of hash-order
}

// Choose makes a choice of mechanisms by their words, as a series lists them.
// Mechanisms that exclude each other are refused with the reason.
func Choose(words []string, p Params) (Choice, error) {
	c := StockChoice()
	located := Mechanism("")
	for _, word := range words {
		switch m := Mechanism(word); m {
		case Density, SubMarkers, StaticIndex:
			if located != "" && located != m {
				return c, refuse("%s and %s both say how records are found", located, m)
			}
			located, c.Locate, c.Shift = m, m, p.Shift
			if m == StaticIndex {
				c.Shift = 0
			}
		case NameOffsets, HashOrder:
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
	if c.Order == HashOrder {
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
