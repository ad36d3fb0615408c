// SPDX-License-Identifier: GPL-2.0-only

package model

import (
	"debug/elf"
	"strings"
)

// moduleNameLen is MODULE_NAME_LEN on 64 bits: 64 - sizeof(unsigned long). A
// colon further along than this does not name a module.
const moduleNameLen = 64 - 8

// FindValue returns the address of the first symbol of m called name that is
// not undefined, in the order of the table in use. It is 0 where there is none,
// and for a symbol at 0, behind which it does not look further. Here the null
// symbol is looked at too, but it is undefined. It mirrors
// find_kallsyms_symbol_value().
func (s *ModuleSpec) FindValue(m *Module, name string) uint64 {
	for _, sym := range m.Kallsyms().Symbols {
		if sym.Name == name && !sym.Undefined() {
			return s.Rules.Value(sym)
		}
	}
	return 0
}

// Find returns the module called name, or nil. It mirrors find_module().
func (s *ModuleSpec) Find(name string) *Module {
	for _, m := range s.Modules {
		if m.State != Unformed && m.Name == name {
			return m
		}
	}
	return nil
}

// LookupName returns the address of a symbol: in "module:symbol" of that
// module's, in "symbol" of the first module where it is not 0. It mirrors
// module_kallsyms_lookup_name(); an empty name can match there.
func (s *ModuleSpec) LookupName(name string) uint64 {
	// strnchr() ends after moduleNameLen bytes.
	if colon := strings.IndexByte(name[:min(len(name), moduleNameLen)], ':'); colon >= 0 {
		if m := s.Find(name[:colon]); m != nil {
			return s.FindValue(m, name[colon+1:])
		}
		return 0
	}
	for _, m := range s.Modules {
		if m.State == Unformed {
			continue
		}
		if value := s.FindValue(m, name); value != 0 {
			return value
		}
	}
	return 0
}

// OnEachSymbol calls fn with every symbol that is not undefined, in the order of
// the tables in use, until fn returns something other than 0, and returns that.
// With modname other than "" it stays in the module of that name. It mirrors
// module_kallsyms_on_each_symbol(), where fn also meets symbols without a name
// and mapping symbols.
func (s *ModuleSpec) OnEachSymbol(modname string, fn func(name string, addr uint64) int) int {
	for _, m := range s.Modules {
		if m.State == Unformed || modname != "" && m.Name != modname {
			continue
		}
		for _, sym := range m.Kallsyms().Symbols {
			if sym.Undefined() {
				continue
			}
			if stop := fn(sym.Name, s.Rules.Value(sym)); stop != 0 {
				return stop
			}
		}
		if modname != "" {
			break
		}
	}
	return 0
}

// ModuleLine is a line of /proc/kallsyms for a symbol of a module.
type ModuleLine struct {
	Addr   uint64
	Type   byte // the letter of typetab; Module.Letter has it as it is shown
	Name   string
	Module string
}

// exported mirrors is_exported(). A static symbol that is called like an exported
// one is another, with another value.
func (m *Module) exported(s ElfSymbol) bool {
	return m.Exports[s.Name] && !s.Undefined() && elf.ST_BIND(s.Info) != elf.STB_LOCAL
}

// Letter is the type of entry i of the table in use as /proc/kallsyms shows it: in
// capitals where the symbol is exported, else in small letters. It mirrors s_show().
func (m *Module) Letter(i int) string {
	table := m.Kallsyms()
	letter := string(rune(table.Types[i]))
	if m.exported(table.Symbols[i]) {
		return strings.ToUpper(letter)
	}
	return strings.ToLower(letter)
}

// Kallsym returns the symbol with number symnum, counted through the tables of
// all modules, null symbols and undefined ones included, or ErrRange behind the
// last. It mirrors module_get_kallsym().
func (s *ModuleSpec) Kallsym(symnum int) (ModuleLine, error) {
	for _, m := range s.Modules {
		if m.State == Unformed {
			continue
		}
		table := m.Kallsyms()
		if symnum < len(table.Symbols) {
			sym := table.Symbols[symnum]
			name := sym.Name[:min(len(sym.Name), KsymNameLen-1)]
			return ModuleLine{s.Rules.Value(sym), table.Types[symnum], name, m.Name}, nil
		}
		symnum -= len(table.Symbols)
	}
	return ModuleLine{}, ErrRange
}
