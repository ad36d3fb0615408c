// SPDX-License-Identifier: GPL-2.0-only

//go:build mutants

package gomodel

func init() {
	infections = append(infections, infected{
		Series{"m-subs", []string{"sub-markers"}, map[string]int{"shift": 5}},
		[]mutant{
			{"the entries at markers are not dropped in the index", "model.go",
				"block*SubsPerBlock+step-1", "block*(SubsPerBlock+1)+step-1"},
			{"the first sub-marker is not used", "model.go", "if step > 0 {", "if step > 1 {"},
			{"distances wrap around", "encode.go", "if away > 0xffff {", "if false {"},
			{"the walk is that of the markers", "model.go", "hops < pos&SubMask", "hops < pos&MarkerMask"},
		},
	})
}
