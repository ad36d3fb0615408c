// SPDX-License-Identifier: GPL-2.0-only

//go:build mutants

package gomodel

func init() {
	infections = append(infections, infected{
		Series{Name: "m-static", Mechanisms: []string{"static-index"}},
		[]mutant{
			{"the index points behind the length", "encode.go", "pack(t.Index, len(t.Names))", "pack(t.Index, len(t.Names)+1)"},
			{"the neighbour's entry is read", "model.go", "unpack(t.Index, pos)", "unpack(t.Index, max(pos-1, 0))"},
		},
	})
}
