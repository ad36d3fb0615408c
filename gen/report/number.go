// SPDX-License-Identifier: GPL-2.0-only

package report

import (
	"fmt"
	"math"
	"strconv"
)

// Comma writes a whole number with a comma between thousands.
func Comma(n int64) string {
	text := strconv.FormatInt(n, 10)
	first := 0 // digit
	if n < 0 {
		first = 1
	}
	for i := len(text) - 3; i > first; i -= 3 {
		text = text[:i] + "," + text[i:]
	}
	return text
}

// Figure writes a positive figure with the digits that are worth reading: three,
// and no fraction from 100 on.
func Figure(v float64) string {
	switch {
	case v < 9.995:
		return fmt.Sprintf("%.2f", v)
	case v < 99.95:
		return fmt.Sprintf("%.1f", v)
	}
	return Comma(int64(math.Round(v)))
}

// Ratio writes how many times faster something is, and small differences with a
// digit more.
func Ratio(x float64) string {
	switch {
	case x < 1.995:
		return fmt.Sprintf("%.2f", x)
	case x < 99.95:
		return fmt.Sprintf("%.1f", x)
	}
	return Comma(int64(math.Round(x)))
}

// Unit is what times of a column are written in: ns, or us or ms where its
// largest has more than six digits.
type Unit struct {
	Name  string
	Scale float64 // of a value in ns
}

// Write writes a value in ns without the unit's name.
func (u Unit) Write(ns float64) string { return Figure(ns / u.Scale) }

// UnitFor is the unit for times up to largest, in ns.
func UnitFor(largest float64) Unit {
	switch {
	case largest >= 1e9:
		return Unit{"ms", 1e6}
	case largest >= 1e6:
		return Unit{"us", 1e3}
	}
	return Unit{"ns", 1}
}

// Unit is that of a column's times.
func (s *Summary) Unit(column string) Unit {
	largest := 0.0
	for _, r := range s.Rows {
		largest = max(largest, r.Cells[column].Median)
	}
	return UnitFor(largest)
}

// Interval writes the ends of the interval of the median, in words where there
// were too few rounds for one.
func (c Cell) Interval(u Unit) string {
	if math.IsInf(c.Lo, 0) || math.IsInf(c.Hi, 0) {
		return "too few rounds"
	}
	return u.Write(c.Lo) + " to " + u.Write(c.Hi)
}

// Spread writes how far the interval reaches from the median, at its wider side.
func (c Cell) Spread() string {
	wide := max(c.Hi-c.Median, c.Median-c.Lo) / c.Median
	if math.IsInf(wide, 0) { // too few rounds for an interval
		return "-"
	}
	if wide < 0.005 {
		return "<1%"
	}
	return fmt.Sprintf("%.0f%%", 100*wide)
}

// Times writes how many times as fast as stock a variant is in a column, with
// the sign of its verdict.
func (r *Row) Times(column string) string {
	c := r.Cells[column]
	if isStock(r.Variant) {
		return "1"
	}
	return Ratio(c.Speedup) + c.Verdict.Sign()
}

// Sign marks a ratio that is not to be taken for a difference.
func (v Verdict) Sign() string {
	switch v {
	case Same:
		return "~"
	case Unranked:
		return "?"
	}
	return ""
}
