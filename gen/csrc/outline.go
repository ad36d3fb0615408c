// SPDX-License-Identifier: GPL-2.0-only

package csrc

import (
	"slices"
	"strings"
	"unicode"
)

// item is one element of a file's top level: a definition, a declaration, a
// directive, or a macro that stands alone. Bounds are token indices, to
// exclusive.
type item struct {
	from, to int
	function string   // the name, if it is a function definition
	body     int      // the token of its opening brace
	branch   []string // the conditions it stands under, outermost first
	broken   bool     // its braces are not closed
}

// outliner cuts a token stream into items. It works on tokens and not on the
// grammar's nodes, because the macros that the kernel puts before functions
// (BTF_ID_LIST(), noinline_for_stack, __init) make the grammar lose where a
// definition begins, and sometimes that it is one.
type outliner struct {
	src   []byte
	toks  []token
	items []item
	conds []cond
	start int // first token of the current item, or -1
	depth int // braces and parentheses open since start
	body  int // the brace that opened a function's body, or -1
	name  string
}

// cond is an open #if.
type cond struct {
	text  string // what #else would negate
	depth int    // depth at #if: every branch starts from it
	body  int
	guard bool // an include guard, which is no condition
	now   string
}

// outline lists the items of a file in its order.
func outline(src []byte, toks []token) []item {
	o := &outliner{src: src, toks: toks, start: -1, body: -1}
	for i := 0; i < len(toks); i++ {
		i = o.step(i)
	}
	if o.start >= 0 {
		o.close(len(toks), true)
	}
	return o.items
}

// step takes token i and returns the last token it took.
func (o *outliner) step(i int) int {
	t := o.toks[i]
	if t.class == directive {
		return o.directive(i)
	}
	if o.start < 0 {
		if t.text == ";" || t.text == "}" {
			return i // after a struct-less brace, or the end of extern "C"
		}
		o.start = i
	} else if o.depth == 0 && o.aloneBefore(i) {
		o.close(i, false)
		o.start = i
	}
	switch t.text {
	case "(", "[":
		o.depth++
	case ")", "]":
		o.depth--
	case "{":
		if o.depth == 0 && o.body < 0 {
			if o.isLinkage(i) {
				o.start = -1
				return i
			}
			if o.name = functionName(o.toks[o.start:i]); o.name != "" {
				o.body = i
			}
		}
		o.depth++
	case "}":
		o.depth--
		if o.depth <= 0 && o.body >= 0 {
			o.close(i+1, false)
		}
	case ";":
		if o.depth <= 0 {
			o.close(i+1, false)
		}
	}
	return i
}

func (o *outliner) close(to int, broken bool) {
	it := item{from: o.start, to: to, branch: o.branch(), broken: broken}
	if o.body >= 0 {
		it.function, it.body = o.name, o.body
	}
	o.items = append(o.items, it)
	o.start, o.depth, o.body = -1, 0, -1
}

// directive takes a whole directive. Between items it is an item itself.
func (o *outliner) directive(i int) int {
	last := i
	for last < len(o.toks)-1 && o.toks[last].class != end {
		last++
	}
	word, args := o.toks[i].text, texts(o.toks[i+1:last])
	switch word {
	case "#else", "#elif", "#endif":
		o.endBranch(word, args)
	}
	if o.start >= 0 && o.depth == 0 {
		o.close(i, false)
	}
	if o.start < 0 {
		o.items = append(o.items, item{from: i, to: last + 1, branch: o.branch()})
	}
	switch word {
	case "#if", "#ifdef", "#ifndef":
		text := condition(args)
		if word == "#ifndef" {
			text = negate(text)
		}
		guard := word == "#ifndef" && o.guards(last+1, args)
		o.conds = append(o.conds, cond{text: text, now: text, depth: o.depth, body: o.body, guard: guard})
	}
	return last
}

// endBranch closes a branch: the next one starts at the depth this one did.
func (o *outliner) endBranch(word string, args []string) {
	n := len(o.conds) - 1
	if n < 0 {
		return
	}
	c := &o.conds[n]
	switch word {
	case "#endif":
		o.conds = o.conds[:n]
		return
	case "#else":
		c.now = negate(c.text)
	case "#elif":
		c.now = condition(args)
		c.text = c.now
	}
	if o.start >= 0 {
		o.depth, o.body = c.depth, c.body
	}
}

func (o *outliner) branch() []string {
	var b []string
	for _, c := range o.conds {
		if !c.guard {
			b = append(b, c.now)
		}
	}
	return b
}

// guards says whether #ifndef of args is followed by its #define.
func (o *outliner) guards(next int, args []string) bool {
	return len(args) == 1 && next+1 < len(o.toks) && len(o.items) < 3 &&
		o.toks[next].text == "#define" && o.toks[next+1].text == args[0]
}

// aloneBefore says whether the item so far is a macro on lines of its own, as
// BTF_ID_LIST(x) or module_init(x) without a semicolon, and token i begins the
// next item. An attribute such as __printf(1, 2), in lower case and directly
// above, belongs to what follows it.
func (o *outliner) aloneBefore(i int) bool {
	have := o.toks[o.start:i]
	if len(have) < 3 || have[0].class != ident || have[1].text != "(" || have[len(have)-1].text != ")" ||
		closing(have, 1) != len(have)-1 || o.toks[i].text == "{" || o.toks[i].text == ";" {
		return false
	}
	between := string(o.src[have[len(have)-1].end:o.toks[i].start])
	if !strings.Contains(between, "\n") {
		return false
	}
	upper := !strings.ContainsFunc(have[0].text, unicode.IsLower)
	return upper || strings.Contains(between, "\n\n") || strings.Contains(between, "/*")
}

func (o *outliner) isLinkage(i int) bool {
	return i == o.start+2 && o.toks[o.start].text == "extern" && o.toks[o.start+1].class == str
}

// functionName finds the name in what stands before a brace, or "" if the brace
// opens no function's body.
func functionName(head []token) string {
	var groups []int // the names before a parenthesis, outside of any other
	for i := 0; i < len(head); i++ {
		switch {
		case head[i].text == "=" || head[i].text == "{" || head[i].text == "typedef":
			return ""
		case head[i].text == "(":
			if i > 0 && head[i-1].class == ident && head[i-1].text != "__attribute__" {
				groups = append(groups, i-1)
			}
			i = closing(head, i)
		}
	}
	// The last one is the name. Attributes may follow it, __acquires(x): they
	// come after a parenthesis, names after a type.
	for _, g := range slices.Backward(groups) {
		if !strings.HasPrefix(head[g].text, "__") {
			return head[g].text
		}
	}
	for _, g := range slices.Backward(groups) {
		if g == 0 || head[g-1].text != ")" {
			return head[g].text
		}
	}
	return ""
}

// closing finds the parenthesis that closes the one at i, or the end.
func closing(toks []token, i int) int {
	depth := 0
	for ; i < len(toks); i++ {
		switch toks[i].text {
		case "(":
			depth++
		case ")":
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return len(toks)
}

// condition writes an #if the way a branch is named: CONFIG_X for every way to
// ask for it, the expression's tokens for anything else.
func condition(args []string) string {
	not := ""
	if len(args) > 1 && args[0] == "!" {
		not, args = "!", args[1:]
	}
	switch {
	case len(args) == 4 && (args[0] == "defined" || args[0] == "IS_ENABLED" || args[0] == "IS_BUILTIN") && args[1] == "(":
		return not + args[2]
	case len(args) == 2 && args[0] == "defined":
		return not + args[1]
	}
	return not + strings.Join(args, " ")
}

func negate(cond string) string {
	if plain, ok := strings.CutPrefix(cond, "!"); ok && !strings.Contains(plain, " ") {
		return plain
	}
	if strings.Contains(cond, " ") {
		return "!(" + cond + ")"
	}
	return "!" + cond
}

func texts(toks []token) []string {
	out := make([]string, len(toks))
	for i, t := range toks {
		out[i] = t.text
	}
	return out
}
