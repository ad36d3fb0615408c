// SPDX-License-Identifier: GPL-2.0-only

package model

import (
	"errors"
	"fmt"
)

var (
	// ErrProbeAmbiguous is the -EADDRNOTAVAIL of a kprobe on a name that several
	// symbols have.
	ErrProbeAmbiguous = errors.New("several symbols have the name")
	// ErrProbeMissing is the -ENOENT of a kprobe on a name that no symbol has.
	ErrProbeMissing = errors.New("no symbol has the name")
)

// SameSymbols counts the symbols called name: with modname those of that
// module, with "" those of vmlinux and of every module. Where VmlinuxFirst is
// set, symbols of vmlinux hide those of modules. It mirrors
// number_of_same_symbols().
func (k *Kernel) SameSymbols(modname, name string) int {
	count := 0
	if modname == "" {
		count = len(k.Core.Matches(name))
		if k.VmlinuxFirst && count > 0 {
			return count
		}
	}
	k.Modules.OnEachSymbol(modname, func(n string, _ uint64) int {
		if n == name {
			count++
		}
		return 0
	})
	return count
}

// ValidateProbeSymbol says whether a kprobe on name would be taken, and if not,
// why. It mirrors validate_module_probe_symbol().
func (k *Kernel) ValidateProbeSymbol(modname, name string) error {
	switch count := k.SameSymbols(modname, name); count {
	case 0:
		return fmt.Errorf("%w: %s; expected one symbol, found none; load its module first", ErrProbeMissing, name)
	case 1:
		return nil
	default:
		return fmt.Errorf("%w: %s; expected one symbol, found %d; probe an address instead", ErrProbeAmbiguous, name, count)
	}
}
