// SPDX-License-Identifier: GPL-2.0-only

//go:build mutants

package gomodel

func init() {
	infections = append(infections, infected{
		Series{"m-offsets", []string{"density", "name-offsets"}, map[string]int{"shift": 3}},
		[]mutant{
			{"a record at a marker belongs to the one before", "model.go", "<= off {", "< off {"},
			{"the walk is not added", "model.go", "return low<<MarkerShift + hops", "return low << MarkerShift"},
			{"the range never grows downwards", "model.go", "first, last := low, high", "first, last := mid, high"},
			{"sequence numbers stand where offsets should", "encode.go", "starts[pos]); err", "pos); err"},
			{"the search of the markers is linear", "model.go", "mid := low + (high-low)/2\n\t\tcost.Recovery++", "mid := low + 1\n\t\tcost.Recovery++"},
		},
	})
}
