// SPDX-License-Identifier: GPL-2.0-only

package model

import (
	"errors"
	"testing"
)

func TestSameSymbols(t *testing.T) {
	m := moduleOf(fn("both", 0x1000), fn("own", 0x1010), fn("own", 0x1020), undef("used", 0), fn("one", 0x1030))
	n := moduleOf(fn("own", 0x1000))
	n.Name = "next"
	k := kernelOf([]Symbol{{0x100, 't', "both"}, {0x110, 't', "twice"}, {0x120, 't', "twice"}}, m, n)
	for _, c := range []struct {
		reason, module, name string
		v612, v73            int
		err612, err73        error
	}{
		{"in vmlinux and in a module", "", "both", 2, 1, ErrProbeAmbiguous, nil},
		{"twice in vmlinux", "", "twice", 2, 2, ErrProbeAmbiguous, ErrProbeAmbiguous},
		{"in modules only", "", "own", 3, 3, ErrProbeAmbiguous, ErrProbeAmbiguous},
		{"in the module named", "mod", "both", 1, 1, nil, nil},
		{"twice in the module named", "mod", "own", 2, 2, ErrProbeAmbiguous, ErrProbeAmbiguous},
		{"once in the module named", "mod", "one", 1, 1, nil, nil},
		{"vmlinux is not in the module named", "mod", "twice", 0, 0, ErrProbeMissing, ErrProbeMissing},
		{"undefined symbols do not count", "", "used", 0, 0, ErrProbeMissing, ErrProbeMissing},
		{"no such module", "gone", "one", 0, 0, ErrProbeMissing, ErrProbeMissing},
	} {
		for _, first := range []bool{false, true} {
			count, fails := c.v612, c.err612
			if first {
				count, fails = c.v73, c.err73
			}
			k.VmlinuxFirst = first
			if got := k.SameSymbols(c.module, c.name); got != count {
				t.Errorf("%s, vmlinux first %v: %d, expected %d", c.reason, first, got, count)
			}
			if err := k.ValidateProbeSymbol(c.module, c.name); !errors.Is(err, fails) || (err == nil) != (fails == nil) {
				t.Errorf("%s, vmlinux first %v: %v, expected %v", c.reason, first, err, fails)
			}
		}
	}
}

func TestKernelLookup(t *testing.T) {
	k := kernelOf([]Symbol{{0x100, 't', "core"}, {0x110, 't', ""}}, moduleOf(fn("f", 0x1000), fn("core", 0x1010)))
	for _, c := range []struct {
		addr   uint64
		name   string
		offset uint64
	}{{0x104, "core", 4}, {0x114, "", 4}, {0x1008, "f", 8}, {0x9000, "", 0}} {
		if name, _, offset, ok := k.Lookup(c.addr); name != c.name || offset != c.offset || ok != (name != "") {
			t.Errorf("%#x is %q+%#x, %v; expected %q+%#x", c.addr, name, offset, ok, c.name, c.offset)
		}
	}
	for name, want := range map[string]uint64{"core": 0x100, "f": 0x1000, "mod:core": 0x1010, "": 0, "x": 0} {
		if got := k.LookupName(name); got != want {
			t.Errorf("%q is at %#x, expected %#x", name, got, want)
		}
	}
}
