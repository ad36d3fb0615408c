// SPDX-License-Identifier: GPL-2.0-only

package model

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const listingHead = `
Symbol table '.dynsym' contains 1 entry:
   Num:    Value          Size Type    Bind   Vis      Ndx Name
     0: 0000000000000000     0 NOTYPE  LOCAL  DEFAULT  UND 

Symbol table '.symtab' contains %d entries:
   Num:    Value          Size Type    Bind   Vis      Ndx Name
     0: 0000000000000000     0 NOTYPE  LOCAL  DEFAULT  UND 
`

func TestReadReadelf(t *testing.T) {
	text := fmt.Sprintf(listingHead, 6) +
		`     1: 0000000000000000     0 SECTION LOCAL  DEFAULT    1 .text
     2: 0000000000000010 0x186a0 FUNC    GLOBAL DEFAULT    1 big
     3: 0000000000000020     4 FUNC    WEAK   HIDDEN  [VARIANT_PCS]     1 odd name
     4: 0000000000000000     0 NOTYPE  GLOBAL DEFAULT   OS [0xff20] .klp.sym.vmlinux.f,1
     5: 0000000000000003     0 FILE    LOCAL  DEFAULT  ABS t.c
`
	symbols, sections, err := ReadReadelf(strings.NewReader(text))
	want := []ElfSymbol{
		{}, {Info: 3, Shndx: 1}, {Name: "big", Value: 0x10, Size: 100000, Info: 0x12, Shndx: 1},
		{Name: "odd name", Value: 0x20, Size: 4, Info: 0x22, Other: 2, Shndx: 1},
		{Name: ".klp.sym.vmlinux.f,1", Info: 0x10, Shndx: 0xff20}, {Name: "t.c", Value: 3, Info: 4, Shndx: 0xfff1},
	}
	if err != nil || sections[1] != ".text" {
		t.Fatalf("sections %v, %v", sections, err)
	}
	if diff := cmp.Diff(want, symbols); diff != "" {
		t.Error(diff)
	}
}

func TestReadReadelfRefuses(t *testing.T) {
	entry := func(line string) string { return fmt.Sprintf(listingHead, 2) + line }
	for _, c := range []struct{ reason, text, want string }{
		{"nothing", "", "expected a .symtab with entries, found none up to line 0"},
		{"a symbol map", "ffffffff81000000 T _text\n", "found none up to line 1"},
		{"no count", "Symbol table '.symtab' contains many entries:\n", `line 1: expected a count of entries, found "many entries:"`},
		{"an entry is missing", fmt.Sprintf(listingHead, 2), "line 8: expected a .symtab of 2 entries, found 1"},
		{"out of order", entry("     2: 0 0 FUNC LOCAL DEFAULT 1 a\n"), "line 9: expected entry 1"},
		{"an empty table", "Symbol table '.symtab' contains 0 entries:\n", "found none"},
		{"a name cut by readelf -s", entry("     1: 0 0 FUNC LOCAL DEFAULT 1 long_na[...]\n"), "line 9: expected a whole name, which readelf shows with -W"},
		{"cut off", entry("     1: 0000\n"), "line 9: expected a size"},
		{"value", entry("     1: xyz 0 FUNC LOCAL DEFAULT 1 a\n"), "line 9: expected a hexadecimal value"},
		{"size", entry("     1: 0 zz FUNC LOCAL DEFAULT 1 a\n"), "line 9: expected a size"},
		{"type", entry("     1: 0 0 FUN LOCAL DEFAULT 1 a\n"), "line 9: expected a symbol type"},
		{"binding", entry("     1: 0 0 FUNC LOCA DEFAULT 1 a\n"), "line 9: expected a symbol binding"},
		{"visibility", entry("     1: 0 0 FUNC LOCAL NONE 1 a\n"), "line 9: expected a symbol visibility"},
		{"section", entry("     1: 0 0 FUNC LOCAL DEFAULT one a\n"), "line 9: expected a section index"},
		{"reserved section", entry("     1: 0 0 FUNC LOCAL DEFAULT OS [0xyz] a\n"), "line 9: expected a reserved section index"},
		{"an endless line", entry(strings.Repeat("x", blockSize+1)), "after line 8: bufio.Scanner: token too long"},
	} {
		t.Run(c.reason, func(t *testing.T) {
			_, _, err := ReadReadelf(strings.NewReader(c.text))
			if !errors.Is(err, ErrReadelf) || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "\n") {
				t.Errorf("%v; expected %q", err, c.want)
			}
		})
	}
}

// TestListedObject: a listing gives addresses the names that the file gives them.
func TestListedObject(t *testing.T) {
	o := smallObject()
	o.Symbols[1].Info = funcInfo // in .text
	names := map[int]string{}
	for i, s := range o.Sections {
		names[i] = s.Name
	}
	m := ListedObject(o.Symbols, names).Load(ModuleRules{AllSymbols: true})
	whole := smallObject().Load(ModuleRules{AllSymbols: true})
	for i, s := range m.Init.Symbols {
		var in, wantIn Memory = -1, -1
		for mem := range m.Mem {
			if m.Mem[mem].Contains(s.Value) {
				in = Memory(mem)
			}
			if whole.Mem[mem].Contains(whole.Init.Symbols[i].Value) {
				wantIn = Memory(mem)
			}
		}
		// Whether debug sections are loaded a listing does not tell.
		if in != wantIn && !strings.HasPrefix(s.Name, "in.debug") && !strings.HasPrefix(s.Name, "in.comment") {
			t.Errorf("%s is in region %d, expected %d", s.Name, in, wantIn)
		}
	}
	at := ModuleAt("m", []ElfSymbol{{}, fn("a", 0x1000), object("b", 0x1010)}, Region{0x1000, 0x100})
	if got := string(at.Init.Types); got != "Ut?" {
		t.Errorf("types %s, expected Ut?", got)
	}
	if _, place, ok := specOf(at).AddressLookup(0x10ff); !ok || place.Name != "b" || place.Size != 0xf0 {
		t.Errorf("at the region's end: %+v, %v; expected b", place, ok)
	}
}
