// SPDX-License-Identifier: GPL-2.0-only

package report

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// group is columns of a table that stay side by side: a title, a heading for
// each column below it, and the cells by row.
type group struct {
	title string
	heads []string
	cells [][]string
}

// nameWidth is how wide the column of names may be before names are broken.
const nameWidth = 25

// layOut writes names and groups as lines of at most width columns: as many
// groups side by side as fit, then the names again with the rest.
func layOut(names []string, groups []group, width int) string {
	first := 0
	var broken [][]string
	for _, n := range names {
		lines := breakName(n, nameWidth)
		broken = append(broken, lines)
		for _, l := range lines {
			first = max(first, utf8.RuneCountInString(l))
		}
	}
	var b strings.Builder
	for len(groups) > 0 {
		n, used := 0, first
		for n < len(groups) && (n == 0 || used+groups[n].width() <= width) {
			used += groups[n].width()
			n++
		}
		if b.Len() > 0 {
			b.WriteByte('\n')
		}
		writeBlock(&b, broken, first, groups[:n])
		groups = groups[n:]
	}
	return b.String()
}

func writeBlock(b *strings.Builder, names [][]string, first int, groups []group) {
	line := func(name string, rest string) {
		b.WriteString(strings.TrimRight(name+strings.Repeat(" ", first-utf8.RuneCountInString(name))+rest, " ") + "\n")
	}
	titles, heads := "", ""
	for _, g := range groups {
		titles += "  " + left(g.title, g.width()-2)
		heads += g.row(g.heads)
	}
	line("", titles)
	line("", heads)
	for i, name := range names {
		rest := ""
		for _, g := range groups {
			rest += g.row(g.cells[i])
		}
		line(name[0], rest)
		for _, more := range name[1:] {
			line(more, "")
		}
	}
}

// row writes cells right-aligned, two spaces before the group and one between
// its columns.
func (g group) row(cells []string) string {
	var b strings.Builder
	for i, w := range g.widths() {
		gap := " "
		if i == 0 {
			gap = "  "
		}
		b.WriteString(gap + strings.Repeat(" ", w-utf8.RuneCountInString(cells[i])) + cells[i])
	}
	return b.String()
}

// widths of the columns. The first takes what the title needs more.
func (g group) widths() []int {
	widths := make([]int, len(g.heads))
	sum := len(g.heads) - 1
	for i, h := range g.heads {
		widths[i] = utf8.RuneCountInString(h)
		for _, row := range g.cells {
			widths[i] = max(widths[i], utf8.RuneCountInString(row[i]))
		}
		sum += widths[i]
	}
	widths[0] += max(0, utf8.RuneCountInString(g.title)-sum)
	return widths
}

// width of the group with the space before it.
func (g group) width() int {
	sum := 1
	for _, w := range g.widths() {
		sum += w + 1
	}
	return sum
}

// left pads a title so that it stands over the columns' right end.
func left(title string, width int) string {
	return strings.Repeat(" ", max(0, width-utf8.RuneCountInString(title))) + title
}

// breakName breaks a name behind a space, a plus or a comma; what follows the
// first line is indented.
func breakName(name string, width int) []string {
	var lines []string
	for utf8.RuneCountInString(name) > width {
		at := strings.LastIndexAny(name[:width+1], " +,:")
		if at <= 2 {
			at = width - 1
		}
		end := at + 1
		if name[at] == '+' { // the sign leads what it adds
			end = at
		}
		lines = append(lines, strings.TrimRight(name[:end], " "))
		name = "  " + strings.TrimLeft(name[end:], " ")
	}
	return append(lines, name)
}

// fill breaks a paragraph into lines of at most width columns, and words that are
// longer.
func fill(text string, width int) string {
	var b strings.Builder
	col := 0
	for _, word := range words(text, width) {
		n := utf8.RuneCountInString(word)
		switch {
		case col == 0:
		case col+1+n > width:
			b.WriteByte('\n')
			col = 0
		default:
			b.WriteByte(' ')
			col++
		}
		b.WriteString(word)
		col += n
	}
	return b.String() + "\n"
}

// words of a text, those longer than width in pieces.
func words(text string, width int) []string {
	var list []string
	for _, word := range strings.Fields(text) {
		for runes := range slices.Chunk([]rune(word), width) {
			list = append(list, string(runes))
		}
	}
	return list
}
