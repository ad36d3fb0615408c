// SPDX-License-Identifier: GPL-2.0-only

// Package symgen makes symbol tables on which designs of symbol lookups could go
// wrong. Package proptest puts them to the model, gen/harness to the compiled C.
//
// Adversarial tables hold what real kernels seldom do; a Stats, which counts a
// real table, makes ones that are like it:
//
//	            rng ─► Adversarial ─► []model.Symbol, addresses ascending
//	real table ─► NewStats ─► Stats.Table ─► the same
//
// The same random numbers give the same tables.
package symgen
