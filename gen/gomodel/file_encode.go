// SPDX-License-Identifier: GPL-2.0-only

package gomodel

import "strings"

// encodeFile is encode.go: what the host tool does.
func encodeFile(d *design) (File, error) {
	var before, stream, after strings.Builder
	var encoders []function
	for _, p := range d.parts() {
		before.WriteString(p.before)
		encoders = append(encoders, p.encoders...)
		stream.WriteString(p.stream)
		after.WriteString(p.after)
	}
	f := file("")
	add(f, function{name: "Encode", params: "symbols []Symbol", results: "(*Tables, error)",
		doc: `Encode is scripts/kallsyms.c: it builds the tables of symbols that are in
table order, and refuses what the tables cannot hold.`, body: `
err := checkSymbols(symbols)
if err != nil {
	return nil, err
}
records := make([][]byte, len(symbols))
for pos, s := range symbols {
	records[pos] = append([]byte{s.Type}, s.Name...)
}
tokens := compress(records)

t := new(Tables)` + before.String() + `
for c, token := range tokens {
	if len(t.TokenTable) > 0xffff {
		return nil, errors.New("token table does not fit 16-bit offsets")
	}
	t.TokenIndex[c] = uint16(len(t.TokenTable))
	t.TokenTable = append(append(t.TokenTable, token...), 0)
}
for pos, record := range records {` + stream.String() + `
	n := len(record)
	switch {
	case n > 0x3fff:
		return nil, fmt.Errorf("%.40q has %d codes, more than two length bytes can say", symbols[pos].Name, n)
	case n > 0x7f:
		t.Names = append(t.Names, byte(n&0x7f|0x80), byte(n>>7))
	default:
		t.Names = append(t.Names, byte(n))
	}
	t.Names = append(t.Names, record...)
	t.Addrs = append(t.Addrs, symbols[pos].Addr)
}` + after.String() + `
return t, nil`})
	f.Line().Add(comment("unwritable are the bytes that .asciz \"...\" cannot take as they are.")).
		Const().Id("unwritable").Op("=").Lit("\x00\n\r\"\\")
	add(f, encoder...)
	add(f, encoders...)
	return render("encode.go", f)
}

var encoder = []function{
	{name: "checkSymbols", params: "symbols []Symbol", results: "error",
		doc: `checkSymbols refuses tables out of order, and bytes that end a C string or an
assembler string before its time.`, body: `
for pos, s := range symbols {
	if pos > 0 && s.Addr < symbols[pos-1].Addr {
		return fmt.Errorf("symbol %d, %q, is below the one before it", pos, s.Name)
	}
	if strings.ContainsAny(string([]byte{s.Type})+s.Name, unwritable) {
		return fmt.Errorf("symbol %d, %q, has a quote, a backslash, a NUL or a line end", pos, s.Name)
	}
}
return nil`},
	{name: "compress", params: "records [][]byte", results: "(tokens [256]string)",
		doc: `compress is optimize_token_table(): again and again it gives the most frequent
pair of codes a code of its own, the highest that is free, until none is free or
no pair is left. It returns what every code stands for.`, body: `
for _, record := range records {
	for _, c := range record {
		tokens[c] = string([]byte{c}) // a character in use stands for itself
	}
}
counts := make(map[int]int)
for c := 255; c >= 0; c-- {
	if tokens[c] != "" {
		continue
	}
	first, second, ok := bestPair(records, counts)
	if !ok {
		break
	}
	tokens[c] = tokens[first] + tokens[second]
	for i := range records {
		records[i] = replacePair(records[i], first, second, byte(c))
	}
}
return tokens`},
	{name: "bestPair", params: "records [][]byte, counts map[int]int", results: "(first, second byte, ok bool)",
		doc: `bestPair is find_best_token() after a fresh count: the most frequent pair, and
among equals the one of the lowest second, then first code. Pairs overlap: "aaa"
holds two.`, body: `
clear(counts)
for _, record := range records {
	for i := 1; i < len(record); i++ {
		counts[int(record[i])<<8|int(record[i-1])]++
	}
}
best, most := 0, 0
for pair, n := range counts {
	if n > most || n == most && pair < best {
		best, most = pair, n
	}
}
return byte(best), byte(best >> 8), most > 0`},
	{name: "replacePair", params: "record []byte, first, second, c byte", results: "[]byte",
		doc: "replacePair is compress_symbols() of one record: it replaces pairs from left to\nright, in place.", body: `
out := record[:0]
for i := 0; i < len(record); i++ {
	if i+1 < len(record) && record[i] == first && record[i+1] == second {
		out = append(out, c)
		i++
	} else {
		out = append(out, record[i])
	}
}
return out`},
	{name: "byName", params: "symbols []Symbol", results: "[]int",
		doc: "byName is sort_symbols_by_name(): the sequence numbers by name as unsigned\nbytes, then address, then sequence number.", body: `
order := make([]int, len(symbols))
for pos := range order {
	order[pos] = pos
}
slices.SortFunc(order, func(a, b int) int {
	return cmp.Or(
		strings.Compare(symbols[a].Name, symbols[b].Name),
		cmp.Compare(symbols[a].Addr, symbols[b].Addr),
		a-b)
})
return order`},
}
