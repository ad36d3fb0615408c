// SPDX-License-Identifier: GPL-2.0-only

package main

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"kgen/gen/visible"
	"kgen/model"
)

// moduleAnswer is what is known of a query to a module.
type moduleAnswer struct {
	answer
	Module string `json:"module"`
	State  string `json:"state"`
	Reason string `json:"reason,omitempty"` // why a symbol position is not resolved
}

// lookup answers queries from a module: addresses as module_address_lookup()
// does, names with all their symbols in the order that livepatch positions
// count, or the one at a position.
func (f *moduleFlags) lookup(cmd *cobra.Command, all bool, sympos int, queries []string, asJSON bool) error {
	position := cmd.Flags().Changed("sympos")
	if sympos < 0 {
		return usagef("--sympos %d: expected a position from 1, or 0 for the only symbol", sympos)
	}
	addrs, err := parseAddrs(queries)
	if err != nil {
		return err
	}
	if position && len(addrs) > 0 {
		return usagef("--sympos is a position among the symbols of a name, and an address has none; ask for it apart")
	}
	spec, m, err := f.load(cmd, all, true)
	if err != nil {
		return err
	}
	found := true
	answers := make([]moduleAnswer, len(queries))
	for i, q := range queries {
		a := moduleAnswer{answer: answer{Query: q}, Module: m.Name, State: f.state}
		if addr, ok := addrs[q]; ok {
			a.atAddress(spec, m, addr)
		} else if position {
			a.atPosition(spec, m, q, sympos)
		} else {
			// As module_kallsyms_lookup_name() takes them: with the module in front.
			a.named(spec, m, strings.TrimPrefix(q, m.Name+":"))
		}
		answers[i] = a
		found = found && a.Found
	}
	if asJSON {
		enc := json.NewEncoder(cmd.OutOrStdout())
		enc.SetIndent("", "  ")
		err = enc.Encode(answers)
	} else {
		err = printModuleAnswers(cmd.OutOrStdout(), answers)
	}
	if err == nil && !found {
		err = errNotFound
	}
	return err
}

func (a *moduleAnswer) atAddress(spec *model.ModuleSpec, m *model.Module, addr uint64) {
	place, ok := spec.FindSymbol(m, addr)
	if !ok {
		return
	}
	a.Found, a.Name, a.Addr = true, place.Name, hex(addr-place.Offset)
	a.Offset, a.Size, a.Type = place.Offset, place.Size, m.Letter(place.Index)
}

// named collects the symbols called name.
func (a *moduleAnswer) named(spec *model.ModuleSpec, m *model.Module, name string) {
	a.Name = name
	for i, s := range m.Kallsyms().Symbols {
		if s.Name != name || s.Undefined() {
			continue
		}
		value := spec.Rules.Value(s)
		a.Matches = append(a.Matches, match{hex(value), m.Letter(i)})
		if len(a.Matches) == 1 {
			a.take(spec, m, value)
		}
	}
}

// atPosition resolves name as a livepatch of the module does.
func (a *moduleAnswer) atPosition(spec *model.ModuleSpec, m *model.Module, name string, sympos int) {
	k := &model.Kernel{Core: &model.Spec{}, Modules: spec}
	addr, err := k.KlpFindObjectSymbol(m.Name, name, sympos)
	if err != nil {
		a.Reason = err.Error()
		return
	}
	a.named(spec, m, name)
	a.Matches = a.Matches[max(sympos, 1)-1:][:1]
	a.take(spec, m, addr)
}

// take fills in what is of the first of Matches, which is at addr. What is in no
// memory of the module, or is passed over by lookups of addresses, has no size there.
func (a *moduleAnswer) take(spec *model.ModuleSpec, m *model.Module, addr uint64) {
	a.Found, a.Addr, a.Type, a.Size = true, hex(addr), a.Matches[0].Type, 0
	if place, ok := spec.FindSymbol(m, addr); ok && place.Offset == 0 {
		a.Size = place.Size
	}
}

func printModuleAnswers(w io.Writer, answers []moduleAnswer) error {
	var text strings.Builder
	for _, a := range answers {
		switch {
		case a.Reason != "":
			fmt.Fprintf(&text, "%s: %s\n", visible.Text(a.Query), visible.Text(a.Reason))
		case !a.Found:
			fmt.Fprintf(&text, "%s: not found\n", visible.Text(a.Query))
		case a.Matches == nil:
			fmt.Fprintf(&text, "%s %s %s+%#x/%#x [%s]\n", a.Query, a.Type, visible.Text(a.Name), a.Offset, a.Size, visible.Text(a.Module))
		}
		for _, m := range a.Matches {
			fmt.Fprintf(&text, "%s %s %s [%s]\n", m.Addr, m.Type, visible.Text(a.Name), visible.Text(a.Module))
		}
	}
	_, err := io.WriteString(w, text.String())
	return err
}
