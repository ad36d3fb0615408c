// SPDX-License-Identifier: GPL-2.0-only

// Package claims holds figures that others stated about lookups of symbols
// beside what a run says about the same thing.
//
//	claims.toml (a claim in our words, its figure, a rule, why they differ)
//	    │ All
//	    ▼
//	  Claim ──► Answer(Summary...): finds the variant that the rule describes in
//	            the run, or computes the figure by the model
//
// A claim is data. It never says what is measured, only how to find it, so that
// a new run needs no change here. A rule without a measure is a claim that the
// runs of kgen bench say nothing about, and Why says so.
package claims

import (
	"bytes"
	_ "embed"
	"fmt"

	"github.com/pelletier/go-toml/v2"
)

//go:embed claims.toml
var file []byte

// Claim is one figure somebody stated.
type Claim struct {
	Thread string // the thread it is from, by its number in Threads
	Who    string
	Says   string // in our words
	Stated string // the figure as stated, with its unit
	Where  string // what it was measured on, if it was
	Rules  []Rule `toml:"rule"`
	Why    string // why what we measure may differ
}

// Rule says what of a run answers a claim.
type Rule struct {
	// Measure is one of the functions of measures.
	Measure string
	// Module asks a run in a module; one of the kernel's own symbols is asked else.
	Module bool
	// Column of the run; its main column if empty.
	Column string
	Design Design
	// Against is what Design is compared with; the stock code if it is empty.
	Against Design
	// Teardown counts the end of a batch to its cost.
	Teardown bool
	// Numbers are the arguments of a computed figure.
	Numbers map[string]float64
}

// Design describes a variant: the mechanisms it consists of, in any order, and
// the parameters that matter.
type Design struct {
	Mechanisms []string
	Params     map[string]int
}

// Thread is a discussion on the kernel's mailing lists.
type Thread struct {
	Number  string
	Subject string
}

// All reads the claims, in the order of their threads.
func All() (threads []Thread, claims []Claim, err error) {
	var all struct {
		Thread []Thread
		Claim  []Claim
	}
	if err := toml.NewDecoder(bytes.NewReader(file)).DisallowUnknownFields().Decode(&all); err != nil {
		return nil, nil, fmt.Errorf("claims.toml: %w", err)
	}
	return all.Thread, all.Claim, nil
}
