// SPDX-License-Identifier: GPL-2.0-only

package csrc

import (
	"slices"
	"strings"
	"unicode"
)

// Item is one element of a file's top level, for taking part of a file apart
// from the rest.
type Item struct {
	Line   int      // of its first token, 1-based
	Branch []string // the conditions it stands under, outermost first
	Text   string   // the source from its first token to its last
	// Names are what it defines: a function, variables, types as "struct x",
	// constants of an enumeration, a macro. A declaration alone defines its
	// name too.
	Names []string
	// Uses are the names in it, each once; types as "struct x".
	Uses []string
}

// Items lists the top level in the order of the file, without #include lines
// and without the directives that make conditions, which Branch has.
func (f *File) Items() []Item {
	var out []Item
	for _, it := range f.items {
		switch f.toks[it.from].text {
		case "#include", "#if", "#ifdef", "#ifndef", "#elif", "#else", "#endif":
			continue
		}
		toks := f.toks[it.from:it.to]
		item := Item{Line: toks[0].line, Branch: it.branch, Text: f.text(run{it.from, it.to})}
		if it.function != "" {
			item.Names = []string{it.function}
		} else {
			item.Names = definedNames(toks)
		}
		item.Uses = usedNames(toks)
		out = append(out, item)
	}
	return out
}

// definedNames reads the names off a declaration, a type or a #define.
func definedNames(toks []token) []string {
	if toks[0].class == directive {
		if toks[0].text == "#define" && len(toks) > 1 {
			return []string{toks[1].text}
		}
		return nil
	}
	var names []string
	depth, initial := 0, false
	for i, t := range toks {
		switch t.text {
		case "(", "[", "{":
			if t.text == "{" && i > 1 && taggable(toks[i-2]) {
				names = append(names, tag(toks, i-1))
			}
			if depth == 0 && !initial && t.text != "{" && i > 0 && toks[i-1].class == ident {
				names = append(names, declared(toks, i))
			}
			depth++
			continue
		case ")", "]", "}":
			depth--
			continue
		}
		if t.class != ident {
			if depth == 0 {
				initial = t.text == "=" || initial && t.text != ","
			}
			continue
		}
		switch {
		case depth == 0 && !initial && !strings.HasPrefix(t.text, "__") && endsDeclarator(toks[i+1:]):
			names = append(names, t.text)
		case depth == 1 && toks[0].text == "enum" && (toks[i-1].text == "{" || toks[i-1].text == ","):
			names = append(names, t.text)
		}
	}
	return unique(names)
}

// endsDeclarator says whether a name is one that is declared, by what follows
// it: perhaps attributes such as __read_mostly, then one of ; = and a comma.
func endsDeclarator(toks []token) bool {
	for _, t := range toks {
		if !strings.HasPrefix(t.text, "__") {
			return t.text == ";" || t.text == "=" || t.text == ","
		}
	}
	return false
}

// declared is the name before the parenthesis or bracket at i, or the first in
// it where a macro such as DEFINE_MUTEX() declares it.
func declared(toks []token, i int) string {
	if toks[i].text == "(" && !strings.ContainsFunc(toks[i-1].text, unicode.IsLower) && i+1 < len(toks) {
		return toks[i+1].text
	}
	return toks[i-1].text
}

// usedNames lists the names that stand in tokens.
func usedNames(toks []token) []string {
	var names []string
	for i, t := range toks {
		switch {
		case t.class != ident:
		case i > 0 && taggable(toks[i-1]):
			names = append(names, tag(toks, i))
		case i > 0 && (toks[i-1].text == "." || toks[i-1].text == "->" || toks[i-1].text == "goto"):
		default:
			names = append(names, t.text)
		}
	}
	return unique(names)
}

func taggable(t token) bool { return t.text == "struct" || t.text == "union" || t.text == "enum" }

func tag(toks []token, at int) string { return toks[at-1].text + " " + toks[at].text }

func unique(names []string) []string {
	slices.SortFunc(names, strings.Compare)
	return slices.Compact(names)
}
