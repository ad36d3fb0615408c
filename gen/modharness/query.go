// SPDX-License-Identifier: GPL-2.0-only

package modharness

import (
	"fmt"
	"strconv"
	"strings"

	"kgen/gen/harness"
)

// The operations of a child. The numbers and the layout of answers are those of
// shim/glue.c.
const (
	loadModule    harness.Op = iota + 64 // what load_module() does to the image in Name
	endInit                              // do_init_module() of the module Name
	letTimePass                          // a grace period, and work that was scheduled
	unload                               // free_module() of Name; with init failing where it has not run
	addressLookup                        // module_address_lookup(A)
	symbolName                           // lookup_module_symbol_name(A)
	kallsym                              // module_get_kallsym(A)
	lookupName                           // module_kallsyms_lookup_name(Name)
	findValue                            // find_kallsyms_symbol_value(), Name is module:symbol
	onEachSymbol                         // module_kallsyms_on_each_symbol(Name), stopped at call A
	setKernel                            // the symbols of the core kernel, and what can be traced, in Name
	ftraceLookup                         // ftrace_lookup_symbols() of the names in Name
	ftraceEnable                         // ftrace_module_enable(Name) with the conditions A, FTRACE_MCOUNT_MAX_OFFSET is B
	timeLookups                          // ns of kallsyms_lookup() for A records of Name
	timeEnable                           // ns of ftrace_module_enable(Name) and of its lock, FTRACE_MCOUNT_MAX_OFFSET is A
	lookupAcross                         // module_address_lookup(A), with endInit of Name at its B-th rcu_dereference()
	timeNames                            // ns of find_kallsyms_symbol_value() for the names in Name
	timeUnload                           // ns of what unload does
	heldBytes                            // bytes allocated now, and the most since it was asked last
)

var opNames = map[harness.Op]string{
	loadModule: "load_module", endInit: "do_init_module", letTimePass: "a grace period", unload: "free_module",
	addressLookup: "module_address_lookup", symbolName: "lookup_module_symbol_name", kallsym: "module_get_kallsym",
	lookupName: "module_kallsyms_lookup_name", findValue: "find_kallsyms_symbol_value",
	onEachSymbol: "module_kallsyms_on_each_symbol", ftraceLookup: "ftrace_lookup_symbols",
	ftraceEnable: "ftrace_module_enable", lookupAcross: "module_address_lookup",
}

// Conditions of loadModule and ftraceEnable.
const (
	livepatch = 1 // the module is one
	disabled  = 2 // ftrace_disabled is set
	starved   = 4 // no allocation succeeds
	tracing   = 8 // ftrace is on
)

// call writes a query as the call that it is.
func call(q harness.Query) string {
	name := opNames[q.Op]
	switch q.Op {
	case addressLookup, symbolName:
		return fmt.Sprintf("%s(%#x)", name, q.A)
	case lookupAcross:
		return fmt.Sprintf("%s(%#x), do_init_module(%s) at its rcu_dereference() number %d", name, q.A, q.Name, q.B)
	case kallsym:
		return fmt.Sprintf("%s(%d)", name, q.A)
	case lookupName, findValue:
		return fmt.Sprintf("%s(%s)", name, strconv.Quote(q.Name))
	case onEachSymbol:
		text := fmt.Sprintf("%s(%s)", name, strconv.Quote(q.Name))
		if q.A != 0 {
			text += fmt.Sprintf(", stopped at call %d", q.A)
		}
		return text
	case ftraceLookup:
		return fmt.Sprintf("%s(%q)", name, strings.Split(strings.TrimSuffix(q.Name[12:], "\x00"), "\x00"))
	case ftraceEnable:
		text := fmt.Sprintf("%s(%s), FTRACE_MCOUNT_MAX_OFFSET %d", name, q.Name, q.B)
		for _, c := range []struct {
			bit  uint64
			text string
		}{{disabled, "ftrace disabled"}, {starved, "no memory"}, {tracing, "tracing"}} {
			if q.A&c.bit != 0 {
				text += ", " + c.text
			}
		}
		return text
	case loadModule:
		return name + "()"
	}
	return fmt.Sprintf("%s(%s)", name, q.Name)
}
