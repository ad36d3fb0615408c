// SPDX-License-Identifier: GPL-2.0-only

package model

import "slices"

// EnableDesign is a design of ftrace_module_enable().
type EnableDesign int

const (
	// StockEnable resolves every record by kallsyms_lookup().
	StockEnable EnableDesign = iota
	// EnableV1 is ftrace-module as posted: it sorts the module's addresses before
	// it takes ftrace_lock, for modules without records too.
	EnableV1
	// EnableV2 is ftrace-module after review: where ftrace is disabled it does
	// not take the lock at all, it sorts nothing for a module without records, and
	// only symbols in text.
	EnableV2
	// EnableBitmap is ftrace-bitmap: as EnableV2, but it sets a bit for each symbol
	// in text, where that sorts addresses.
	EnableBitmap
)

// Conditions are what a run of ftrace_module_enable() meets.
type Conditions struct {
	Disabled bool // ftrace_disabled is set from the start
	Killed   bool // ftrace_kill() sets it just before ftrace_lock is taken
	NoMemory bool // the allocation of the array fails
}

// EnableRun is what a run did.
type EnableRun struct {
	Verdicts   [][]RecordVerdict // nil where ftrace is disabled: no record was looked at
	Locked     bool              // ftrace_lock was taken
	CachedMods int               // calls of process_cached_mods()
	ArrayBytes int               // of the array of addresses or of the bits, 0 where none was made
	Compares   int               // of addresses to sort them, by Go's sort
	Probes     int               // of the sorted array, or words of bits looked at, over all records
	Resolved   int               // records that were resolved by kallsyms_lookup()
}

// Run enables a module. Whatever the design and the conditions, the verdicts are
// those of ModuleEnable, or none.
func (d EnableDesign) Run(k *Kernel, m *Module, pages [][]uint64, c Conditions) EnableRun {
	run := EnableRun{CachedMods: 1}
	if c.Disabled && d >= EnableV2 {
		return run
	}
	var known verdicts
	if d != StockEnable && !c.Disabled && (d == EnableV1 || len(m.Records) > 0) && !c.NoMemory && k.Modules.Rules.MaxOffset != nil {
		if d == EnableBitmap {
			known = newStartBits(m, k.Modules.Rules, &run)
		} else {
			known = sortAddresses(m, k.Modules.Rules, d == EnableV2, &run)
		}
	}
	run.Locked = true
	if c.Disabled || c.Killed {
		return run
	}
	run.Verdicts = eachRecord(m, pages, func(ip uint64) bool {
		if known != nil {
			if valid, ok := known.valid(m, ip, *k.Modules.Rules.MaxOffset, &run); ok {
				return valid
			}
		}
		run.Resolved++
		return k.ValidRec(ip)
	})
	return run
}

// verdicts give that on a record, if they know it.
type verdicts interface {
	valid(m *Module, ip, most uint64, run *EnableRun) (valid, known bool)
}

// sortedAddresses are the values of the candidates of a module's table, or of
// those in its text.
type sortedAddresses []uint64

// sortAddresses makes the array.
func sortAddresses(m *Module, rules ModuleRules, textOnly bool, run *EnableRun) sortedAddresses {
	table := m.Kallsyms().Symbols
	// struct_size(): a count, padded, and room for every symbol of the table.
	run.ArrayBytes = 8 + 8*len(table)
	addrs := make(sortedAddresses, 0, len(table))
	for i, s := range table {
		if i == 0 { // the null symbol
			continue
		}
		addr := rules.Value(s)
		if textOnly && !m.Mem[ModText].Contains(addr) && !m.Mem[ModInitText].Contains(addr) {
			continue
		}
		if s.Candidate() {
			addrs = append(addrs, addr)
		}
	}
	slices.SortFunc(addrs, func(a, b uint64) int {
		run.Compares++
		switch {
		case a < b:
			return -1
		case a > b:
			return 1
		}
		return 0
	})
	return addrs
}

// valid gives the verdict on a record, if the array knows it: for a record in
// text, with a symbol at or below it in its region. Anything else is left to
// kallsyms_lookup(), which asks more than the module.
func (a sortedAddresses) valid(m *Module, ip, most uint64, run *EnableRun) (valid, known bool) {
	var base uint64
	switch {
	case m.Mem[ModText].Contains(ip):
		base = m.Mem[ModText].Base
	case m.Mem[ModInitText].Contains(ip):
		base = m.Mem[ModInitText].Base
	default:
		return false, false
	}
	low, high := 0, len(a)
	for low < high {
		mid := low + (high-low)/2
		run.Probes++
		if a[mid] <= ip {
			low = mid + 1
		} else {
			high = mid
		}
	}
	if low == 0 || a[low-1] < base {
		return false, false
	}
	return ip-a[low-1] <= most, true
}
