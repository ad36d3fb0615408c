// SPDX-License-Identifier: GPL-2.0-only

package model

// Memory is one of the regions that a module is loaded into, as in
// enum mod_mem_type. Lookups go through them in this order.
type Memory int

// The regions. The last three are freed when the module's init is done.
const (
	ModText Memory = iota
	ModData
	ModRodata
	ModROAfterInit
	ModInitText
	ModInitData
	ModInitRodata
	NumMemories
)

var memoryNames = [NumMemories]string{
	"text", "data", "rodata", "ro_after_init", "init_text", "init_data", "init_rodata",
}

// String is the kernel's word without MOD_, in small letters.
func (m Memory) String() string { return memoryNames[m] }

// Text mirrors mod_mem_type_is_text().
func (m Memory) Text() bool { return m == ModText || m == ModInitText }

// Init mirrors mod_mem_type_is_init().
func (m Memory) Init() bool { return m >= ModInitText }

// Region is a struct module_memory: where in memory, and how many bytes.
type Region struct{ Base, Size uint64 }

// Contains mirrors within_module_mem_type().
func (r Region) Contains(addr uint64) bool { return addr-r.Base < r.Size }

// ModuleState is how far a module has got.
type ModuleState int

const (
	// Unformed: memory is laid out; no lookup sees the module yet.
	Unformed ModuleState = iota
	// Coming: until do_init_module() has ended, mod->kallsyms is the init table,
	// which holds every symbol of the file.
	Coming
	// Live: mod->kallsyms is the core table, and the init regions are gone. The
	// kernel sets MODULE_STATE_LIVE a moment before it switches; what is meant
	// here is the time after the switch. A module that is going answers so too.
	Live
)

// String is the kernel's word without MODULE_STATE_, in small letters.
func (s ModuleState) String() string { return [...]string{"unformed", "coming", "live"}[s] }

// SymTable is a struct mod_kallsyms: the symbol table with its strings, and the
// type letters beside it. Symbol 0 is the ELF null symbol.
type SymTable struct {
	Symbols []ElfSymbol // symtab and strtab
	Types   []byte      // typetab, one letter a symbol
}

// Module is a module in memory, as add_kallsyms() leaves it. Object.Load makes
// one of a file.
type Module struct {
	Name      string
	State     ModuleState
	Livepatch bool // is_livepatch_module(): the core table keeps every symbol
	Mem       [NumMemories]Region
	Init      SymTable // every symbol of the file, with addresses for values
	Core      SymTable // what stays: Init filtered by is_core_symbol()
	// Exports are the names in mod->syms, the section __ksymtab: in kernels that
	// have __ksymtab_gpl too, those of EXPORT_SYMBOL_GPL() are not among them.
	Exports map[string]bool
	// Records are the addresses of the module's dyn_ftrace records, ascending.
	Records []uint64
}

// Kallsyms is the table that lookups use now: mod->kallsyms.
func (m *Module) Kallsyms() *SymTable {
	if m.State == Live {
		return &m.Core
	}
	return &m.Init
}

// EndInit is the end of do_init_module(): lookups turn to the core table, the
// records of init functions are removed (ftrace_free_mem()), and the init
// regions are given back.
func (m *Module) EndInit() {
	m.State = Live
	var records []uint64 // a list of its own, as copies of m may share the old one
	for _, ip := range m.Records {
		if !m.Mem[ModInitText].Contains(ip) {
			records = append(records, ip)
		}
	}
	m.Records = records
	for mem := range m.Mem {
		if Memory(mem).Init() {
			m.Mem[mem] = Region{}
		}
	}
}

// Contains mirrors within_module().
func (m *Module) Contains(addr uint64) bool {
	for _, region := range m.Mem {
		if region.Contains(addr) {
			return true
		}
	}
	return false
}

// region finds the memory region that lookups of addr are bound to. Without
// CONFIG_KALLSYMS_ALL only text is looked up.
func (m *Module) region(rules ModuleRules, addr uint64) (Region, Memory, bool) {
	for i, region := range m.Mem {
		if memory := Memory(i); (rules.AllSymbols || memory.Text()) && region.Contains(addr) {
			return region, memory, true
		}
	}
	return Region{}, 0, false
}
