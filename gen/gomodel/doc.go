// SPDX-License-Identifier: GPL-2.0-only

// Package gomodel writes the stand-alone Go model of a series: a small package
// that a reviewer can read in ten minutes, run with go test, and trust, because
// it holds the series' own constants and algorithms and nothing else.
//
// The way from a Series to files:
//
//	Series{Name, Mechanisms, Params}
//	  │  each mechanism (mech_*.go) fills slots of the stock design (stock.go)
//	  ▼
//	design{locator, comparer, order, batch}
//	  │  the file_*.go put the slots into their places
//	  ▼
//	go.mod go.sum  model.go encode.go spec.go  model_test.go cases_test.go
//
// A slot holds what one design decision contributes: constants, fields of the
// tables, statements of the encoder, functions of the lookup, tests. So the
// generated package has no interface and no switch over mechanisms; only the
// code of this series appears in it. Two mechanisms that fill the same slot
// cannot be in one series.
//
// Declarations are built with jennifer, which also keeps the imports. The
// bodies of functions are written as the Go that comes out, so that they can be
// read here as well as there.
//
// A series that leaves the core kernel's lookups alone is about those in modules or
// about ftrace. Its package is put together from the files of folder outside,
// which are Go as they stand there and are tested in place.
//
// A new mechanism is one file here that registers itself, and one more that
// registers the mutants its tests must kill.
package gomodel
