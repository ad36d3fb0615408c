// SPDX-License-Identifier: GPL-2.0-only

//go:build mutants

package gomodel

func init() {
	infections = append(infections, infected{
		Series{"m-density", []string{"density", "token-match"}, map[string]int{"shift": 4}},
		[]mutant{
			{"the mask is off by one", "model.go", "MarkerMask = 1<<MarkerShift - 1", "MarkerMask = 1<<MarkerShift - 2"},
			{"the mask is the stock one", "model.go", "MarkerMask = 1<<MarkerShift - 1", "MarkerMask = 0xff"},
			{"the shift is the stock one where the marker is read", "model.go", "pos>>MarkerShift", "pos>>8"},
			{"the walk stops one record early", "model.go", "hops < pos&MarkerMask", "hops < pos&MarkerMask-1"},
		},
	})
}
