// SPDX-License-Identifier: GPL-2.0-only

package report

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"kgen/gen/bench/result"
)

// mailIndent is what keeps a table in a text from being filled like prose.
const mailIndent = "  "

// Mail is what a cover letter says about the times of one variant: how they were
// measured, a table of the columns that tell designs apart, indented, and what
// the variant costs. Paragraphs are lines that the letter may fill; a blank line
// ends one. The table has the variant, the stock code twice, and those designs
// of the run that none beats. The error matches ErrRun where the run lacks the
// variant.
func (s *Summary) Mail(variant string) (string, error) {
	i := slices.IndexFunc(s.Rows, func(r Row) bool { return r.Name == variant })
	if i < 0 {
		return "", fmt.Errorf("%w of %q: it has %s", ErrRun, variant, strings.Join(s.names(), ", "))
	}
	own, main := &s.Rows[i], s.Main()
	var rows []Row
	for _, r := range s.Rows {
		if r.Series == "" || r.Name == variant || r.Front[main.Name] {
			rows = append(rows, r)
		}
	}
	parts := []string{s.Method(), s.MachineText(), s.Noisy()}
	for block := range strings.SplitSeq(strings.TrimRight(s.Table(MailWidth-len(mailIndent), rows, s.mailColumns()), "\n"), "\n\n") {
		parts = append(parts, mailIndent+strings.ReplaceAll(block, "\n", "\n"+mailIndent))
	}
	parts = append(parts, s.Reading(), s.costs(own))
	parts = slices.DeleteFunc(parts, func(p string) bool { return p == "" })
	return ascii(strings.Join(parts, "\n\n")), nil
}

// mailColumns are the main column, and what may get worse.
func (s *Summary) mailColumns() []result.Column {
	columns := []result.Column{s.Main()}
	for _, name := range []string{"miss", "p99", "cold8", "address", "walk", "duplicates", "ftrace-one"} {
		if c, ok := s.Column(name); ok {
			columns = append(columns, c)
		}
	}
	return columns
}

// costs says in one paragraph what speaks against a variant.
func (s *Summary) costs(r *Row) string {
	list := []string{Comma(r.Rodata) + " bytes of .rodata"}
	if r.RAM != 0 {
		list = append(list, Comma(r.RAM)+" bytes of memory while a batch is open, and "+Figure(Median(r.SetUp)/1e3)+" us to set it up")
	}
	list = append(list, Comma(r.Text)+" bytes of code")
	if own, stock := Median(r.HostTool), Median(s.Stock().HostTool); own > 0 && stock > 0 {
		list = append(list, fmt.Sprintf("%s ms of build time, where the host tool takes %s", Comma(int64(math.Round((own-stock)/1e6))), Comma(int64(math.Round(stock/1e6)))))
	}
	text := "What " + r.Name + " costs over stock: " + strings.Join(list, "; ") + "."
	var slower []string
	for _, c := range s.Columns {
		if cell, ok := r.Cells[c.Name]; ok && cell.Verdict == Slower {
			slower = append(slower, fmt.Sprintf("%s (%s times as fast)", c.Title, r.Times(c.Name)))
		}
	}
	if slower == nil {
		return text + " No column that can be ranked is slower than stock."
	}
	return text + " Slower than stock: " + strings.Join(slower, ", ") + "."
}

func (s *Summary) names() []string {
	var list []string
	for _, r := range s.Rows {
		list = append(list, r.Name)
	}
	return list
}
