// SPDX-License-Identifier: GPL-2.0-only

// Package plot draws what runs say, as SVG and as PNG.
//
//	report.Summary... ──► Figures ──► Figure{Name, Title, Alt} ──► SVG, PNG
//
// There is one figure for each kind of question: what does a design buy for its
// bytes (with the Pareto front), what does a density, and how does that grow
// with the number of symbols. A design is told by the shape of its marker and by
// its colour, of a palette that colour-blind readers can tell apart; the legend
// stands below the axes and the labels make way for markers and for each other,
// so that nothing covers a point.
package plot
