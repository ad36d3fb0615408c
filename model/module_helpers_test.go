// SPDX-License-Identifier: GPL-2.0-only

package model

import (
	"debug/elf"
	"os"
	"testing"

	"kgen/gen/realmap"
	"kgen/gen/realmap/realmaptest"
)

var (
	funcInfo   = elf.ST_INFO(elf.STB_LOCAL, elf.STT_FUNC)
	noTypeInfo = elf.ST_INFO(elf.STB_LOCAL, elf.STT_NOTYPE)
	objectInfo = elf.ST_INFO(elf.STB_LOCAL, elf.STT_OBJECT)
)

// fn, label and object are symbols of section 1, undef one of none.
func fn(name string, value uint64) ElfSymbol {
	return ElfSymbol{Name: name, Value: value, Info: funcInfo, Shndx: 1}
}

func label(name string, value uint64) ElfSymbol {
	return ElfSymbol{Name: name, Value: value, Info: noTypeInfo, Shndx: 1}
}

func object(name string, value uint64) ElfSymbol {
	return ElfSymbol{Name: name, Value: value, Info: objectInfo, Shndx: 2}
}

func undef(name string, value uint64) ElfSymbol {
	return ElfSymbol{Name: name, Value: value, Info: noTypeInfo}
}

// tableOf puts the null symbol before symbols; types count up from 'A'.
func tableOf(symbols ...ElfSymbol) SymTable {
	t := SymTable{Symbols: append([]ElfSymbol{{}}, symbols...)}
	for i := range t.Symbols {
		t.Types = append(t.Types, byte('A'+i%26))
	}
	return t
}

// moduleOf is a module with text at 0x1000 to 0x2000, data at 0x3000 to 0x4000
// and init text at 0x5000 to 0x6000, whose two tables are alike.
func moduleOf(symbols ...ElfSymbol) *Module {
	m := &Module{Name: "mod", State: Coming, Init: tableOf(symbols...), Core: tableOf(symbols...)}
	m.Mem[ModText] = Region{0x1000, 0x1000}
	m.Mem[ModData] = Region{0x3000, 0x1000}
	m.Mem[ModInitText] = Region{0x5000, 0x1000}
	return m
}

// specOf is a kernel's modules, with CONFIG_KALLSYMS_ALL.
func specOf(modules ...*Module) *ModuleSpec {
	return &ModuleSpec{modules, ModuleRules{AllSymbols: true}}
}

func readObject(tb testing.TB, f realmap.File) *Object {
	tb.Helper()
	file, err := os.Open(realmaptest.Path(tb, f))
	if err != nil {
		tb.Fatal(err)
	}
	defer file.Close()
	o, err := ReadModule(file)
	if err != nil {
		tb.Fatal(err)
	}
	return o
}
