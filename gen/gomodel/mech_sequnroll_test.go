// SPDX-License-Identifier: GPL-2.0-only

//go:build mutants

package gomodel

func init() {
	infections = append(infections, infected{
		Series{Name: "m-unroll", Mechanisms: []string{"seq-unroll"}},
		[]mutant{
			{"entries are little-endian", "model.go",
				"int(b[0])<<16 | int(b[1])<<8 | int(b[2])", "int(b[2])<<16 | int(b[1])<<8 | int(b[0])"},
			{"the high byte is shifted too little", "model.go", "int(b[0])<<16", "int(b[0])<<15"},
		},
	})
}
