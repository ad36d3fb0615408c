// SPDX-License-Identifier: GPL-2.0-only

//go:build mutants

package gomodel

func init() {
	infections = append(infections, infected{
		Series{Name: "m-tokens", Mechanisms: []string{"token-match"}},
		[]mutant{
			{"the type is skipped as a token", "model.go", "t.token(data[0])[1:]", "t.token(data[0])[:0]"},
			{"bytes are compared signed", "model.go",
				"int(name[at]) - int(c)", "int(int8(name[at])) - int(int8(c))"},
			{"a prefix of a symbol is the symbol", "model.go", "return -1 //", "return 0 //"},
			{"a symbol that is a prefix of the name is it", "model.go", "return len(name) - at", "return 0"},
			{"tokens are counted once", "model.go", "cost.Tokens++", "cost.Tokens = 1"},
		},
	})
}
