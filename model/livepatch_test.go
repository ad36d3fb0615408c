// SPDX-License-Identifier: GPL-2.0-only

package model

import (
	"errors"
	"testing"
)

func TestKlpFindObjectSymbol(t *testing.T) {
	m := moduleOf(fn("dup", 0x5000), fn("dup", 0x1020), object("dup", 0x3000), fn("dup", 0x1000), fn("once", 0x1010), object("zero", 0))
	m.Core = tableOf(fn("dup", 0x1020), object("dup", 0x3000), fn("dup", 0x1000), fn("once", 0x1010))
	k := kernelOf([]Symbol{{0x100, 't', "dup"}, {0x110, 't', "once"}, {0x120, 'd', "dup"}, {0, 'a', "null"}}, m)
	for _, c := range []struct {
		reason       string
		object, name string
		sympos       int
		coming, live uint64
		comingErr    error
		liveErr      error
	}{
		{"the only one of vmlinux", "", "once", 0, 0x110, 0x110, nil, nil},
		{"in vmlinux by address", "", "dup", 2, 0x120, 0x120, nil, nil},
		{"in vmlinux ambiguous", "", "dup", 0, 0, 0, ErrKlpAmbiguous, ErrKlpAmbiguous},
		{"in vmlinux beyond the last", "", "dup", 3, 0, 0, ErrKlpPosition, ErrKlpPosition},
		{"a symbol at 0 is missing", "", "null", 0, 0, 0, ErrKlpNotFound, ErrKlpNotFound},
		{"not in vmlinux", "", "mod", 1, 0, 0, ErrKlpNotFound, ErrKlpNotFound},
		{"the only one of the module", "mod", "once", 0, 0x1010, 0x1010, nil, nil},
		{"the only one by position", "mod", "once", 1, 0x1010, 0x1010, nil, nil},
		{"init functions count while there are any", "mod", "dup", 1, 0x5000, 0x1020, nil, nil},
		{"by the order of the table, not of addresses", "mod", "dup", 2, 0x1020, 0x3000, nil, nil},
		{"data counts", "mod", "dup", 3, 0x3000, 0x1000, nil, nil},
		{"a position that goes with init", "mod", "dup", 4, 0x1000, 0, nil, ErrKlpPosition},
		{"ambiguous in the module", "mod", "dup", 0, 0, 0, ErrKlpAmbiguous, ErrKlpAmbiguous},
		{"no such module", "gone", "once", 0, 0, 0, ErrKlpNotFound, ErrKlpNotFound},
		{"a symbol of the module at 0", "mod", "zero", 1, 0, 0, ErrKlpNotFound, ErrKlpNotFound},
	} {
		t.Run(c.reason, func(t *testing.T) {
			m.State = Coming
			if got, err := k.KlpFindObjectSymbol(c.object, c.name, c.sympos); got != c.coming || !errors.Is(err, c.comingErr) {
				t.Errorf("coming: %#x, %v; expected %#x, %v", got, err, c.coming, c.comingErr)
			}
			m.State = Live
			if got, err := k.KlpFindObjectSymbol(c.object, c.name, c.sympos); got != c.live || !errors.Is(err, c.liveErr) {
				t.Errorf("live: %#x, %v; expected %#x, %v", got, err, c.live, c.liveErr)
			}
		})
	}
}
