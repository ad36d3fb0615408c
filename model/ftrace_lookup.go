// SPDX-License-Identifier: GPL-2.0-only

package model

import "errors"

// ErrNotAllFound is the -ESRCH of ftrace_lookup_symbols(): at least one address
// is missing and left 0; those that were found are filled in.
var ErrNotAllFound = errors.New("not every symbol can be traced")

// FtraceLocation returns the record that belongs to an address: the one whose
// call the address is in, or, for the first byte of a symbol, one anywhere in
// the symbol; 0 if there is none. Of several records in one symbol the kernel
// returns whichever its search meets; here it is the lowest. It mirrors
// ftrace_location().
func (k *Kernel) FtraceLocation(ip uint64) uint64 {
	if rec := k.record(ip, ip); rec != 0 {
		return rec
	}
	size, offset, ok := k.lookupSizeOffset(ip)
	if !ok || offset != 0 {
		return 0
	}
	return k.record(ip, ip+size-1)
}

// record returns the first record whose call touches the bytes from start to
// end, the last one included. It mirrors ftrace_location_range().
func (k *Kernel) record(start, end uint64) uint64 {
	touches := func(records []uint64) uint64 {
		for _, ip := range records {
			if ip <= end && start < ip+k.CallSize {
				return ip
			}
		}
		return 0
	}
	if ip := touches(k.Records); ip != 0 {
		return ip
	}
	// Pages of records stay in the order in which modules came: oldest first.
	for i := len(k.Modules.Modules) - 1; i >= 0; i-- {
		if ip := touches(k.Modules.Modules[i].Records); ip != 0 {
			return ip
		}
	}
	return 0
}

// FtraceLookupSymbols fills addrs with the address of each name: of its symbols,
// in the order of kallsyms, vmlinux first, the first one that can be traced and
// is not at 0. The names must be sorted. Of a name given twice one place is
// never filled, and the answer is ErrNotAllFound, as it is for no names at all
// and for "module:name", which no symbol is called. It mirrors
// ftrace_lookup_symbols() of 6.12, and of 7.3 for any number of names but one.
func (k *Kernel) FtraceLookupSymbols(names []string, addrs []uint64) error {
	_, err := k.ftraceLookupAll(names, addrs)
	return err
}

// ftraceLookupAll also counts the symbols it went through.
func (k *Kernel) ftraceLookupAll(names []string, addrs []uint64) (visited int, err error) {
	clear(addrs)
	found := 0
	all := k.OnEachSymbol(func(name string, addr uint64) int { // kallsyms_callback()
		visited++
		i := kernelBsearch(names, name)
		if i < 0 || addrs[i] != 0 || k.FtraceLocation(addr) == 0 {
			return 0
		}
		addrs[i] = addr
		if found++; found == len(names) {
			return 1
		}
		return 0
	})
	if all == 0 {
		return visited, ErrNotAllFound
	}
	return visited, nil
}

// kernelBsearch returns the place of name among sorted names, or -1. Which one
// of equal names it is follows lib/bsearch.c, whose first probe is at n/2.
func kernelBsearch(names []string, name string) int {
	base, num := 0, len(names)
	for num > 0 {
		pivot := base + num/2
		switch {
		case name == names[pivot]:
			return pivot
		case name > names[pivot]:
			base = pivot + 1
			num--
		}
		num /= 2
	}
	return -1
}
