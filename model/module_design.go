// SPDX-License-Identifier: GPL-2.0-only

package model

// ModuleMechanism names a design of find_kallsyms_symbol().
type ModuleMechanism string

const (
	// LinearScan is the kernel as it is: every symbol's name is looked at before
	// its value.
	LinearScan ModuleMechanism = "module-linear"
	// ValueScan compares the value first, and looks at the names of the few
	// symbols that would change the answer. It takes no memory.
	ValueScan ModuleMechanism = "module-scan"
	// SideIndex searches a sorted table of the numbers of symbols. The symbol
	// table stays as it is.
	SideIndex ModuleMechanism = "module-index"
	// SortedTable moves functions to the front of the symbol table, with their type
	// letters, sorts them, and searches them in text. What follows from the order
	// of the table, and from leaving out symbols that are no functions, changes;
	// Change lists how.
	SortedTable ModuleMechanism = "module-sort"
	// DraftSort is what the sorted table must not be: the type letters stay
	// where they were, the search heeds no region, and takes the last of aliases.
	DraftSort ModuleMechanism = "module-sort-draft"
)

// ModuleMechanisms are all there are, the kernel's own first.
var ModuleMechanisms = []ModuleMechanism{LinearScan, ValueScan, SideIndex, SortedTable, DraftSort}

// ModuleDesign is a module loaded by a kernel with one of the mechanisms. It
// counts lookups, and so is not for several goroutines at once.
type ModuleDesign struct {
	module *Module
	rules  ModuleRules
	// The tables of the module and a search of each; the search is nil where a
	// lookup scans, as when there was no memory for an index.
	tables   [2]moduleTable
	searches [2]addressSearch
	scan     func(t *moduleTable, m *moduleMeter, addr uint64, b *bounds)
	meter    moduleMeter
}

// addressSearch finds an address in one table without going through all of it.
type addressSearch interface {
	// find moves the bounds to the symbols around addr.
	find(t *moduleTable, m *moduleMeter, addr uint64, b *bounds)
	// covers says whether the search, and not a scan, answers for addresses in a
	// region of text, or of data.
	covers(text bool) bool
	space() ModuleSpace
}

// bounds are what a lookup narrows down: the closest symbol at or below the
// address, and the closest value above it.
type bounds struct {
	best             int // number of the symbol, 0 while there is none
	bestVal, nextVal uint64
}

// Places in ModuleDesign.tables.
const (
	initTable = iota
	coreTable
)

// ModuleMemory is the outcome of the allocations that a design makes at load.
type ModuleMemory struct{ NoInit, NoCore bool } // no memory for what is made of that table

// NewModuleDesign loads a module whose init has not run. module-sort changes the
// order of the module's tables, in a copy, which Module returns.
func NewModuleDesign(mech ModuleMechanism, m *Module, rules ModuleRules, memory ModuleMemory) *ModuleDesign {
	loaded := *m
	d := &ModuleDesign{module: &loaded, rules: rules, scan: scanNamesFirst}
	tables := [2]*SymTable{initTable: &loaded.Init, coreTable: &loaded.Core}
	for i, table := range tables {
		var search addressSearch
		noMemory := [2]bool{initTable: memory.NoInit, coreTable: memory.NoCore}[i]
		// Values of a livepatch module's symbols change after it is loaded, in
		// klp_resolve_symbols(): no order of them holds.
		if !m.Livepatch && !noMemory {
			switch mech {
			case SideIndex:
				search = newSideIndex(table, rules)
			case SortedTable, DraftSort:
				*table, search = sortFunctions(table, rules, mech == DraftSort)
			}
		}
		d.tables[i], d.searches[i] = newModuleTable(table, rules), search
	}
	if mech == ValueScan {
		d.scan = scanValuesFirst
	}
	return d
}

// Module is the module as every other lookup finds it.
func (d *ModuleDesign) Module() *Module { return d.module }

// EndInit ends the module's init: lookups turn to the core table and to what
// was made for it; what was made for the init table is freed.
func (d *ModuleDesign) EndInit() {
	d.module.EndInit()
	d.searches[initTable] = nil
}

// inUse is the place of the table that lookups use now.
func (d *ModuleDesign) inUse() int {
	if d.module.State == Live {
		return coreTable
	}
	return initTable
}

// Space is what the design takes beside the table in use.
func (d *ModuleDesign) Space() ModuleSpace {
	if search := d.searches[d.inUse()]; search != nil {
		return search.space()
	}
	return ModuleSpace{}
}

// Find answers as find_kallsyms_symbol() does with the design, and counts.
func (d *ModuleDesign) Find(addr uint64) (ModulePlace, bool, ModuleCost) {
	d.meter.start()
	place, ok := d.find(addr)
	return place, ok, d.meter.cost
}

// Trace is Find with every step kept.
func (d *ModuleDesign) Trace(addr uint64) *ModuleTrace {
	d.meter.start()
	t := &ModuleTrace{}
	d.meter.trace = t
	t.Place, t.Found = d.find(addr)
	t.Cost = d.meter.cost
	return t
}

func (d *ModuleDesign) find(addr uint64) (ModulePlace, bool) {
	region, memory, ok := d.module.region(d.rules, addr)
	if !ok {
		return ModulePlace{}, false
	}
	b := bounds{bestVal: region.Base - 1, nextVal: region.Base + region.Size}
	table := &d.tables[d.inUse()]
	if search := d.searches[d.inUse()]; search != nil && search.covers(memory.Text()) {
		search.find(table, &d.meter, addr, &b)
	} else {
		d.scan(table, &d.meter, addr, &b)
	}
	if b.best == 0 {
		return ModulePlace{}, false
	}
	return ModulePlace{b.best, table.Symbols[b.best].Name, b.nextVal - b.bestVal, addr - b.bestVal}, true
}
