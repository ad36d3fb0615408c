// SPDX-License-Identifier: GPL-2.0-only

//go:build mutants

package gomodel

func init() {
	infections = append(infections, infected{
		Series{"m-batch", []string{"density", "batch-index"}, map[string]int{"shift": 6}},
		[]mutant{
			{"an index is freed under its last reader", "model.go", "if index.readers > 0 {", "if index.readers > 1 {"},
			{"the first end takes the index away", "model.go", "b.users == 0 && index != nil", "index != nil"},
			{"an end without a start passes", "model.go", "if b.users == 0 {\n", "if b.users < 0 {\n"},
			{"short memory is not noticed", "model.go", "b.index != nil || !memory", "b.index != nil && !memory"},
			{"the last record is not in the index", "model.go", "for pos := range index.offsets {\n\t\tindex.offsets[pos] = uint32(off)", "for pos := range max(len(index.offsets)-1, 0) {\n\t\tindex.offsets[pos] = uint32(off)"},
			{"an index that nobody sees is kept", "model.go", "index.readers--\n\tt.Batch.reclaim()", "index.readers--"},
		},
	})
}
