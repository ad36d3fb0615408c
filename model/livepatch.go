// SPDX-License-Identifier: GPL-2.0-only

package model

import (
	"errors"
	"fmt"
)

// The three ways in which a livepatch's symbol is not resolved, each of which
// klp_find_object_symbol() turns into -EINVAL.
var (
	ErrKlpNotFound  = errors.New("symbol not found")
	ErrKlpAmbiguous = errors.New("symbol is ambiguous")
	ErrKlpPosition  = errors.New("symbol position not found")
)

// KlpFindObjectSymbol resolves what .klp.sym.objname.name,sympos stands for: the
// sympos-th symbol called name, counted from 1 in the order in which the kernel
// visits them; 0 asks for the only one. Object "" is vmlinux, where the order is
// that of addresses. In a module it is the order of the table in use, so that
// the same sympos can mean another symbol, or none, once the module's init is
// done and init functions of the same name are gone. It mirrors
// klp_find_object_symbol(), which takes a symbol at 0 for missing.
func (k *Kernel) KlpFindObjectSymbol(object, name string, sympos int) (uint64, error) {
	count, found := 0, uint64(0)
	match := func(addr uint64) int { // klp_match_callback()
		found = addr
		count++
		if sympos != 0 && count == sympos || sympos == 0 && count > 1 {
			return 1
		}
		return 0
	}
	if object == "" {
		object = "vmlinux"
		k.Core.OnEachMatch(name, match)
	} else {
		k.Modules.OnEachSymbol(object, func(n string, addr uint64) int {
			if n != name {
				return 0
			}
			return match(addr)
		})
	}
	switch {
	case found == 0:
		return 0, fmt.Errorf("%w: %s in %s; name a symbol that is loaded", ErrKlpNotFound, name, object)
	case count > 1 && sympos == 0:
		return 0, fmt.Errorf("%w: several symbols are called %s in %s; expected a position from 1, found 0",
			ErrKlpAmbiguous, name, object)
	case sympos > 0 && sympos != count:
		return 0, fmt.Errorf("%w: %s in %s; expected a position up to %d, found %d",
			ErrKlpPosition, name, object, count, sympos)
	}
	return found, nil
}
