// SPDX-License-Identifier: GPL-2.0-only

package gomodel

func init() {
	register("token-match", mechanism{apply: func(d *design, _ map[string]int) error {
		d.change("token-match", "a search compares the name with the tokens of a symbol and\nleaves at the first different byte, instead of expanding the symbol.")
		return fill(&d.comparer, tokenMatch)
	}})
}

var tokenMatch = part{
	by: "token-match",
	lookups: []function{method("compareName", "name string, off int, cost *Cost", "int",
		`compareName is kallsyms_compare_name(): it compares name with the symbol at
off as strcmp() does, unsigned, token by token, and looks at no token after
the first difference.`, `
data, _ := t.record(off)
rest := t.token(data[0])[1:] // the type is one character, not one token
for at := 0; ; {
	cost.Tokens++
	for _, c := range rest {
		if at == len(name) {
			return -1 // name is a proper prefix: its NUL is the smaller
		}
		if name[at] != c {
			return int(name[at]) - int(c)
		}
		at++
	}
	if data = data[1:]; len(data) == 0 {
		return len(name) - at // more of name is left than of the symbol, or none
	}
	rest = t.token(data[0])
}`)},
	checks: []check{property("a comparison looks at no token after the first different byte", "checkTokens",
		`checkTokens counts, from the symbol's end of it, the tokens that a comparison
needs: those that hold the type, the common prefix and one character more.`, `
starts := recordStarts(t.Names)
for pos, s := range symbols {
	next := symbols[(pos+1)%len(symbols)].Name
	for _, name := range []string{s.Name, s.Name + "a", s.Name[:len(s.Name)/2], next} {
		common := 0
		for common < min(len(name), len(s.Name)) && name[common] == s.Name[common] {
			common++
		}
		data, _ := t.record(starts[pos])
		need := 1
		for n := len(t.token(data[0])); n < common+2 && need < len(data); need++ {
			n += len(t.token(data[need]))
		}
		var cost Cost
		t.compareName(name, starts[pos], &cost)
		if cost.Tokens != need {
			return fmt.Sprintf("%q against %q looked at %d tokens, expected %d", name, s.Name, cost.Tokens, need)
		}
	}
}
return ""`)},
}
