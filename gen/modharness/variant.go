// SPDX-License-Identifier: GPL-2.0-only

package modharness

import (
	"kgen/gen/harness"
	"kgen/model"
)

// Variant is one way to compile the code under test.
type Variant struct {
	Arch       Arch
	Compiler   string // gcc, clang or a path
	AllSymbols bool   // CONFIG_KALLSYMS_ALL
}

// String names the variant, as x86_64-gcc-64-uchar-all.
func (v Variant) String() string { return string(v.Arch) + "-" + v.build().String() }

func (v Variant) build() harness.Variant {
	return harness.Variant{Compiler: v.Compiler, Bits: v.Arch.bits(), UnsignedChar: v.Arch != X86, AllSymbols: v.AllSymbols}
}

func (v Variant) rules() model.ModuleRules {
	r := model.ModuleRules{AllSymbols: v.AllSymbols, Thumb2: v.Arch == ARM}
	if v.Arch == X86 {
		r.MaxOffset = new(uint64)
	}
	return r
}

// Variants covers both compilers, the three sets of rules, both word sizes and
// both settings of CONFIG_KALLSYMS_ALL in few builds. The first is the usual one.
func Variants() []Variant {
	return []Variant{
		{X86, "gcc", true}, {X86, "clang", false}, {ARM64, "clang", true}, {ARM, "gcc", true},
	}
}
