// SPDX-License-Identifier: GPL-2.0-only

package model

import (
	"bytes"
	"debug/elf"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"kgen/gen/realmap"
	"kgen/gen/realmap/realmaptest"
)

const kept = elf.SHF_ALLOC

// smallObject has a section of each kind, and in each one symbol.
func smallObject() *Object {
	section := func(name string, typ elf.SectionType, flags elf.SectionFlag) Section {
		return Section{Name: name, Type: typ, Flags: flags, Offset: 0x40, Size: 8, Align: 8}
	}
	o := &Object{Name: "small", EntrySize: elf.Sym64Size, Sections: []Section{
		{},
		section(".text", elf.SHT_PROGBITS, kept|elf.SHF_EXECINSTR),
		section(".init.text", elf.SHT_PROGBITS, kept|elf.SHF_EXECINSTR),
		section(".exit.text", elf.SHT_PROGBITS, kept|elf.SHF_EXECINSTR),
		section(".rodata", elf.SHT_PROGBITS, kept),
		section(".data", elf.SHT_PROGBITS, kept|elf.SHF_WRITE),
		section(".bss", elf.SHT_NOBITS, kept|elf.SHF_WRITE),
		section("__jump_table", elf.SHT_PROGBITS, kept|elf.SHF_WRITE),
		section(".data..percpu", elf.SHT_PROGBITS, kept|elf.SHF_WRITE),
		section(".init.data", elf.SHT_PROGBITS, kept|elf.SHF_WRITE),
		section(".init.rodata", elf.SHT_PROGBITS, kept),
		section(".modinfo", elf.SHT_PROGBITS, kept),
		section(".debug_info", elf.SHT_PROGBITS, 0),
		section(".comment", elf.SHT_PROGBITS, 0),
		section(".symtab", elf.SHT_SYMTAB, 0),
		section(".strtab", elf.SHT_STRTAB, 0),
	}, Symtab: 14, Strtab: 15, Symbols: []ElfSymbol{{}}}
	for i := 1; i < o.Symtab; i++ {
		o.Symbols = append(o.Symbols, ElfSymbol{Name: "in" + o.Sections[i].Name, Value: 4, Info: noTypeInfo, Shndx: uint16(i)})
	}
	o.Symbols = append(o.Symbols,
		ElfSymbol{Name: "printk", Info: elf.ST_INFO(elf.STB_GLOBAL, elf.STT_NOTYPE)},
		ElfSymbol{Name: "abs", Value: 7, Shndx: uint16(elf.SHN_ABS)},
		ElfSymbol{Name: "klp", Value: 9, Shndx: 0xff20}, // SHN_LIVEPATCH
		ElfSymbol{Name: "weakfn", Info: elf.ST_INFO(elf.STB_WEAK, elf.STT_FUNC), Shndx: 1},
		ElfSymbol{Name: "weakobj", Info: elf.ST_INFO(elf.STB_WEAK, elf.STT_OBJECT), Shndx: 5},
		ElfSymbol{Name: "", Info: elf.ST_INFO(elf.STB_LOCAL, elf.STT_SECTION), Shndx: 1},
	)
	return o
}

func lines(t *SymTable) []string {
	var list []string
	for i, s := range t.Symbols {
		list = append(list, fmt.Sprintf("%c %s", t.Types[i], s.Name))
	}
	return list
}

func TestLoadFilters(t *testing.T) {
	init := []string{
		"U ", "t in.text", "t in.init.text", "t in.exit.text", "r in.rodata", "d in.data", "b in.bss", "d in__jump_table",
		"a in.data..percpu", "d in.init.data", "r in.init.rodata", "? in.modinfo", "n in.debug_info", "? in.comment",
		"U printk", "a abs", "? klp", "w weakfn", "v weakobj", "t ",
	}
	for _, c := range []struct {
		reason    string
		all       bool
		livepatch bool
		core      []string
	}{
		{"code", false, false, []string{"U ", "t in.text", "t in.exit.text", "w weakfn"}},
		{"CONFIG_KALLSYMS_ALL keeps data and percpu", true, false, []string{"U ", "t in.text", "t in.exit.text", "r in.rodata",
			"d in.data", "b in.bss", "d in__jump_table", "a in.data..percpu", "w weakfn", "v weakobj"}},
		{"a livepatch keeps all", false, true, init},
	} {
		t.Run(c.reason, func(t *testing.T) {
			o := smallObject()
			o.Livepatch = c.livepatch
			m := o.Load(ModuleRules{AllSymbols: c.all})
			if diff := cmp.Diff(init, lines(&m.Init)); diff != "" {
				t.Errorf("init table: %s", diff)
			}
			if diff := cmp.Diff(c.core, lines(&m.Core)); diff != "" {
				t.Errorf("core table: %s", diff)
			}
		})
	}
}

func TestLoadPlaces(t *testing.T) {
	m := smallObject().Load(ModuleRules{AllSymbols: true})
	where := map[string]string{}
	for _, s := range m.Init.Symbols {
		for mem, region := range m.Mem {
			if region.Contains(s.Value) {
				where[s.Name] = fmt.Sprintf("%v+%d", Memory(mem), s.Value-region.Base)
			}
		}
	}
	want := map[string]string{
		"in.text": "text+4", "in.exit.text": "text+12", "weakfn": "text+0", "": "text+0",
		"in.rodata": "rodata+4",
		"in.data":   "data+4", "weakobj": "data+0", "in.bss": "data+12",
		"in__jump_table": "ro_after_init+4",
		"in.init.text":   "init_text+4", "in.init.data": "init_data+4", "in.init.rodata": "init_rodata+4",
	}
	if diff := cmp.Diff(want, where); diff != "" {
		t.Error(diff)
	}
	for i, s := range m.Init.Symbols {
		if want, ok := map[string]uint64{
			"in.data..percpu": PercpuBase + 4, "in.modinfo": ImageBase + 0x44, "abs": 7, "klp": 9, "printk": 0,
		}[s.Name]; ok && s.Value != want {
			t.Errorf("symbol %d, %s: at %#x, expected %#x", i, s.Name, s.Value, want)
		}
	}
	// Behind the sections of the data lie 10 symbols, their names and types.
	data := m.Mem[ModData]
	if data.Size != modulePage || m.Mem[ModText].Base != ModuleBase || data.Base != ModuleBase+modulePage {
		t.Errorf("regions %+v", m.Mem)
	}
}

// TestRealModules: what is made of each real module is what nm and readelf say
// of its file.
func TestRealModules(t *testing.T) {
	for _, f := range realmap.Modules {
		t.Run(f.Name(), func(t *testing.T) {
			o := readObject(t, f)
			m := o.Load(ModuleRules{AllSymbols: true})
			if want := strings.ReplaceAll(f.Name(), "-", "_"); o.Name != want || o.Livepatch {
				t.Errorf("called %q, livepatch %v; expected %q", o.Name, o.Livepatch, want)
			}
			checkLetters(t, m, realmaptest.Path(t, f))
			checkListing(t, o, realmaptest.Path(t, f))
			checkExports(t, m, realmaptest.Path(t, f))
			for i, s := range m.Core.Symbols[1:] {
				if section := o.Sections[s.Shndx]; strings.HasPrefix(section.Name, ".init") || section.Flags&kept == 0 || s.Name == "" {
					t.Fatalf("core symbol %d: %+v of %s", i+1, s, section.Name)
				}
			}
			if !slices.IsSorted(m.Records) || len(m.Records) != len(o.CallSites) {
				t.Errorf("%d records of %d call sites, sorted %v", len(m.Records), len(o.CallSites), slices.IsSorted(m.Records))
			}
			for _, ip := range m.Records {
				if !m.Mem[ModText].Contains(ip) && !m.Mem[ModInitText].Contains(ip) {
					t.Fatalf("a record at %#x, outside of text", ip)
				}
			}
		})
	}
}

// checkLetters holds the letters of the init table against nm's. nm tells
// percpu variables and odd sections of data otherwise, and does not see what the
// loader takes out of memory.
func checkLetters(t *testing.T, m *Module, path string) {
	t.Helper()
	out, err := exec.Command("nm", "-p", path).Output()
	if err != nil {
		t.Fatalf("nm -p %s: %v; install binutils", path, err)
	}
	var letters []byte
	for line := range strings.Lines(string(out)) {
		letters = append(letters, line[17]|0x20)
	}
	n := 0
	for i, s := range m.Init.Symbols {
		if typ := elf.ST_TYPE(s.Info); i == 0 || typ == elf.STT_SECTION || typ == elf.STT_FILE {
			continue
		}
		if n >= len(letters) {
			t.Fatalf("nm lists %d symbols, fewer than the module has", len(letters))
		}
		got, want := m.Init.Types[i]|0x20, letters[n]
		loaded := m.Contains(s.Value) || s.Undefined()
		if loaded && got != want {
			t.Errorf("symbol %d, %s: %c, nm says %c", i, s.Name, got, want)
		}
		n++
	}
}

func checkListing(t *testing.T, o *Object, path string) {
	t.Helper()
	out, err := exec.Command("readelf", "-sW", path).Output()
	if err != nil {
		t.Fatalf("readelf -sW %s: %v; install binutils", path, err)
	}
	symbols, sections, err := ReadReadelf(bytes.NewReader(out))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(o.Symbols, symbols); diff != "" {
		t.Errorf("readelf lists otherwise: %.2000s", diff)
	}
	for i, name := range sections {
		if o.Sections[i].Name != name {
			t.Errorf("section %d is %s, listed as %s", i, o.Sections[i].Name, name)
		}
	}
}

// checkExports holds the capitals of the init table against what the relocations of
// __ksymtab fill in as values. An entry has three, of four bytes each, the value first.
func checkExports(t *testing.T, m *Module, path string) {
	t.Helper()
	f, err := elf.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	symbols, err := f.Symbols()
	if err != nil {
		t.Fatal(err)
	}
	var want, got []string
	if s := f.Section(".rela__ksymtab"); s != nil {
		relocations := make([]elf.Rela64, s.Size/24)
		if err := binary.Read(s.Open(), f.ByteOrder, relocations); err != nil {
			t.Fatal(err)
		}
		for _, r := range relocations {
			if r.Off%12 == 0 {
				want = append(want, symbols[elf.R_SYM64(r.Info)-1].Name)
			}
		}
	}
	for i, s := range m.Init.Symbols {
		if letter := m.Letter(i); letter == strings.ToUpper(letter) && letter != "?" {
			got = append(got, s.Name)
		}
	}
	slices.Sort(want)
	slices.Sort(got)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("capitals (-the exported names +those shown so): %.2000s", diff)
	}
}

// A static symbol that is called like an exported one is another one.
func TestExportsAreGlobal(t *testing.T) {
	global := fn("f", 0x1010)
	global.Info = elf.ST_INFO(elf.STB_GLOBAL, elf.STT_FUNC)
	m := moduleOf(fn("f", 0x1000), global, undef("g", 0))
	m.Init.Types, m.Core.Types = []byte("UttU"), []byte("UttU")
	m.Exports = map[string]bool{"f": true, "g": true}
	var got string
	for i := range m.Init.Types {
		got += m.Letter(i)
	}
	if want := "utTu"; got != want {
		t.Errorf("%s, expected %s", got, want)
	}
}

// TestArm64Module reads what a compiler for arm64 makes: call sites in another
// section, a weak function that nobody defines, mapping symbols.
func TestArm64Module(t *testing.T) {
	dir := t.TempDir()
	source := `
static int __attribute__((section(".init.text"))) setup(void) { return 1; }
static int twice(void) { return 2; }
extern int missing(void) __attribute__((weak));
int run(void) { return twice() + (missing ? missing() : 0); }
int (*const table[])(void) = { setup, run };
`
	join := "SECTIONS { __patchable_function_entries : { *(__patchable_function_entries) } }"
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	object, module := filepath.Join(dir, "t.o"), filepath.Join(dir, "t.ko")
	for _, args := range [][]string{
		{"clang", "--target=aarch64-linux-gnu", "-O0", "-fpatchable-function-entry=2", "-c", write("t.c", source), "-o", object},
		{"aarch64-linux-gnu-ld", "-r", "-T", write("t.lds", join), object, "-o", module},
	} {
		if out, err := exec.Command(args[0], args[1:]...).CombinedOutput(); err != nil {
			t.Fatalf("%v: %v; install clang and binutils-aarch64-linux-gnu\n%s", args, err, out)
		}
	}
	f, err := os.Open(module)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	o, err := ReadModule(f)
	if err != nil {
		t.Fatal(err)
	}
	m := o.Load(ModuleRules{})
	s := specOf(m)
	var names []string
	for _, ip := range m.Records {
		_, place, _ := s.AddressLookup(ip)
		names = append(names, fmt.Sprintf("%s+%d", place.Name, place.Offset))
	}
	// Sorted by address: twice comes first in .text, setup is in init text.
	if want := []string{"run+0", "twice+0", "setup+0"}; !slices.Equal(names, want) && !slices.Equal(names, []string{"twice+0", "run+0", "setup+0"}) {
		t.Errorf("records at %v, expected %v in either order of text", names, want)
	}
	if !slices.ContainsFunc(o.Symbols, func(s ElfSymbol) bool { return strings.HasPrefix(s.Name, "$x") }) {
		t.Error("no mapping symbol to pass over")
	}
}

func TestReadModuleRefuses(t *testing.T) {
	self, err := os.Open("/proc/self/exe")
	if err != nil {
		t.Fatal(err)
	}
	defer self.Close()
	for _, c := range []struct {
		reason string
		file   interface {
			ReadAt([]byte, int64) (int, error)
		}
		want string
	}{
		{"no ELF file", strings.NewReader("ffff T x\n"), "expected a whole .ko file, not compressed"},
		{"a program", self, "expected a relocatable ELF file, found ET_EXEC"},
	} {
		if _, err := ReadModule(c.file); !errors.Is(err, ErrModule) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v; expected %q", c.reason, err, c.want)
		}
	}
}
