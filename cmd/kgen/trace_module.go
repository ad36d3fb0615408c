// SPDX-License-Identifier: GPL-2.0-only

package main

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"kgen/gen/visible"
	"kgen/model"
)

// moduleTraced is a trace of a lookup in a module with what made it.
type moduleTraced struct {
	Query  string            `json:"query"`
	Addr   string            `json:"addr"`
	Module string            `json:"module"`
	State  string            `json:"state"`
	Design string            `json:"design"`
	Steps  []moduleStep      `json:"steps"`
	Found  bool              `json:"found"`
	Symbol string            `json:"symbol,omitempty"`
	Offset uint64            `json:"offset"`
	Size   uint64            `json:"size"`
	Cost   model.ModuleCost  `json:"cost"`
	Space  model.ModuleSpace `json:"space"`
}

type moduleStep struct {
	Step   model.Effect `json:"step"`
	Entry  *int         `json:"entry,omitempty"` // in the index or the sorted part; nil in a scan
	Index  int          `json:"index"`           // in the symbol table
	Value  string       `json:"value"`
	Symbol string       `json:"symbol"`
}

// trace shows how designs find the symbol around an address.
func (f *moduleFlags) trace(cmd *cobra.Command, d *designFlags, query string, asJSON bool) error {
	designs := []model.ModuleMechanism{model.LinearScan, model.SideIndex}
	if cmd.Flags().Changed("series") {
		designs = nil
		for _, word := range strings.Split(d.series, ",") {
			if !slices.Contains(model.ModuleMechanisms, model.ModuleMechanism(word)) {
				return usagef("--series %s: %q is no design of module lookups; there are: %s", d.series, word, moduleDesigns())
			}
			designs = append(designs, model.ModuleMechanism(word))
		}
	}
	spec, m, err := f.load(cmd, d.all, false) // designs are made when a module is loaded
	if err != nil {
		return err
	}
	var traces []moduleTraced
	for _, mech := range designs {
		design := model.NewModuleDesign(mech, m, spec.Rules, model.ModuleMemory{})
		if f.state == "live" {
			design.EndInit()
		}
		spec.Modules = []*model.Module{design.Module()}
		addr, err := f.address(spec, query)
		if err != nil {
			return err
		}
		t := moduleTraced{Query: query, Addr: hex(addr), Module: m.Name, State: f.state, Design: string(mech), Space: design.Space()}
		t.take(design.Trace(addr))
		traces = append(traces, t)
	}
	if asJSON {
		enc := json.NewEncoder(cmd.OutOrStdout())
		enc.SetIndent("", "  ")
		err = enc.Encode(traces)
	} else {
		err = printModuleTraces(cmd.OutOrStdout(), traces)
	}
	found := func(t moduleTraced) bool { return t.Found }
	if err == nil && !slices.ContainsFunc(traces, found) {
		err = errNotFound
	}
	return err
}

// moduleDesigns lists what --series can be with --module.
func moduleDesigns() string {
	var names []string
	for _, m := range model.ModuleMechanisms {
		names = append(names, string(m))
	}
	return strings.Join(names, ", ")
}

// address reads 0xADDRESS, or NAME or NAME+0xOFFSET of a symbol.
func (f *moduleFlags) address(spec *model.ModuleSpec, query string) (uint64, error) {
	addrs, err := parseAddrs([]string{query})
	if addr, ok := addrs[query]; ok || err != nil {
		return addr, err
	}
	name, digits, hasOffset := strings.Cut(query, "+0x")
	addr := spec.LookupName(name)
	if addr == 0 {
		return 0, fmt.Errorf("%w: no symbol of %s is called %q; name another, or an address in hex after 0x", errNotFound, f.file, name)
	}
	if !hasOffset {
		return addr, nil
	}
	offset, err := strconv.ParseUint(digits, 16, 64)
	if err != nil {
		return 0, usagef("%s: expected 1 to 16 hex digits after +0x", query)
	}
	if addr+offset < addr {
		return 0, usagef("%s: beyond the last address; %s is at %#x", query, name, addr)
	}
	return addr + offset, nil
}

func (t *moduleTraced) take(trace *model.ModuleTrace) {
	t.Steps = []moduleStep{}
	for _, s := range trace.Steps {
		step := moduleStep{Step: s.Effect, Index: s.Index, Value: hex(s.Value), Symbol: s.Name}
		if s.Entry >= 0 {
			step.Entry = &s.Entry
		}
		t.Steps = append(t.Steps, step)
	}
	t.Cost = trace.Cost
	if t.Found = trace.Found; t.Found {
		t.Symbol, t.Offset, t.Size = trace.Place.Name, trace.Place.Offset, trace.Place.Size
	}
}

func printModuleTraces(w io.Writer, traces []moduleTraced) error {
	var text strings.Builder
	fmt.Fprintf(&text, "%s [%s]\n", traces[0].Addr, shorten(visible.Text(traces[0].Module), 56))
	for _, t := range traces {
		fmt.Fprintf(&text, "\n%s (%+d bytes)\n", t.Design, t.Space.IndexBytes)
		fmt.Fprintf(&text, "%-5s %7s %7s %-18s %s\n", "step", "entry", "symbol", "value", "name")
		for _, s := range t.Steps {
			entry := "-"
			if s.Entry != nil {
				entry = fmt.Sprint(*s.Entry)
			}
			line := fmt.Sprintf("%-5s %7s %7d %s ", s.Step, entry, s.Index, s.Value)
			fmt.Fprintln(&text, line+shorten(visible.Text(s.Symbol), visible.Width-len(line)))
		}
		if t.Found {
			place := fmt.Sprintf("+%#x/%#x", t.Offset, t.Size)
			fmt.Fprintln(&text, "found: "+shorten(visible.Text(t.Symbol), visible.Width-len("found: ")-len(place))+place)
		} else {
			fmt.Fprintln(&text, "not found")
		}
		fmt.Fprintf(&text, "%d symbols, %d names, %d probes, %d lines\n", t.Cost.Symbols, t.Cost.Names, t.Cost.Probes, t.Cost.Lines)
	}
	_, err := io.WriteString(w, text.String())
	return err
}
