// SPDX-License-Identifier: GPL-2.0-only

package proptest

import (
	"debug/elf"
	"fmt"
	"math/rand"
	"os"
	"slices"
	"sync"

	"github.com/leanovate/gopter"

	"kgen/gen/realmap"
	"kgen/model"
)

// moduleCase is a module in memory, as a list of symbols and which of them the
// core table keeps. The null symbol is not in the list.
type moduleCase struct {
	symbols   []model.ElfSymbol
	core      []bool
	mem       [model.NumMemories]model.Region
	livepatch bool
}

// module makes the module of it, coming or live.
func (c moduleCase) module(state model.ModuleState) *model.Module {
	m := &model.Module{Name: "mod", State: model.Coming, Livepatch: c.livepatch, Mem: c.mem}
	add := func(t *model.SymTable, s model.ElfSymbol) {
		t.Symbols = append(t.Symbols, s)
		t.Types = append(t.Types, "abdrtvw?"[len(s.Name)%8])
	}
	add(&m.Init, model.ElfSymbol{})
	add(&m.Core, model.ElfSymbol{})
	for i, s := range c.symbols {
		add(&m.Init, s)
		if c.core[i] || c.livepatch {
			add(&m.Core, s)
		}
	}
	if state == model.Live {
		m.EndInit()
	}
	return m
}

// hardModules generates modules of what could go wrong: few addresses, so that
// aliases abound, at the edges of regions and outside of them; few names; every
// kind of symbol that is passed over.
func hardModules() gopter.Gen {
	return func(params *gopter.GenParameters) *gopter.GenResult {
		return gopter.NewGenResult(hardModule(params.Rng), shrinkModule)
	}
}

func hardModule(rng *rand.Rand) moduleCase {
	c := moduleCase{livepatch: rng.Intn(8) == 0}
	base := uint64(0x10000)
	for mem := range c.mem {
		if rng.Intn(4) > 0 {
			c.mem[mem] = model.Region{Base: base, Size: 1 + uint64(rng.Intn(0x40))}
			base += c.mem[mem].Size
		}
		base += uint64(rng.Intn(2) * rng.Intn(0x20)) // often no gap: one region's end is another's start
	}
	var hot []uint64
	for _, region := range c.mem {
		hot = append(hot, region.Base, region.Base+region.Size, region.Base-1, region.Base+region.Size/2)
	}
	hot = append(hot, 0, 1, ^uint64(0))
	names := []string{"", "a", "b", "ab", "$x", "$d.1", ".L1", "L0\x01", "L0_reset", "L1", "mod:a", "twice", "both", "vm"}
	infos := []byte{
		elf.ST_INFO(elf.STB_LOCAL, elf.STT_FUNC), elf.ST_INFO(elf.STB_GLOBAL, elf.STT_FUNC), elf.ST_INFO(elf.STB_WEAK, elf.STT_FUNC),
		elf.ST_INFO(elf.STB_LOCAL, elf.STT_NOTYPE), elf.ST_INFO(elf.STB_LOCAL, elf.STT_OBJECT), elf.ST_INFO(elf.STB_LOCAL, elf.STT_SECTION),
	}
	sections := []uint16{0, 1, 1, 1, 1, 1, 2, uint16(elf.SHN_ABS), 0xff20}
	onlyFunctions := rng.Intn(3) == 0
	for range hardModuleSize(rng) {
		s := model.ElfSymbol{Name: names[rng.Intn(len(names))], Shndx: sections[rng.Intn(len(sections))], Size: uint64(rng.Intn(3))}
		s.Value = hot[rng.Intn(len(hot))] + uint64(rng.Intn(3)*rng.Intn(0x10))
		s.Info = infos[rng.Intn(len(infos))]
		if onlyFunctions {
			s.Info = infos[0]
		}
		if rng.Intn(3) == 0 {
			s.Name = fmt.Sprint("f", rng.Intn(50))
		}
		c.symbols, c.core = append(c.symbols, s), append(c.core, rng.Intn(3) > 0)
	}
	return c
}

func hardModuleSize(rng *rand.Rand) int {
	if rng.Intn(5) == 0 {
		return rng.Intn(200)
	}
	return rng.Intn(12)
}

// fittedModules generates runs of symbols of real modules, with the regions of
// those.
func fittedModules() gopter.Gen {
	return func(params *gopter.GenParameters) *gopter.GenResult {
		rng := params.Rng
		real := realModules()[rng.Intn(len(realModules()))]
		c := moduleCase{mem: real.mem}
		for n := 1 + rng.Intn(4); n > 0; n-- {
			start := rng.Intn(len(real.symbols))
			end := min(len(real.symbols), start+1+rng.Intn(40))
			c.symbols = append(c.symbols, real.symbols[start:end]...)
			c.core = append(c.core, real.core[start:end]...)
		}
		return gopter.NewGenResult(c, shrinkModule)
	}
}

// realModules are the modules of a distribution's kernel.
var realModules = sync.OnceValue(func() []moduleCase {
	var cases []moduleCase
	for _, f := range realmap.Modules {
		m, err := loadReal(f)
		if err != nil {
			panic(err) // as a complaint of the law that asked
		}
		kept := map[model.ElfSymbol]bool{}
		for _, s := range m.Core.Symbols {
			kept[s] = true
		}
		c := moduleCase{mem: m.Mem, symbols: m.Init.Symbols[1:]}
		for _, s := range c.symbols {
			c.core = append(c.core, kept[s])
		}
		cases = append(cases, c)
	}
	return cases
})

func loadReal(f realmap.File) (*model.Module, error) {
	path, err := f.Path()
	if err != nil {
		return nil, err
	}
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	o, err := model.ReadModule(file)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return o.Load(model.ModuleRules{AllSymbols: true}), nil
}

// shrinkModule leaves out runs of symbols, the longest first, then makes the
// module an ordinary one, then each symbol a plain function.
func shrinkModule(v any) gopter.Shrink {
	c := v.(moduleCase)
	n := len(c.symbols)
	var tries []moduleCase
	for size := (n + 1) / 2; size > 0; size /= 2 {
		for at := 0; at < n; at += size {
			end := min(at+size, n)
			try := c
			try.symbols = slices.Concat(c.symbols[:at], c.symbols[end:])
			try.core = slices.Concat(c.core[:at], c.core[end:])
			tries = append(tries, try)
		}
	}
	if c.livepatch {
		try := c
		try.livepatch = false
		tries = append(tries, try)
	}
	for i, s := range c.symbols {
		plain := model.ElfSymbol{Name: "a", Value: s.Value, Info: byte(elf.STT_FUNC), Shndx: 1}
		if s != plain {
			try := c
			try.symbols = slices.Clone(c.symbols)
			try.symbols[i] = plain
			tries = append(tries, try)
		}
	}
	return func() (any, bool) {
		if len(tries) == 0 {
			return nil, false
		}
		try := tries[0]
		tries = tries[1:]
		return try, true
	}
}
