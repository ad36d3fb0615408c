// SPDX-License-Identifier: GPL-2.0-only

// Package model says what symbol lookups answer, and what they cost.
//
// It has two layers. The specification states each answer as the shortest
// linear scan over a list of Symbols and never looks at speed. The mechanisms
// are the designs: executable code over the encoded Tables (stream, markers,
// token table, name order, index) that returns the same answer together with
// its counted Cost. Between the two stands the encoder, which turns Symbols
// into Tables exactly as scripts/kallsyms.c does.
//
// The package does no I/O beyond the io.Reader or io.ReaderAt it is handed,
// and imports only the standard library.
package model
