// SPDX-License-Identifier: GPL-2.0-only

package model

// Kernel is vmlinux together with its modules: what the lookups that go through
// both ask. BPF images, and the names that ftrace keeps of init functions that
// are gone, are not in it; the kernel asks them after the modules.
type Kernel struct {
	Core    *Spec
	Modules *ModuleSpec
	// Records are the addresses of the dyn_ftrace records of vmlinux, ascending.
	Records []uint64
	// CallSize is MCOUNT_INSN_SIZE, the bytes of a call to the tracer: 5 on x86,
	// 4 on arm64.
	CallSize uint64
	// VmlinuxFirst: a name that vmlinux has is not looked for in modules when
	// kprobes count symbols. 7.3 does so, 6.12 does not.
	VmlinuxFirst bool
}

// LookupName returns the address of a symbol, of vmlinux before those of
// modules. It mirrors kallsyms_lookup_name() to its end.
func (k *Kernel) LookupName(name string) uint64 {
	if name == "" {
		return 0
	}
	if _, _, err := k.Core.NameRange(name); err == nil {
		return k.Core.LookupName(name)
	}
	return k.Modules.LookupName(name)
}

// Lookup returns the name of the symbol around addr, its size and the offset of
// addr in it. An address of vmlinux whose symbol has no name is not looked for
// in modules. It mirrors kallsyms_lookup().
func (k *Kernel) Lookup(addr uint64) (name string, size, offset uint64, ok bool) {
	if k.Core.IsKsymAddr(addr) {
		name, place, ok := k.Core.Lookup(addr)
		return name, place.Size, place.Offset, ok
	}
	_, place, ok := k.Modules.AddressLookup(addr)
	return place.Name, place.Size, place.Offset, ok
}

// lookupSizeOffset mirrors kallsyms_lookup_size_offset(), for which a symbol of
// vmlinux needs no name.
func (k *Kernel) lookupSizeOffset(addr uint64) (size, offset uint64, ok bool) {
	if k.Core.IsKsymAddr(addr) {
		return k.Core.LookupSizeOffset(addr)
	}
	_, place, ok := k.Modules.AddressLookup(addr)
	return place.Size, place.Offset, ok
}

// OnEachSymbol calls fn with every symbol of vmlinux in table order, then with
// every symbol of the modules, until fn returns something other than 0.
func (k *Kernel) OnEachSymbol(fn func(name string, addr uint64) int) int {
	if stop := k.Core.OnEachSymbol(fn); stop != 0 {
		return stop
	}
	return k.Modules.OnEachSymbol("", fn)
}
