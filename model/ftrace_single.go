// SPDX-License-Identifier: GPL-2.0-only

package model

// FtraceSingle is ftrace-single: ftrace_lookup_symbols() that looks one name up
// as kallsyms_lookup_name() does before it goes through all symbols. 7.3 has it.
//
// Its answers are those of FtraceLookupSymbols but for two kinds of name, which
// the path through all symbols cannot answer so: "module:name" is found, and
// where a module's first symbol of the name is at 0, that module's others are
// passed over for the next module's.
type FtraceSingle struct {
	// StoreLocation is the draft's fault: it stored the record (S+4 with IBT)
	// where the symbol's address (S) belongs.
	StoreLocation bool
}

// Lookup fills addrs as ftrace_lookup_symbols() does, and counts the symbols that
// were gone through: none where the name was found at once.
func (f FtraceSingle) Lookup(k *Kernel, names []string, addrs []uint64) (visited int, err error) {
	if len(names) == 1 {
		if addr := k.LookupName(names[0]); addr != 0 {
			if location := k.FtraceLocation(addr); location != 0 {
				addrs[0] = addr
				if f.StoreLocation {
					addrs[0] = location
				}
				return 0, nil
			}
		}
	}
	return k.ftraceLookupAll(names, addrs)
}
