// SPDX-License-Identifier: GPL-2.0-only

package csrc

import (
	"errors"
	"strings"
	"testing"
)

const kconfig = `menu "Tests"

# about A
config A
	bool "A"
	help
	  config B is not here.

	  if it were

# about B
config B
	tristate
if X
menuconfig C
	bool
endif
endmenu
`

const makefile = `obj-y += a.o
obj-$(CONFIG_A) += x.o \
	y.o
obj-$(CONFIG_AB)	+= z.o
`

const maintainers = `Head
F: not a section

Maintainers List
----------------

.. note:: text
	more

ALPHA
M:	A

gamma
M:	G

OMEGA
M:	O

BETA OUT OF PLACE
M:	B

THE REST
M:	R
`

func TestLists(t *testing.T) {
	for _, c := range []struct {
		reason, src string
		edit        func(path string, src []byte) ([]Change, error)
		want        string
		is          error
	}{
		{"before an entry's comment", kconfig, func(p string, s []byte) ([]Change, error) { return KconfigBefore(p, s, "A", "config N\n\tbool\n") },
			" menu \"Tests\"\n+config N\n+\tbool\n+\n # about A\n", nil},
		{"after an entry's help", kconfig, func(p string, s []byte) ([]Change, error) { return KconfigAfter(p, s, "A", "config N\n\tbool") },
			" \t  if it were\n+config N\n+\tbool\n+\n # about B\n", nil},
		{"after an entry without help", kconfig, func(p string, s []byte) ([]Change, error) { return KconfigAfter(p, s, "B", "config N\n\tbool") },
			" \ttristate\n+\n+config N\n+\tbool\n if X\n", nil},
		{"a menuconfig", kconfig, func(p string, s []byte) ([]Change, error) { return KconfigAfter(p, s, "C", "config N") },
			" \tbool\n+\n+config N\n endif\n", nil},
		{"no such entry", kconfig, func(p string, s []byte) ([]Change, error) { return KconfigAfter(p, s, "D", "x") }, "", ErrDrift},
		{"before an object", makefile, func(p string, s []byte) ([]Change, error) { return MakefileBefore(p, s, "CONFIG_A", "obj-m += n.o") },
			" obj-y += a.o\n+obj-m += n.o\n obj-$(CONFIG_A) += x.o \\\n", nil},
		{"after an object of two lines", makefile, func(p string, s []byte) ([]Change, error) { return MakefileAfter(p, s, "CONFIG_A", "obj-m += n.o") },
			" \ty.o\n+obj-m += n.o\n obj-$(CONFIG_AB)\t+= z.o\n", nil},
		{"after the last line", makefile, func(p string, s []byte) ([]Change, error) { return MakefileAfter(p, s, "CONFIG_AB", "obj-m += n.o\n") },
			" obj-$(CONFIG_AB)\t+= z.o\n+obj-m += n.o\n", nil},
		{"no such object", makefile, func(p string, s []byte) ([]Change, error) { return MakefileBefore(p, s, "CONFIG_", "x") }, "", ErrDrift},
		{"in its place, whatever the case", maintainers, func(p string, s []byte) ([]Change, error) { return Maintainers(p, s, "DELTA\nM:\tD\n") },
			" M:\tA\n+DELTA\n+M:\tD\n+\n gamma\n", nil},
		{"after a title in small letters", maintainers, func(p string, s []byte) ([]Change, error) { return Maintainers(p, s, "HH\nM:\tD\n") },
			" M:\tG\n+HH\n+M:\tD\n+\n OMEGA\n", nil},
		{"first", maintainers, func(p string, s []byte) ([]Change, error) { return Maintainers(p, s, "AAA\nM:\tD\n") },
			" \tmore\n+AAA\n+M:\tD\n+\n ALPHA\n", nil},
		{"before THE REST", maintainers, func(p string, s []byte) ([]Change, error) { return Maintainers(p, s, "ZETA\nM:\tD\n") },
			" M:\tB\n+ZETA\n+M:\tD\n+\n THE REST\n", nil},
		{"past a section that is out of place", maintainers, func(p string, s []byte) ([]Change, error) { return Maintainers(p, s, "CC\nM:\tD\n") },
			" M:\tA\n+CC\n+M:\tD\n+\n gamma\n", nil},
		{"there already", maintainers, func(p string, s []byte) ([]Change, error) { return Maintainers(p, s, "OMEGA\nM:\tD\n") }, "", ErrEdit},
		{"no list", kconfig, func(p string, s []byte) ([]Change, error) { return Maintainers(p, s, "OMEGA\nM:\tD\n") }, "", ErrDrift},
	} {
		changes, err := c.edit("t", []byte(c.src))
		if !errors.Is(err, c.is) {
			t.Errorf("%s: %v, want %v", c.reason, err, c.is)
		}
		if err != nil {
			continue
		}
		out, err := Splice("t", []byte(c.src), changes)
		if err != nil {
			t.Errorf("%s: %v", c.reason, err)
		}
		if have := changedLines(c.src, string(out)); have != c.want {
			t.Errorf("%s: have\n%swant\n%s", c.reason, have, c.want)
		}
	}
}

// TestListsOfTheKernel pins the neighbours of new entries in both kernels.
func TestListsOfTheKernel(t *testing.T) {
	for _, v := range versions {
		for _, c := range []struct {
			path         string
			edit         func(path string, src []byte) ([]Change, error)
			above, below string
		}{
			{"lib/Kconfig.debug", func(p string, s []byte) ([]Change, error) {
				return KconfigBefore(p, s, "FIND_BIT_BENCHMARK", "config NEW\n")
			}, "\t  If unsure, say N.\n\n", "\nconfig FIND_BIT_BENCHMARK\n"},
			{"lib/Makefile", func(p string, s []byte) ([]Change, error) {
				return MakefileBefore(p, s, "CONFIG_FIND_BIT_BENCHMARK", "config NEW\n")
			}, "obj-y += kstrtox.o\n", "obj-$(CONFIG_FIND_BIT_BENCHMARK) +="},
			{"MAINTAINERS", func(p string, s []byte) ([]Change, error) { return Maintainers(p, s, "config NEW\n") }, "", "\n"},
			{"MAINTAINERS", func(p string, s []byte) ([]Change, error) { return Maintainers(p, s, "KASAM\nconfig NEW\n") }, "KASAM\n", "\nKASAN\n"},
		} {
			src := kernel(t, v, c.path)
			changes, err := c.edit(c.path, src)
			if err != nil {
				t.Errorf("%s: %v", v, err)
				continue
			}
			out, err := Splice(c.path, src, changes)
			if err != nil || !strings.Contains(string(out), c.above+"config NEW\n"+c.below) {
				t.Errorf("%s: %s: %v", v, c.path, err)
			}
		}
	}
}
