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
	Plain      bool   // optimized and without sanitizers, for every symbol of a large module
}

// String names the variant, as x86_64-gcc-64-uchar-all.
func (v Variant) String() string {
	name := string(v.Arch) + "-" + v.build().String()
	if v.Plain {
		name += "-plain"
	}
	return name
}

func (v Variant) profile() harness.Profile {
	if v.Plain {
		return harness.Optimized
	}
	return harness.SanitizedFor(v.Arch.bits())
}

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
		{Arch: X86, Compiler: "gcc", AllSymbols: true}, {Arch: X86, Compiler: "clang"},
		{Arch: ARM64, Compiler: "clang", AllSymbols: true}, {Arch: ARM, Compiler: "gcc", AllSymbols: true},
	}
}
