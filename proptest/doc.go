// SPDX-License-Identifier: GPL-2.0-only

// Package proptest makes symbol tables, and questions to ask them, on which
// designs of symbol lookups could go wrong; its tests hold the model to what it
// promises on all of them.
//
// Tables come in pairs. Adversarial ones hold what real kernels seldom do:
// hundreds of one name, names without a byte, addresses at both ends, records
// of exactly 128 tokens, different names with one hash. Fitted ones are drawn
// from what is counted in a real map: lengths, duplicates, aliases, types and
// the words names are made of. Names and Addresses then ask of every symbol,
// and just beside every symbol:
//
//	Adversarial ─┐                   ┌─ Spec ────────────┐
//	             ├─ Table ─ Encode ──┤                   ├─ equal?
//	Fitted ──────┘     └─ Names,     └─ Design, every ───┘
//	                      Addresses     legal choice
//
// Generators are gopter's and shrink: a table that fails is cut down to few
// symbols with short names, printed as the text of a symbol map with the
// question, the answer expected and the answer got, and written to
// testdata/regress, whose maps every run replays first. Sample hands the same
// tables to tests that do not use gopter, such as those that ask compiled C.
//
// docs/trust.md lists the properties, and which of them notices which fault.
package proptest
