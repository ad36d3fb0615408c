// SPDX-License-Identifier: GPL-2.0-only

package harness

import (
	"encoding/binary"
	"fmt"
	"strconv"
)

// Op is one of the kernel's own interfaces to its symbols.
type Op byte

// The numbers, and the layout of the answers below, are those of shim/glue.c.
const (
	LookupName           Op = iota + 1 // kallsyms_lookup_name(Name)
	OnEachMatch                        // kallsyms_on_each_match_symbol(Name), stopped at call B
	OnEachSymbol                       // kallsyms_on_each_symbol(), stopped at call B
	LookupSizeOffset                   // kallsyms_lookup_size_offset(A)
	LookupSymbolName                   // lookup_symbol_name(A)
	SprintSymbol                       // sprint_symbol(A)
	SprintSymbolNoOffset               // sprint_symbol_no_offset(A)
	SprintBacktrace                    // sprint_backtrace(A)
	Lookup                             // kallsyms_lookup(A)
	ReadProc                           // /proc/kallsyms from line A on, B lines
	KdbWalk                            // kdb_walk_kallsyms()
	SymAddress                         // kallsyms_sym_address(A)
	BatchStart                         // kallsyms_lookup_batch_start(), without memory if B is 1
	BatchEnd                           // kallsyms_lookup_batch_end(), if the start succeeded; without any start if B is 1
	Storm                              // A threads, half of them in B batches each
	FtraceLookup                       // ftrace_lookup_symbols(Name), all text can be traced; for gen/bench
)

var opNames = [...]string{
	LookupName:           "kallsyms_lookup_name",
	OnEachMatch:          "kallsyms_on_each_match_symbol",
	OnEachSymbol:         "kallsyms_on_each_symbol",
	LookupSizeOffset:     "kallsyms_lookup_size_offset",
	LookupSymbolName:     "lookup_symbol_name",
	SprintSymbol:         "sprint_symbol",
	SprintSymbolNoOffset: "sprint_symbol_no_offset",
	SprintBacktrace:      "sprint_backtrace",
	Lookup:               "kallsyms_lookup",
	ReadProc:             "/proc/kallsyms",
	KdbWalk:              "kdb_walk_kallsyms",
	SymAddress:           "kallsyms_sym_address",
	BatchStart:           "kallsyms_lookup_batch_start",
	BatchEnd:             "kallsyms_lookup_batch_end",
	Storm:                "lookups in threads while batches start and end",
	FtraceLookup:         "ftrace_lookup_symbols",
}

// Query is one question to the kernel's interfaces. Addresses are those of the
// map.
type Query struct {
	Op   Op
	A, B uint64
	Name string
}

// ofAddress says whether A is an address.
func (q Query) ofAddress() bool { return q.Op >= LookupSizeOffset && q.Op <= Lookup }

// String writes the query as a call.
func (q Query) String() string {
	name := fmt.Sprintf("Op(%d)", q.Op)
	if int(q.Op) < len(opNames) && q.Op > 0 {
		name = opNames[q.Op]
	}
	switch {
	case q.Op == LookupName, q.Op == FtraceLookup:
		return fmt.Sprintf("%s(%s)", name, strconv.Quote(q.Name))
	case q.Op == OnEachMatch && q.B != 0:
		return fmt.Sprintf("%s(%s), stopped at call %d", name, strconv.Quote(q.Name), q.B)
	case q.Op == OnEachMatch:
		return fmt.Sprintf("%s(%s)", name, strconv.Quote(q.Name))
	case q.Op == OnEachSymbol && q.B != 0:
		return fmt.Sprintf("%s(), stopped at call %d", name, q.B)
	case q.Op == ReadProc:
		return fmt.Sprintf("%s from line %d, at most %d lines", name, q.A, q.B)
	case q.Op == Storm:
		return name
	case q.Op == BatchStart && q.B != 0:
		return name + "() without memory"
	case q.Op == SymAddress:
		return fmt.Sprintf("%s(%d)", name, q.A)
	case q.ofAddress():
		return fmt.Sprintf("%s(%#x)", name, q.A)
	}
	return name + "()"
}

// Append writes the query as a child reads it; delta moves addresses of the map to
// those of the child.
func (q Query) Append(buf []byte, delta uint64) []byte {
	a := q.A
	if q.ofAddress() {
		a += delta
	}
	buf = append(buf, byte(q.Op))
	buf = binary.LittleEndian.AppendUint64(buf, a)
	buf = binary.LittleEndian.AppendUint64(buf, q.B)
	buf = binary.LittleEndian.AppendUint32(buf, uint32(len(q.Name)))
	return append(buf, q.Name...)
}
