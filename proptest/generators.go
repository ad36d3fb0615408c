// SPDX-License-Identifier: GPL-2.0-only

package proptest

import (
	"github.com/leanovate/gopter"

	"kgen/gen/symgen"
)

// Stats is what is counted in a real table.
type Stats = symgen.Stats

// What the tables are made with, and what properties measure them by.
var (
	NewStats        = symgen.NewStats
	LengthsAtLimits = symgen.LengthsAtLimits
	HashTwins       = symgen.HashTwins
	FNV1a           = symgen.FNV1a
)

// Adversarial generates tables of what could go wrong, in all mixtures.
func Adversarial() gopter.Gen {
	return func(params *gopter.GenParameters) *gopter.GenResult {
		return gopter.NewGenResult(Table{Symbols: symgen.Adversarial(params.Rng)}, ShrinkTable)
	}
}

// Fitted generates tables of up to most symbols that are like the one counted.
func Fitted(s *Stats, most int) gopter.Gen {
	return func(params *gopter.GenParameters) *gopter.GenResult {
		return gopter.NewGenResult(Table{Symbols: s.Table(params.Rng, params.Rng.Intn(most+1))}, ShrinkTable)
	}
}
