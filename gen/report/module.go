// SPDX-License-Identifier: GPL-2.0-only

package report

import (
	"fmt"
	"math"
	"strings"

	"kgen/model"
)

// Building is what a design of module lookups builds, and from how many records
// on that pays.
type Building struct {
	Name string
	// Built is the time it spends on that, in the load and before ftrace_lock is
	// taken, and Saved what a record then takes less under the lock, in ns.
	Built, Saved float64
	// Records are those of a module as large, from which building pays. Never,
	// where a record saves nothing.
	Records uint64
	Never   bool
	// Whole is how many times as fast as stock enabling the module is, the time
	// that building adds to the load included.
	Whole float64
	// Later says that lookups in the live module are faster as well.
	Later bool
}

// moduleBytes says what bytes are in a run in a module.
const moduleBytes = " Kept bytes are held while the module is loaded, peak is the most at a time."

// BuildingText is what a table of buildings shows.
const BuildingText = "What a design builds pays in a module as large with so many records. Whole: ftrace's pass over this module with all that is built for it, times as fast as stock. Later: lookups in the live module are faster, too."

// Buildings are those of a run's designs in a module, or none.
func (s *Summary) Buildings() []Building {
	if s.Run.Module == nil || s.Run.Module.Records == 0 {
		return nil
	}
	stock := s.Stock()
	var all []Building
	for _, r := range s.Rows {
		if r.Series == "" {
			continue
		}
		at := func(column string) (own, base float64) { return r.Cells[column].Median, stock.Cells[column].Median }
		load, stockLoad := at("load")
		enable, stockEnable := at("enable")
		lock, stockLock := at("lock")
		b := Building{Name: r.Name, Later: r.Cells["lookup"].Verdict == Faster}
		if r.Peak > 0 { // else it builds nothing
			b.Built = max(0, load-stockLoad+(enable-lock)-(stockEnable-stockLock))
		}
		b.Saved = (stockLock - lock) / float64(s.Run.Module.Records)
		b.Whole = stockEnable / (enable + max(0, load-stockLoad))
		ps := func(ns float64) uint64 { return uint64(math.Round(max(0, ns) * 1000)) }
		n, ok := model.BreakEven(ps(b.Built), 0, ps(b.Saved), 0)
		b.Records, b.Never = n, !ok
		all = append(all, b)
	}
	return all
}

// Cells of a building: what is built in us, what a record saves in ns, the
// records, how many times as fast the whole is, and whether later lookups gain.
func (b Building) Cells() []string {
	later := "no"
	if b.Later {
		later = "yes"
	}
	if b.Never {
		return []string{Figure(b.Built / 1e3), "none", "never", Ratio(b.Whole), later}
	}
	return []string{Figure(b.Built / 1e3), Figure(b.Saved), Comma(int64(b.Records)), Ratio(b.Whole), later}
}

// BuildingHeads are the headings of Cells.
var BuildingHeads = []string{"built, us", "saved, ns", "records", "whole", "later"}

func buildingTable(all []Building, width int) string {
	var names []string
	g := group{title: "what is built", heads: BuildingHeads}
	for _, b := range all {
		names = append(names, b.Name)
		g.cells = append(g.cells, b.Cells())
	}
	return layOut(names, []group{g}, width)
}

// Differing says which designs answer otherwise than stock, or "".
func (s *Summary) Differing() string {
	var list []string
	for _, r := range s.Rows {
		if r.Differ > 0 {
			list = append(list, fmt.Sprintf("%s answers otherwise than stock, as it declares: %s of %s answers, %s of them ftrace's verdicts on records", r.Name, Comma(r.Differ), Comma(r.Asked), Comma(r.Verdicts)))
		}
	}
	if list == nil {
		return ""
	}
	return strings.Join(list, "; ") + "."
}

// moduleMethod is Method of a run in a module.
func (s *Summary) moduleMethod() string {
	r := s.Run
	var b strings.Builder
	fmt.Fprintf(&b, "%s kernel/module/kallsyms.c of Linux %s, what loads a module and what has ftrace take it in, as stock and as each series leaves it, were built by %s", Userspace, r.Tree, r.Compiler)
	if len(r.Flags) > 0 {
		fmt.Fprintf(&b, " with %s", strings.Join(r.Flags, " "))
	}
	fmt.Fprintf(&b, ", with strcmp() as a loop over bytes, and given %s: %s symbols while it is coming, %s records, of which ftrace enables %s. %s answers were held against the specification before any was timed.",
		r.Map, Comma(int64(r.Symbols)), Comma(int64(r.Module.Records)), Comma(int64(r.Module.Valid)), Comma(r.Verified))
	least, _ := s.rounds()
	fmt.Fprintf(&b, " Each design was a process of its own; they took turns on one CPU, timed by the processor time of the thread, for %d lives of the module each.", least)
	return b.String()
}
