// SPDX-License-Identifier: GPL-2.0-only

//go:build mutants

package gomodel

func init() {
	infections = append(infections, infected{Series{Name: "m-stock"}, []mutant{
		{"the type is skipped as a token", "model.go",
			"return string(text[1:]), next", "return string(text[len(t.token(data[0])):]), next"},
		{"the second length byte is ignored", "model.go",
			"n = n&0x7f | int(t.Names[off])<<7", "n = n & 0x7f"},
		{"the second length byte stands for 256", "model.go",
			"int(t.Names[off])<<7", "int(t.Names[off])<<8"},
		{"two length bytes begin too late", "encode.go", "case n > 0x7f:", "case n > 0x80:"},
		{"entries are little-endian", "model.go", "table[3*i+j]", "table[3*i+2-j]"},
		{"entries are truncated silently", "encode.go", "if v >= 1<<24 {", "if v > 1<<24 {"},
		{"the match range grows from low and high", "model.go", "start, end = mid, mid", "start, end = low, high"},
		{"the match range never reaches the last rank", "model.go", "first, last := 0, n-1", "first, last := 0, n-2"},
		{"the match range never reaches rank 0", "model.go", "first, last := 0, n-1", "first, last := min(1, n-1), n-1"},
		{"the search stops one name early", "model.go", "if low > high {", "if low >= high {"},
		{"the search looks at a rank twice", "model.go", "low = mid + 1", "low = max(mid, low+1)"},
		{"the empty name is looked up", "model.go", `if name == "" {`, `if name == "\x00" {`},
		{"a later alias is answered", "model.go", "for low > 0 && t.Addrs[low-1]", "for low > 1 && t.Addrs[low-1]"},
		{"a symbol ends at its alias", "model.go", "if next > start {", "if next >= start {"},
		{"a symbol's own address is not its", "model.go", "if t.Addrs[mid] <= addr {", "if t.Addrs[mid] < addr {"},
		{"init text ends too late", "model.go", "addr < t.Layout.Einittext", "addr <= t.Layout.Einittext"},
		{"pairs that tie are taken from above", "encode.go", "pair < best {", "pair > best {"},
		{"pairs are replaced overlapping", "encode.go", "out = append(out, c)\n\t\t\ti++", "out = append(out, c)"},
		{"duplicates descend", "encode.go",
			"cmp.Compare(symbols[a].Addr, symbols[b].Addr)", "cmp.Compare(symbols[b].Addr, symbols[a].Addr)"},
		{"aliases of one name swap", "encode.go", "a-b)", "b-a)"},
		{"a marker points behind its record's length", "encode.go",
			"t.Markers = append(t.Markers, uint32(len(t.Names)))", "t.Markers = append(t.Markers, uint32(len(t.Names)+1))"},
		{"quotes are written", "encode.go", `"\x00\n\r\"\\"`, `"\x00\n\r\\"`},
	}})
}
