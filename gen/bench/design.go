// SPDX-License-Identifier: GPL-2.0-only

package bench

import (
	"errors"

	"kgen/gen/harness"
	"kgen/model"
)

var (
	// ErrTool: a program that builds the variants is missing or fails.
	ErrTool = errors.New("cannot build what is to be measured")
	// ErrWrong: a variant answers other than the specification; it is not timed.
	ErrWrong = errors.New("wrong answer")
	// ErrSymbols: lookups in so few symbols cannot be measured.
	ErrSymbols = errors.New("too few symbols")
	// ErrMachine: this machine cannot be measured on.
	ErrMachine = errors.New("cannot measure on this machine")
)

// What a run calls the tree without any design, which it measures twice.
const (
	Stock      = "stock"
	StockAgain = "stock again"
)

// Design is one thing to measure.
type Design struct {
	Name   string
	Series string         // as for --series or --with; empty for stock
	Params map[string]int // of the series
	// Mechanisms are those that bear on a lookup, in the order of the patches.
	Mechanisms []string
	Tree       harness.Tree // with the series applied
	// Choice is the same design in the model, which counts its costs. It is nil
	// for patches that the model knows nothing of.
	Choice *model.Choice
}
