// SPDX-License-Identifier: GPL-2.0-only

package model

// ModuleCost is what one lookup of an address in a module does, counted.
type ModuleCost struct {
	// Symbols is how many entries of the symbol table were read.
	Symbols int `json:"symbols"`
	// Names is how many names were looked at, to pass over those without a byte
	// and mapping symbols. Each is somewhere else in the string table.
	Names int `json:"names"`
	// Probes is how many entries of an index, or of the sorted part of the symbol
	// table, were compared with the address.
	Probes int `json:"probes"`
	// Lines is how many different cache lines were read, of the symbol table,
	// its strings and an index. Each is taken to start on a line of its own, and
	// strings to lie as add_kallsyms() lays those of the core table.
	Lines int `json:"lines"`
}

// Add adds o to c.
func (c *ModuleCost) Add(o ModuleCost) {
	c.Symbols += o.Symbols
	c.Names += o.Names
	c.Probes += o.Probes
	c.Lines += o.Lines
}

// ModuleSpace is what a design takes beside the tables of the module.
type ModuleSpace struct {
	IndexBytes int `json:"index_bytes"` // memory for as long as the table in use is
	// Compares is how often entries were compared to make the index or to sort
	// the table, by Go's sort. It is time at load, not at lookups.
	Compares int `json:"compares"`
}

// elfSymSize is sizeof(Elf64_Sym), in which cache lines of tables are counted.
const elfSymSize = 24

// moduleTable is a table with what it takes to count reads of it.
type moduleTable struct {
	*SymTable
	rules  ModuleRules
	nameAt []int // where in the strings each name starts
}

func newModuleTable(t *SymTable, rules ModuleRules) moduleTable {
	table := moduleTable{SymTable: t, rules: rules, nameAt: make([]int, len(t.Symbols))}
	at := 0
	for i, s := range t.Symbols {
		table.nameAt[i] = at
		at += len(s.Name) + 1
	}
	return table
}

// value reads the value of symbol i.
func (t *moduleTable) value(m *moduleMeter, i int) uint64 {
	m.cost.Symbols++
	m.read(&m.symtab, i*elfSymSize, elfSymSize)
	return t.rules.Value(t.Symbols[i])
}

// candidate says whether symbol i, which has been read, can be an answer. The
// name is looked at only where there is a section.
func (t *moduleTable) candidate(m *moduleMeter, i int) bool {
	s := t.Symbols[i]
	if s.Undefined() {
		return false
	}
	m.cost.Names++
	m.read(&m.strtab, t.nameAt[i], min(len(s.Name)+1, 2))
	return s.Candidate()
}

// moduleMeter counts one lookup. It is reused: stamps tell the lines of this
// lookup from those of earlier ones.
type moduleMeter struct {
	cost                  ModuleCost
	epoch                 uint32
	symtab, strtab, index []uint32
	trace                 *ModuleTrace
}

func (m *moduleMeter) start() {
	m.cost, m.trace = ModuleCost{}, nil
	m.epoch++
	if m.epoch == 0 { // 2^32 lookups later: old stamps could look new
		*m = moduleMeter{epoch: 1}
	}
}

// read notes that size bytes at offset off of one of the arrays are read.
func (m *moduleMeter) read(stamps *[]uint32, off, size int) {
	for line := off >> lineShift; line <= (off+size-1)>>lineShift; line++ {
		if line >= len(*stamps) {
			grown := make([]uint32, 2*line+64)
			copy(grown, *stamps)
			*stamps = grown
		}
		if (*stamps)[line] != m.epoch {
			(*stamps)[line] = m.epoch
			m.cost.Lines++
		}
	}
}
