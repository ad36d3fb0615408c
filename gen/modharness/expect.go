// SPDX-License-Identifier: GPL-2.0-only

package modharness

import (
	"kgen/gen/harness"
	"kgen/model"
)

// Returned by the kernel's lookups.
const (
	esrch  = -3
	e2big  = -7
	erange = -34
)

const flagDisabled = 1 << 25 // FTRACE_FL_DISABLED

// recordsOnPage is how many records the child puts on a page.
const recordsOnPage = 170

// expectation is what the specification says to the queries of a child in its
// present state.
type expectation struct {
	kernel *model.Kernel
	single bool // ftrace_lookup_symbols() looks one name up first
	// quick finds the symbol around an address in large modules; every slow-th
	// time the specification does.
	quick map[*model.Module]*model.ModuleDesign
	count int
}

// slow is prime, so that the kinds of questions, which take turns, all come to be
// answered by the specification.
const slow = 61

// answer is the specification's to a query that changes nothing.
func (e *expectation) answer(q harness.Query) answer {
	var a answer
	spec := e.kernel.Modules
	switch q.Op {
	case addressLookup:
		return e.address(q.A)
	case symbolName:
		return e.symbolName(q.A)
	case kallsym:
		line, err := spec.Kallsym(int(q.A))
		a.put4(code(err, erange))
		a.put8(line.Addr)
		a.put4(int(line.Type))
		a.puts(line.Name)
		a.puts(line.Module)
	case lookupName:
		a.put8(spec.LookupName(q.Name))
	case findValue:
		mod, name := cutModule(q.Name)
		a.put8(spec.FindValue(e.module(mod), name))
	case onEachSymbol:
		return e.onEach(q)
	case ftraceLookup:
		return e.ftraceLookup(q)
	}
	return a
}

func code(err error, value int) int {
	if err == nil {
		return 0
	}
	return value
}

func cutModule(text string) (mod, name string) {
	for i := range text {
		if text[i] == ':' {
			return text[:i], text[i+1:]
		}
	}
	return text, ""
}

func (e *expectation) module(name string) *model.Module {
	for _, m := range e.kernel.Modules.Modules {
		if m.Name == name {
			return m
		}
	}
	return nil
}

// address answers module_address_lookup().
func (e *expectation) address(addr uint64) answer {
	if m, d := e.quickly(addr); d != nil {
		p, ok, _ := d.Find(addr)
		return place(m, p, ok)
	}
	m, p, ok := e.kernel.Modules.AddressLookup(addr)
	return place(m, p, ok)
}

// symbolName answers lookup_module_symbol_name().
func (e *expectation) symbolName(addr uint64) answer {
	var name string
	var err error
	if _, d := e.quickly(addr); d != nil {
		p, ok, _ := d.Find(addr)
		if name = p.Name[:min(len(p.Name), model.KsymNameLen-1)]; !ok {
			err = model.ErrRange
		}
	} else {
		name, err = e.kernel.Modules.LookupSymbolName(addr)
	}
	var a answer
	a.put4(code(err, erange))
	a.puts(name)
	return a
}

// quickly is the module that an address is in, with what finds its symbols
// quickly; nil where the specification is to find them.
func (e *expectation) quickly(addr uint64) (*model.Module, *model.ModuleDesign) {
	m := e.kernel.Modules.At(addr)
	if e.quick[m] == nil {
		return m, nil
	}
	if e.count++; e.count%slow == 0 {
		return m, nil
	}
	return m, e.quick[m]
}

// place is the answer of module_address_lookup() for a symbol that was found, or
// for none.
func place(m *model.Module, p model.ModulePlace, ok bool) answer {
	var a answer
	modname := ""
	if m != nil {
		modname = m.Name
	}
	if !ok {
		a.put4(0)
		a.put8(0)
		a.put8(0)
		a.puts(modname)
		a.puts("")
		return a
	}
	ret, name := len(p.Name), p.Name
	if ret >= model.KsymNameLen {
		ret, name = e2big, name[:model.KsymNameLen-1]
	}
	a.put4(ret)
	a.put8(p.Size)
	a.put8(p.Offset)
	a.puts(modname)
	a.puts(name)
	return a
}

func (e *expectation) onEach(q harness.Query) answer {
	var seen answer
	calls := uint64(0)
	ret := e.kernel.Modules.OnEachSymbol(q.Name, func(name string, addr uint64) int {
		seen.puts(name)
		seen.put8(addr)
		if calls++; calls == q.A {
			return 1
		}
		return 0
	})
	var a answer
	a.put4(int(calls))
	a = append(a, seen...)
	a.put4(ret)
	return a
}

func (e *expectation) ftraceLookup(q harness.Query) answer {
	names := lookupNames(q)
	addrs := make([]uint64, len(names))
	var err error
	if e.single {
		_, err = model.FtraceSingle{}.Lookup(e.kernel, names, addrs)
	} else {
		err = e.kernel.FtraceLookupSymbols(names, addrs)
	}
	var a answer
	a.put4(code(err, esrch))
	a.put4(len(addrs))
	for _, addr := range addrs {
		a.put8(addr)
	}
	return a
}

// verdicts are those on the records of a module, of a large one from quick, as
// for address.
func (e *expectation) verdicts(m *model.Module, pages [][]uint64) [][]model.RecordVerdict {
	d := e.quick[m]
	most := e.kernel.Modules.Rules.MaxOffset
	if d == nil || most == nil {
		return e.kernel.ModuleEnable(m, pages)
	}
	var all [][]model.RecordVerdict
	for i, page := range pages {
		if i%slow == 0 {
			all = append(all, e.kernel.ModuleEnable(m, pages[i:i+1])...)
			continue
		}
		verdicts := make([]model.RecordVerdict, len(page))
		for k, ip := range page {
			if !m.Contains(ip) {
				break
			}
			verdicts[k] = model.Disabled
			if p, ok, _ := d.Find(ip); ok && p.Offset <= *most {
				verdicts[k] = model.Enabled
			}
		}
		all = append(all, verdicts)
	}
	return all
}

// enable is the answer to ftraceEnable, and whether allocations count: a module
// without records needs none. Otherwise the child's own count is taken.
func (e *expectation) enable(q harness.Query, got answer) answer {
	m := e.module(q.Name)
	var pages [][]uint64
	for rest := m.Records; len(rest) > 0; {
		n := min(recordsOnPage, len(rest))
		pages = append(pages, rest[:n])
		rest = rest[n:]
	}
	rules := &e.kernel.Modules.Rules
	if most := rules.MaxOffset; most != nil {
		rules.MaxOffset = &q.B
		defer func() { rules.MaxOffset = most }()
	}
	var a answer
	a.put4(1)
	got.take4()
	allocations := got.take4()
	if len(m.Records) == 0 && m.State == model.Coming || q.A&disabled != 0 {
		allocations = 0
	}
	a.put4(allocations)
	a.put4(len(m.Records))
	for _, page := range e.verdicts(m, pages) {
		for _, v := range page {
			switch {
			case v != model.Enabled || q.A&disabled != 0:
				a.put4(flagDisabled)
			case q.A&tracing != 0:
				a.put4(1) // one tracer
			default:
				a.put4(0)
			}
		}
	}
	a.put4(0)
	return a
}
