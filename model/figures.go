// SPDX-License-Identifier: GPL-2.0-only

package model

import "math/bits"

// The figures that a text about a design states. All are exact: counts and
// bytes are integers, and the only fraction, MeanHops, is a multiple of 1/2.

const (
	markerEntryBytes    = 4 // an entry of kallsyms_markers
	subMarkerEntryBytes = 2 // an entry of kallsyms_sub_markers
	seqEntryBytes       = 3 // an entry of kallsyms_seqs_of_names, or of the static index
	batchEntryBytes     = 4 // an entry of the batch index
)

// MarkerCount is the number of markers for n symbols: one at every symbol
// whose sequence number is a multiple of 1<<shift.
func MarkerCount(n int, shift uint) int { return (n + 1<<shift - 1) >> shift }

// MarkerBytes is the size of kallsyms_markers for n symbols.
func MarkerBytes(n int, shift uint) int { return markerEntryBytes * MarkerCount(n, shift) }

// AddedMarkerBytes is by how many bytes kallsyms_markers outgrows its stock
// size of one marker every 1<<StockMarkerShift symbols.
func AddedMarkerBytes(n int, shift uint) int {
	return MarkerBytes(n, shift) - MarkerBytes(n, StockMarkerShift)
}

// SubMarkerCount is the number of sub-markers for n symbols: one at every
// multiple of 1<<shift at which no stock marker stands.
func SubMarkerCount(n int, shift uint) int {
	return MarkerCount(n, shift) - MarkerCount(n, StockMarkerShift)
}

// SubMarkerBytes is the size of the sub-marker table, which is what it adds.
func SubMarkerBytes(n int, shift uint) int { return subMarkerEntryBytes * SubMarkerCount(n, shift) }

// GroupSizeBytes is the size of the table of group sizes, which is what it adds:
// for each stock marker a row of a byte for each group of 1<<shift records.
func GroupSizeBytes(n int, shift uint) int {
	return MarkerCount(n, StockMarkerShift) << (StockMarkerShift - shift)
}

// StaticIndexBytes is the size of a stream offset of three bytes for each of
// n symbols.
func StaticIndexBytes(n int) int { return seqEntryBytes * n }

// BatchIndexBytes is the memory that a batch index of n symbols takes while a
// batch is open.
func BatchIndexBytes(n int) int { return batchEntryBytes * n }

// BucketStartBytes is the size of the tables of bucket starts of hash-order
// with a bucket every 1<<shift symbols and entries of so many bits. With
// NarrowStarts, explicit starts of crowded groups come on top; there are none
// in a table without large groups of duplicates.
func BucketStartBytes(n int, shift, bits uint) int {
	starts := MarkerCount(n, shift) + 1
	if bits == WideStarts {
		return 2 * starts
	}
	return starts + 4*MarkerCount(starts, startGroupShift)
}

// WorstHops is the longest walk of get_symbol_offset() with a marker every
// 1<<shift symbols.
func WorstHops(shift uint) int { return 1<<shift - 1 }

// MeanHops is the mean walk of get_symbol_offset() over all symbols of whole
// blocks of 1<<shift.
func MeanHops(shift uint) float64 { return float64(WorstHops(shift)) / 2 }

// MaxProbes is the most comparisons that the binary search of
// kallsyms_lookup_names() needs among n names until it hits or knows that it
// misses: floor(log2 n) + 1, and 0 for an empty table.
func MaxProbes(n int) int { return bits.Len(uint(n)) }

// BreakEven is the least number of lookups for which a batch index pays:
// setup and teardown are paid once, then each lookup costs fast where it cost
// slow. All four are in one unit, nanoseconds or counted steps. A batch whose
// lookups are not faster never pays; ok is false then.
func BreakEven(setup, teardown, slow, fast uint64) (lookups uint64, ok bool) {
	if fast >= slow {
		return 0, false
	}
	saved := slow - fast
	return (setup + teardown + saved - 1) / saved, true
}
