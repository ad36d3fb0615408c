// SPDX-License-Identifier: GPL-2.0-only

package model

import (
	"errors"
	"fmt"
)

// ErrChoice: mechanisms that cannot be combined, or a parameter out of range.
var ErrChoice = errors.New("no such design")

// Mechanism is one change of design, by its word on the command line.
type Mechanism string

const (
	Density     Mechanism = "density"
	SubMarkers  Mechanism = "sub-markers"
	GroupSizes  Mechanism = "group-sizes"
	StaticIndex Mechanism = "static-index"
	BatchIndex  Mechanism = "batch-index"
	NameOffsets Mechanism = "name-offsets"
	HashOrder   Mechanism = "hash-order"
	HashBlocks  Mechanism = "hash-blocks"
	TokenMatch  Mechanism = "token-match"
	SeqUnroll   Mechanism = "seq-unroll"
)

// Choice is a design: how records are found, how names are ordered, how they
// are compared. StockChoice is the kernel as it is; a field that a mechanism
// needs and the choice does not have is 0 or empty.
type Choice struct {
	// Locate is Density, SubMarkers, GroupSizes or StaticIndex.
	Locate Mechanism
	// Shift is log2 of the symbols per marker (Density, where 8 is stock), per
	// sub-marker or per group.
	Shift uint
	// Order is HashOrder, HashBlocks, NameOffsets, or empty for the stock order.
	Order Mechanism
	// BucketShift is log2 of the symbols per bucket, and StartBits the size of
	// an entry of the table of bucket starts, of HashOrder and HashBlocks.
	BucketShift, StartBits uint
	// BlockShift is log2 of the symbols per block, and EntryBytes the size of
	// an entry, of HashBlocks.
	BlockShift, EntryBytes uint
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
	case c.SeqUnroll && c.Order == HashBlocks:
		return refuse("%s has no sequence numbers to read; %s has nothing to add", HashBlocks, SeqUnroll)
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
	case GroupSizes:
		return checkRange("group shift", c.Shift, MinGroupShift, MaxGroupShift)
	case StaticIndex:
		if c.Shift != 0 {
			return refuse("%s has no markers and no shift", StaticIndex)
		}
		return nil
	}
	return refuse("%q does not find records", c.Locate)
}

func (c Choice) checkOrder() error {
	if c.Order != HashBlocks && (c.BlockShift != 0 || c.EntryBytes != 0) {
		return refuse("only %s has blocks", HashBlocks)
	}
	switch c.Order {
	case HashBlocks:
		if c.EntryBytes != 2 && c.EntryBytes != 3 {
			return refuse("entries of %d bytes, expected 2 or 3", c.EntryBytes)
		}
		if err := checkRange("block shift", c.BlockShift, MinBlockShift, MaxBlockShift); err != nil {
			return err
		}
		return c.checkBuckets()
	case HashOrder:
		return c.checkBuckets()
	case NameOffsets, "":
		if c.BucketShift != 0 || c.StartBits != 0 {
			return refuse("only %s and %s have buckets", HashOrder, HashBlocks)
		}
		return nil
	}
	return refuse("%q is no order of names", c.Order)
}

func (c Choice) checkBuckets() error {
	if c.StartBits != WideStarts && c.StartBits != NarrowStarts {
		return refuse("bucket starts of %d bits, expected %d or %d", c.StartBits, NarrowStarts, WideStarts)
	}
	return checkRange("bucket shift", c.BucketShift, MinBucketShift, MaxBucketShift)
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
	for _, locate := range []Mechanism{Density, SubMarkers, GroupSizes, StaticIndex} {
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
			hash := Choice{Order: HashOrder, BucketShift: shift, StartBits: bits}
			all = append(all, hash)
			hash.Order = HashBlocks
			for block := uint(MinBlockShift); block <= MaxBlockShift; block++ {
				for _, entry := range []uint{2, 3} {
					hash.BlockShift, hash.EntryBytes = block, entry
					all = append(all, hash)
				}
			}
		}
	}
	return all
}
