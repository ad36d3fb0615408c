// SPDX-License-Identifier: GPL-2.0-only

package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"kgen/gen/visible"
	"kgen/model"
)

var (
	// errNotFound: a query has no answer; which one stands among the answers.
	errNotFound = errors.New("not every query has an answer")
	// errDisagree: a series answers other than the specification.
	errDisagree = errors.New("the series and the specification disagree, which is a fault of kgen; please report it")
)

func newLookupCommand() *cobra.Command {
	var f designFlags
	var c compiledFlags
	var module moduleFlags
	var sympos int
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "lookup --map FILE|--module FILE QUERY...",
		Short: "Answer names and addresses as the kernel does",
		Long: `Answer each QUERY as a kernel with the symbols of a map does: for a name all
symbols of it, in the order in which the kernel visits them, the first one
being kallsyms_lookup_name()'s; for an address in hex, starting with 0x, the
symbol it is in, from _stext to _end (without --all-symbols, to _etext).

The answers are the specification's. With --series they come from the tables
of a series, are held against the specification's, and show what they cost.

` + moduleHelp + `
With --sympos a name stands for the symbol that a livepatch of the module
means by that position.

For --series,
` + designHelp + "\n" + compiledHelp,
		Example: `  kgen lookup --map System.map --all-symbols vfs_read 0xffffffff81000010
  kgen lookup --map System.map --series density --shift 4 --json schedule
  kgen lookup --module amdgpu.ko --state coming amdgpu_init 0xffffffffc0000010`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := module.check(cmd, "map", "series", "c", "tree"); err != nil {
				return err
			}
			if module.file != "" {
				return module.lookup(cmd, f.all, sympos, args, asJSON)
			}
			return lookup(cmd, f, c, args, asJSON)
		},
	}
	f.add(cmd)
	c.add(cmd)
	module.add(cmd)
	cmd.Flags().IntVar(&sympos, "sympos", 0, "with --module, the `POSITION` of a name's symbol, counted from 1; 0 is the only one")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}

// answer is what is known of a query. Of a name with several symbols, the
// fields that are of one symbol are of the first.
type answer struct {
	Query   string      `json:"query"`
	Found   bool        `json:"found"`
	Addr    string      `json:"addr,omitempty"`
	Matches []match     `json:"matches,omitempty"` // all symbols of the name, in order
	Name    string      `json:"name,omitempty"`
	Offset  uint64      `json:"offset"` // of the address asked for, in the symbol
	Size    uint64      `json:"size"`
	Type    string      `json:"type,omitempty"`
	Cost    *model.Cost `json:"cost,omitempty"` // with --series

	C []compiledAnswer `json:"c,omitempty"` // with --c
}

type match struct {
	Addr string `json:"addr"`
	Type string `json:"type"`
}

func lookup(cmd *cobra.Command, f designFlags, c compiledFlags, queries []string, asJSON bool) error {
	if err := c.check(f.mapFile); err != nil {
		return err
	}
	addrs, err := parseAddrs(queries)
	if err != nil {
		return err
	}
	spec, design, err := f.tables(cmd)
	if err != nil {
		return err
	}
	found := true
	answers := make([]answer, len(queries))
	for i, q := range queries {
		if addr, ok := addrs[q]; ok {
			answers[i], err = answerAddr(spec, design, q, addr)
		} else {
			answers[i], err = answerName(spec, design, q)
		}
		if err != nil {
			return err
		}
		found = found && answers[i].Found
	}
	var compiled []compiledAnswer
	if c.c {
		if compiled, err = c.ask(cmd, f, queries, addrs); err != nil {
			return err
		}
	}
	switch {
	case asJSON:
		// Two calls answer each query.
		for i := range compiled {
			answers[i/2].C = append(answers[i/2].C, compiled[i])
		}
		enc := json.NewEncoder(cmd.OutOrStdout())
		enc.SetIndent("", "  ")
		err = enc.Encode(answers)
	default:
		if err = printAnswers(cmd.OutOrStdout(), answers); err == nil {
			err = printCompiled(cmd.OutOrStdout(), compiled)
		}
	}
	if err == nil && !found {
		err = errNotFound
	}
	return err
}

// parseAddrs reads the queries that are addresses.
func parseAddrs(queries []string) (map[string]uint64, error) {
	addrs := make(map[string]uint64)
	for _, q := range queries {
		digits, isAddr := strings.CutPrefix(q, "0x")
		if !isAddr {
			continue
		}
		addr, err := strconv.ParseUint(digits, 16, 64)
		if err != nil {
			return nil, usagef("%s: expected an address of 1 to 16 hex digits after 0x", q)
		}
		addrs[q] = addr
	}
	return addrs, nil
}

// answerName answers a name from spec, and from design if there is one.
func answerName(spec *model.Spec, design *model.Design, name string) (answer, error) {
	a := answer{Query: name, Name: name}
	first := spec.LookupName(name)
	if design != nil {
		addr, _, cost := design.LookupName(name)
		all, _ := design.OnEachMatch(name)
		if addr != first || !slices.Equal(all, spec.Matches(name)) {
			return a, fmt.Errorf("%w: %s at %#x in %#x, specified %#x in %#x",
				errDisagree, name, addr, all, first, spec.Matches(name))
		}
		a.Cost = &cost
	}
	for pos, s := range spec.Symbols {
		if s.Name != name {
			continue
		}
		if !a.Found {
			a.Found, a.Addr, a.Type = true, hex(s.Addr), string(rune(spec.SymbolType(pos)))
			a.Size = spec.SymbolPos(s.Addr).Size
		}
		a.Matches = append(a.Matches, match{hex(s.Addr), string(rune(spec.SymbolType(pos)))})
	}
	return a, nil
}

// answerAddr answers an address.
func answerAddr(spec *model.Spec, design *model.Design, query string, addr uint64) (answer, error) {
	a := answer{Query: query}
	name, place, ok := spec.Lookup(addr)
	if !ok {
		return a, nil
	}
	if design != nil {
		at, _, cost := design.LookupAddr(addr)
		if at.Name != name || at.Seq != place.Pos || addr-at.Start != place.Offset {
			return a, fmt.Errorf("%w: %s in %+v, specified %s in %+v", errDisagree, query, at, name, place)
		}
		a.Cost = &cost
	}
	a.Found, a.Name, a.Addr = true, name, hex(addr-place.Offset)
	a.Offset, a.Size, a.Type = place.Offset, place.Size, string(rune(spec.SymbolType(place.Pos)))
	return a, nil
}

func hex(addr uint64) string { return fmt.Sprintf("0x%016x", addr) }

func printAnswers(w io.Writer, answers []answer) error {
	var text strings.Builder
	for _, a := range answers {
		switch {
		case !a.Found:
			fmt.Fprintf(&text, "%s: not found\n", visible.Text(a.Query))
		case a.Matches == nil:
			fmt.Fprintf(&text, "%s %s %s+%#x/%#x\n", a.Query, a.Type, visible.Text(a.Name), a.Offset, a.Size)
		}
		for _, m := range a.Matches {
			fmt.Fprintf(&text, "%s %s %s\n", m.Addr, m.Type, visible.Text(a.Name))
		}
		if a.Cost != nil {
			fmt.Fprintf(&text, "  %s\n", costText(*a.Cost))
		}
	}
	_, err := io.WriteString(w, text.String())
	return err
}

// costText is a cost in a line of words.
func costText(c model.Cost) string {
	text := fmt.Sprintf("%d probes, %d hops, %d tokens, %d bytes compared, %d lines",
		c.Probes, c.Hops, c.Tokens, c.NameBytes, c.CacheLines.Total())
	if c.Sums > 0 {
		text += fmt.Sprintf(", %d sums", c.Sums)
	}
	if c.Recovery > 0 {
		text += fmt.Sprintf(", %d markers", c.Recovery)
	}
	return text
}
