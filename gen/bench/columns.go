// SPDX-License-Identifier: GPL-2.0-only

package bench

import "kgen/gen/bench/result"

// columns are what is measured, in the order of a table. The names are those that
// c/measure.c prints.
func columns() []result.Column {
	ns := func(name, title, meaning string, warm bool) result.Column {
		return result.Column{Name: name, Title: title, Meaning: meaning, Unit: "ns", Warm: warm}
	}
	return []result.Column{
		ns("hit", "hit", "kallsyms_lookup_name() of the name of a symbol, every symbol as likely, of 2048 that were looked up just before", true),
		ns("hit-unique", "hit, unique", "the same, every different name as likely", true),
		ns("miss", "miss", "kallsyms_lookup_name() of a name with one letter changed, that no symbol has", true),
		ns("address", "address", "lookup_symbol_name() of an address inside a symbol", true),
		ns("walk", "walk", "kallsyms_on_each_symbol() over all symbols, once", true),
		ns("duplicates", "duplicates", "kallsyms_on_each_match_symbol() of the name that most symbols have", true),
		ns("ftrace-one", "ftrace one", "ftrace_lookup_symbols() of one name, that of a function; ftrace_location() is a stand-in that takes hardly any time", true),
		ns("p99", "p99", "the 99th percentile of hits timed one by one", true),
		ns("p99.9", "p99.9", "the 99.9th percentile of hits timed one by one", true),
		ns("cold8", "cold", "a hit, the mean of 8 after the tables and then 64 MiB of other memory were read", false),
		ns("dram1", "from DRAM", "a hit, alone, after every line of the tables was flushed to memory", false),
	}
}
