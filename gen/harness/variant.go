// SPDX-License-Identifier: GPL-2.0-only

package harness

import (
	"fmt"
	"strings"

	"kgen/model"
)

// Variant is one way to compile and configure the code under test.
type Variant struct {
	Compiler       string // gcc, clang or a path
	Bits           int    // 64 or 32
	UnsignedChar   bool   // -funsigned-char, as the kernel itself since 6.2, or -fsigned-char
	AllSymbols     bool   // CONFIG_KALLSYMS_ALL
	AbsolutePercpu bool   // CONFIG_KALLSYMS_ABSOLUTE_PERCPU, 6.12 only
	Relocatable    bool   // CONFIG_RELOCATABLE: decides how 7.3 stores addresses on 32 bits
	Threads        bool   // under ThreadSanitizer instead of ASan and UBSan
}

// String names the variant, as gcc-64-schar-all-percpu.
func (v Variant) String() string {
	parts := []string{v.compilerName(), fmt.Sprint(v.Bits), "schar"}
	if v.UnsignedChar {
		parts[2] = "uchar"
	}
	if v.AllSymbols {
		parts = append(parts, "all")
	}
	if v.AbsolutePercpu {
		parts = append(parts, "percpu")
	}
	if v.Relocatable {
		parts = append(parts, "reloc")
	}
	if v.Threads {
		parts = append(parts, "threads")
	}
	return strings.Join(parts, "-")
}

func (v Variant) compilerName() string {
	return v.Compiler[strings.LastIndexByte(v.Compiler, '/')+1:]
}

// flags are what the compiler is told of the variant.
func (v Variant) flags() []string {
	f := []string{fmt.Sprintf("-m%d", v.Bits), "-fsigned-char"}
	if v.UnsignedChar {
		f[1] = "-funsigned-char"
	}
	set := func(on bool, option string) {
		if on {
			f = append(f, "-DCONFIG_"+option+"=1")
		}
	}
	set(true, "KALLSYMS")
	set(true, "PROC_FS")
	set(true, "SMP")
	set(true, "KGDB_KDB")
	set(v.Bits == 64, "64BIT")
	set(v.AllSymbols, "KALLSYMS_ALL")
	set(v.AbsolutePercpu, "KALLSYMS_ABSOLUTE_PERCPU")
	set(v.Relocatable, "RELOCATABLE")
	return f
}

func (v Variant) profile() Profile {
	if v.Threads {
		return Threaded
	}
	return SanitizedFor(v.Bits)
}

func (v Variant) prepareOptions() model.PrepareOptions {
	return model.PrepareOptions{AllSymbols: v.AllSymbols, AbsolutePercpu: v.AbsolutePercpu}
}

// mask clears what an unsigned long of the variant cannot hold.
func (v Variant) mask() uint64 {
	if v.Bits == 32 {
		return 1<<32 - 1
	}
	return ^uint64(0)
}

// Variants covers both compilers, word sizes, signs of char and settings of
// each configuration option in few builds, for the dialect of the tree. The
// first is the kernel's own choice on x86-64.
func (w *Work) Variants() []Variant {
	percpu := w.hasOption("absolute-percpu")
	return []Variant{
		{Compiler: "gcc", Bits: 64, UnsignedChar: true, AllSymbols: true, AbsolutePercpu: percpu, Relocatable: true},
		{Compiler: "clang", Bits: 64, UnsignedChar: false, AllSymbols: true, AbsolutePercpu: percpu, Relocatable: true},
		{Compiler: "gcc", Bits: 32, UnsignedChar: false, AllSymbols: true},
		{Compiler: "clang", Bits: 32, UnsignedChar: true, AllSymbols: true, AbsolutePercpu: percpu, Relocatable: true},
		{Compiler: "gcc", Bits: 64, UnsignedChar: false},
		{Compiler: "clang", Bits: 64, UnsignedChar: true, AbsolutePercpu: percpu},
	}
}
