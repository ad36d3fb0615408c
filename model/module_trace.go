// SPDX-License-Identifier: GPL-2.0-only

package model

// Effect says what a symbol did to a lookup by address.
type Effect string

const (
	Best  Effect = "best"  // the closest so far at or below the address
	Next  Effect = "next"  // the closest so far above it
	Below Effect = "below" // at or below the address: the search goes on behind this entry
	Above Effect = "above" // above it: the search goes on before this entry
)

// ModuleStep is one symbol that moved a lookup on. Scans look at every symbol;
// only those that change the answer are steps.
type ModuleStep struct {
	Entry  int // in the index or in the sorted part of the table; -1 in a scan
	Index  int // of the symbol in the symbol table
	Value  uint64
	Name   string
	Effect Effect
}

// ModuleTrace is one lookup of an address, step by step.
type ModuleTrace struct {
	Steps []ModuleStep
	Place ModulePlace // without Found it means nothing
	Found bool
	Cost  ModuleCost
}

// note adds a step to the trace, if there is one.
func (t *moduleTable) note(m *moduleMeter, entry, i int, effect Effect) {
	if m.trace != nil {
		s := t.Symbols[i]
		m.trace.Steps = append(m.trace.Steps, ModuleStep{entry, i, t.rules.Value(s), s.Name, effect})
	}
}
