// SPDX-License-Identifier: GPL-2.0-only

//go:build mutants

package mutants

import (
	"errors"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"kgen/gen/harness"
	"kgen/gen/modharness"
)

// The files of a kernel tree that faults in the lookups of modules are seeded in.
const (
	moduleKallsyms = "kernel/module/kallsyms.c"
	ftrace         = "kernel/trace/ftrace.c"
)

// moduleFaults are faults in the C of a series for modules and for ftrace.
var moduleFaults = map[string][]cFault{
	"module-scan": {
		{"module-scan", "the last of several symbols at one value is taken", moduleKallsyms, "thisval <= addr ? thisval <= bestval", "thisval <= addr ? thisval < bestval"},
		{"module-scan", "a symbol at the address itself is passed over", moduleKallsyms, "thisval <= addr ? thisval <= bestval", "thisval < addr ? thisval <= bestval"},
		{"module-scan", "the size reaches to any later symbol", moduleKallsyms, ": thisval >= nextval)", ": thisval < nextval)"},
	},
	"module-index": {
		{"module-index", "undefined symbols are indexed", moduleKallsyms, "return kallsyms->symtab[symnum].st_shndx != SHN_UNDEF &&\n", "return\n"},
		{"module-index", "symbols without a name are indexed", moduleKallsyms, "*name != '\\0' && !is_mapping_symbol(name);", "!is_mapping_symbol(name);"},
		{"module-index", "mapping symbols are indexed", moduleKallsyms, "*name != '\\0' && !is_mapping_symbol(name);", "*name != '\\0';"},
		{"module-index", "of several symbols at one value the last is found", moduleKallsyms, "(symb > syma) - (symb < syma)", "(syma > symb) - (syma < symb)"},
		{"module-index", "ties are left to sort()", moduleKallsyms, "return (symb > syma) - (symb < syma);", "return 0;"},
		{"module-index", "values are compared as signed", moduleKallsyms, "return vala < valb ? -1 : 1;", "return (long)vala < (long)valb ? -1 : 1;"},
		{"module-index", "values are subtracted into an int", moduleKallsyms, "return vala < valb ? -1 : 1;", "return (int)(vala - valb);"},
		{"module-index", "the first symbol is left out", moduleKallsyms, "for (i = 1, num = 0;", "for (i = 2, num = 0;"},
		{"module-index", "a symbol at the address itself is passed over", moduleKallsyms, "if (index_value(kallsyms, index, mid) <= addr)", "if (index_value(kallsyms, index, mid) < addr)"},
		{"module-index", "the last symbol ends no other", moduleKallsyms, "if (low < index->num)", "if (low + 1 < index->num)"},
		{"module-index", "a symbol reaches out of its region", moduleKallsyms, "*nextval = min(*nextval, index_value(kallsyms, index, low));", "*nextval = index_value(kallsyms, index, low);"},
		{"module-index", "a symbol below the region is found", moduleKallsyms, "if (!low || index_value(kallsyms, index, low - 1) <= *bestval)", "if (!low)"},
		{"module-index", "a failed allocation is written to", moduleKallsyms, "\tif (!index)\n\t\treturn NULL;\n", ""},
		{"module-index", "the core table gets the init table's index", moduleKallsyms, "make_index(&mod->core_kallsyms)", "make_index(init)"},
		{"module-index", "the init table's index is freed under a reader", moduleKallsyms, "kvfree_rcu(index, rcu);", "kvfree(index);"},
		{"module-index", "the init table's index is never freed", moduleKallsyms, "kvfree_rcu(index, rcu);", "(void)index;"},
		{"module-index", "the core table's index is never freed", moduleKallsyms, "\tkvfree(rcu_dereference_protected(mod->core_kallsyms.index, 1));\n", ""},
		{"module-index", "a failing init leaves an index behind", moduleKallsyms, "if (kallsyms && kallsyms != &mod->core_kallsyms)", "if (0)"},
	},
	"ftrace-bitmap": {
		{"ftrace-bitmap", "undefined symbols count", ftrace, "if (sym->st_shndx != SHN_UNDEF &&\n\t\t    ftrace_mod_bit", "if (ftrace_mod_bit"},
		{"ftrace-bitmap", "symbols without a name count", ftrace, "*name != '\\0' && !is_mapping_symbol(name))\n\t\t\t__set_bit", "!is_mapping_symbol(name))\n\t\t\t__set_bit"},
		{"ftrace-bitmap", "mapping symbols count", ftrace, "*name != '\\0' && !is_mapping_symbol(name))\n\t\t\t__set_bit", "*name != '\\0')\n\t\t\t__set_bit"},
		{"ftrace-bitmap", "the first symbol is left out", ftrace, "\tfor (i = 1; i < kallsyms->num_symtab; i++) {\n\t\tconst Elf_Sym *sym = &kallsyms->symtab[i];\n\t\tconst char *name = kallsyms->strtab + sym->st_name;\n\n\t\tif (sym->st_shndx != SHN_UNDEF &&\n\t\t    ftrace_mod_bit", "\tfor (i = 2; i < kallsyms->num_symtab; i++) {\n\t\tconst Elf_Sym *sym = &kallsyms->symtab[i];\n\t\tconst char *name = kallsyms->strtab + sym->st_name;\n\n\t\tif (sym->st_shndx != SHN_UNDEF &&\n\t\t    ftrace_mod_bit"},
		{"ftrace-bitmap", "init text has the bits of text", ftrace, "*first = text->size;", "*first = 0;"},
		{"ftrace-bitmap", "there is no room for init text", ftrace, "(unsigned long)mod->mem[MOD_TEXT].size +\n\t       mod->mem[MOD_INIT_TEXT].size;", "(unsigned long)mod->mem[MOD_TEXT].size;"},
		{"ftrace-bitmap", "a record at the greatest offset is no longer valid", ftrace, "closest = bit - FTRACE_MCOUNT_MAX_OFFSET;", "closest = bit - FTRACE_MCOUNT_MAX_OFFSET + 1;"},
		{"ftrace-bitmap", "a symbol a byte too far counts", ftrace, "closest = bit - FTRACE_MCOUNT_MAX_OFFSET;", "closest = bit - FTRACE_MCOUNT_MAX_OFFSET - 1;"},
		{"ftrace-bitmap", "a symbol at the record itself is passed over", ftrace, "if (find_next_bit(starts, bit + 1, closest) <= bit)", "if (find_next_bit(starts, bit, closest) < bit)"},
		{"ftrace-bitmap", "a symbol in the other text counts", ftrace, "\tclosest = first;\n\tif (bit - first > FTRACE_MCOUNT_MAX_OFFSET)\n\t\tclosest", "\tclosest = 0;\n\tif (bit > FTRACE_MCOUNT_MAX_OFFSET)\n\t\tclosest"},
		{"ftrace-bitmap", "bits are not cleared", ftrace, "kvcalloc(BITS_TO_LONGS(size)", "kvmalloc_array(BITS_TO_LONGS(size)"},
		{"ftrace-bitmap", "a failed allocation is written to", ftrace, "\tif (!starts)\n\t\treturn NULL;\n", ""},
		{"ftrace-bitmap", "the bits are never freed", ftrace, "*starts __free(kvfree) = ", "*starts = "},
		{"ftrace-bitmap", "memory is taken for a module without records", ftrace, "\tif (!mod->num_ftrace_callsites)\n\t\treturn NULL;\n", ""},
		{"ftrace-bitmap", "cached commands are lost where ftrace is disabled", ftrace, "\t\tprocess_cached_mods(mod->name);\n\t\treturn;", "\t\treturn;"},
		{"ftrace-bitmap", "the table is read without protection", ftrace, "kallsyms = rcu_dereference_raw(mod->kallsyms);", "kallsyms = rcu_dereference(mod->kallsyms);"},
	},
	"ftrace-module": {
		{"ftrace-module", "undefined symbols count", ftrace, "if (sym->st_shndx != SHN_UNDEF && *name != '\\0' &&", "if (*name != '\\0' &&"},
		{"ftrace-module", "symbols without a name count", ftrace, "if (sym->st_shndx != SHN_UNDEF && *name != '\\0' &&", "if (sym->st_shndx != SHN_UNDEF &&"},
		{"ftrace-module", "mapping symbols count", ftrace, "    !is_mapping_symbol(name))\n\t\t\tsyms", "    true)\n\t\t\tsyms"},
		{"ftrace-module", "a record at the greatest offset is no longer valid", ftrace, "syms->addr[low - 1] <= FTRACE_MCOUNT_MAX_OFFSET", "syms->addr[low - 1] < FTRACE_MCOUNT_MAX_OFFSET"},
		{"ftrace-module", "a symbol at the record itself is passed over", ftrace, "if (syms->addr[mid] <= rec->ip)", "if (syms->addr[mid] < rec->ip)"},
		{"ftrace-module", "a symbol below the region counts", ftrace, "if (!low || syms->addr[low - 1] < base)", "if (!low)"},
		{"ftrace-module", "the array is taken to be one shorter", ftrace, "high = syms->num;", "high = syms->num - 1;"},
		{"ftrace-module", "addresses are not sorted", ftrace, "\tsort(syms->addr, num, sizeof(syms->addr[0]), ftrace_mod_syms_cmp, NULL);\n", ""},
		{"ftrace-module", "a failed allocation is written to", ftrace, "\tif (!syms)\n\t\treturn NULL;\n", ""},
		{"ftrace-module", "the array is never freed", ftrace, "*syms __free(kvfree) = ", "*syms = "},
		{"ftrace-module", "memory is taken for a module without records", ftrace, "\tif (!mod->num_ftrace_callsites)\n\t\treturn NULL;\n", ""},
		{"ftrace-module", "cached commands are lost where ftrace is disabled", ftrace, "\t\tprocess_cached_mods(mod->name);\n\t\treturn;", "\t\treturn;"},
		{"ftrace-module", "the table is read without protection", ftrace, "kallsyms = rcu_dereference_raw(mod->kallsyms);", "kallsyms = rcu_dereference(mod->kallsyms);"},
	},
}

// moduleModelFaults are faults in the model's mechanisms for modules, which
// TestModel seeds.
var moduleModelFaults = map[string][]modelFault{
	"model: module-index": {
		{"of several symbols at one value the last is found", "module_index.go", "cmp.Compare(b, a))", "cmp.Compare(a, b))"},
		{"undefined symbols are indexed", "module_index.go", "if i > 0 && s.Candidate() {", "if i > 0 && s.Name != \"\" && !IsMappingSymbol(s.Name) {"},
		{"a symbol below the region is found", "module_index.go", "value := x.value(t, m, low-1); value > b.bestVal {", "value := x.value(t, m, low-1); true {"},
		{"a symbol reaches out of its region", "module_index.go", "value := x.value(t, m, low); value < b.nextVal {", "value := x.value(t, m, low); true {"},
		{"the search goes through the index one by one", "module_index.go", "mid := low + (high-low)/2", "mid := low"},
		{"the index outlives its table", "module_design.go", "\tif d.module.State == Live {\n\t\treturn coreTable\n", "\tif d.module.State == Live {\n\t\treturn initTable\n"},
	},
	"model: module names": {
		{"undefined symbols are found", "module_names.go", "if sym.Name == name && !sym.Undefined() {", "if sym.Name == name {"},
		{"lines of the next module start one late", "module_names.go", "symnum -= len(table.Symbols)", "symnum -= len(table.Symbols) - 1"},
		{"a position beyond the last symbol is taken", "livepatch.go", "sympos > 0 && sympos != count", "sympos > 0 && sympos < count"},
		{"symbols of modules do not count beside those of vmlinux", "kprobe.go", "if k.VmlinuxFirst && count > 0 {", "if count > 0 {"},
	},
	"model: ftrace": {
		{"the last symbol of a name that can be traced is taken", "ftrace_lookup.go", "i < 0 || addrs[i] != 0 || ", "i < 0 || "},
		{"the single lookup takes what cannot be traced", "ftrace_single.go", "location != 0 {", "location != 0 || addr&1 == 0 {"},
		{"a record at the greatest offset is no longer valid", "ftrace_enable.go", "return ip-a[low-1] <= most, true", "return ip-a[low-1] < most, true"},
		{"the bits of both texts are the same", "ftrace_bitmap.go", "return text.Size + addr - init.Base, text.Size, true", "return addr - init.Base, 0, true"},
		{"a symbol a byte too far makes a record valid", "ftrace_bitmap.go", "closest = bit - most", "closest = bit - most - 1"},
		{"symbols that are passed over have bits", "ftrace_bitmap.go", "ok && i > 0 && s.Candidate()", "ok && i > 0"},
	},
	"model: module-scan": {
		{"a symbol at the address itself is passed over", "module_scan.go", "closer := value <= addr &&", "closer := value < addr &&"},
		{"the last of several symbols at one value is taken", "module_scan.go", "\tif value <= addr && value > b.bestVal {", "\tif value <= addr && value >= b.bestVal {"},
	},
}

func init() { maps.Copy(modelFaults, moduleModelFaults) }

// TestModules: every fault in the C of a series for modules is found by
// comparing it with the specification, and the code without the fault is not.
func TestModules(t *testing.T) {
	for _, group := range slices.Sorted(maps.Keys(moduleFaults)) {
		t.Run("sound/"+group, func(t *testing.T) {
			rep, err := agreeModules(t, edited(t, group))
			if err != nil {
				t.Fatal(err)
			}
			for _, f := range rep.Findings {
				t.Errorf("found without a fault: %v", f)
			}
		})
		for _, fault := range moduleFaults[group] {
			t.Run(group+"/"+fault.reason, func(t *testing.T) {
				f := edited(t, fault.series)
				text, err := f.ReadFile(fault.file)
				if err != nil {
					t.Fatal(err)
				}
				if n := strings.Count(string(text), fault.old); n != 1 {
					t.Fatalf("%s has %q %d times, expected once", fault.file, fault.old, n)
				}
				f.files = maps.Clone(f.files)
				f.files[fault.file] = []byte(strings.Replace(string(text), fault.old, fault.new, 1))
				rep, err := agreeModules(t, f)
				o := outcome{group: group, reason: fault.reason}
				switch {
				case errors.Is(err, harness.ErrCompile):
					t.Fatalf("the fault does not compile, which finds nothing: %v", err)
				case err != nil:
					t.Fatal(err)
				case len(rep.Findings) > 0:
					o.check, o.found = "agree", string(rep.Findings[0].Kind)
				default:
					t.Errorf("not found: %s", rep.Summary())
				}
				record(o)
			})
		}
	}
}

// agreeModules compares in the first variant. Few scenes do: one fault, one
// finding.
func agreeModules(t *testing.T, f faulty) (*modharness.Report, error) {
	t.Helper()
	return modharness.Agree(t.Context(), t.TempDir(), harness.Source{Patched: f, Base: f.base},
		modharness.Options{Seed: 1, Scenes: 150, Variants: modharness.Variants()[:1], Timeout: 3 * time.Second, Brief: true})
}
