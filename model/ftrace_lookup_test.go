// SPDX-License-Identifier: GPL-2.0-only

package model

import (
	"errors"
	"fmt"
	"slices"
	"testing"
)

// kernelOf is vmlinux with text at 0x100 to 0x200, in which every function called
// *_traced has a record 4 bytes behind its start, and modules whose functions
// are traced alike.
func kernelOf(core []Symbol, modules ...*Module) *Kernel {
	traced := func(name string) bool {
		return len(name) > 7 && name[len(name)-7:] == "_traced"
	}
	k := &Kernel{
		Core:     &Spec{Symbols: core, Bounds: Bounds{Stext: 0x100, Etext: 0x200, End: 0x200}, Rules: Rules{AllSymbols: true}},
		Modules:  specOf(modules...),
		CallSize: 5,
	}
	for _, s := range core {
		if traced(s.Name) {
			k.Records = append(k.Records, s.Addr+4)
		}
	}
	for _, m := range modules {
		for _, s := range m.Init.Symbols {
			if traced(s.Name) {
				m.Records = append(m.Records, s.Value+4)
			}
		}
		slices.Sort(m.Records)
	}
	return k
}

func TestFtraceLocation(t *testing.T) {
	m := moduleOf(fn("m_traced", 0x1000), fn("n", 0x1010), fn("o_traced", 0x1020))
	k := kernelOf([]Symbol{{0x100, 't', "a_traced"}, {0x120, 't', "b"}, {0x130, 't', ""}}, m)
	for _, c := range []struct {
		reason   string
		ip, want uint64
	}{
		{"the first byte of a function", 0x100, 0x104},
		{"the record itself", 0x104, 0x104},
		{"the last byte of the call", 0x108, 0x104},
		{"behind the call", 0x109, 0},
		{"between the first byte and the call", 0x101, 0},
		{"a function without a record", 0x120, 0},
		{"a symbol without a name", 0x130, 0},
		{"a module's function", 0x1000, 0x1004},
		{"a module's function without a record", 0x1010, 0},
		{"another of the module's", 0x1020, 0x1024},
		{"no symbol", 0x5000, 0},
	} {
		if got := k.FtraceLocation(c.ip); got != c.want {
			t.Errorf("%s: %#x is at %#x, expected %#x", c.reason, c.ip, got, c.want)
		}
	}
}

func TestFtraceLookupSymbols(t *testing.T) {
	core := []Symbol{
		{0x100, 't', "dup_traced"}, {0x110, 't', "plain"}, {0x120, 't', "x_traced"}, {0x130, 't', "dup_traced"}, {0x140, 't', "half"},
	}
	m := moduleOf(fn("m_traced", 0x1000), fn("half", 0x1010), fn("x_traced", 0x1020), fn("m_traced", 0x1030), label("zero", 0), fn("zero", 0x1040))
	n := moduleOf(fn("zero", 0x7000))
	n.Name, n.Mem = "next", [NumMemories]Region{{0x7000, 0x1000}}
	k := kernelOf(core, m, n)
	// The first symbol called half has no record, the second one has; the same
	// with zero, where the first is at 0 in the first module.
	m.Records = append(m.Records, 0x1014, 0x1044)
	n.Records = []uint64{0x7004}
	slices.Sort(m.Records)

	for _, c := range []struct {
		reason string
		names  []string
		want   []uint64
		failed bool
		single []uint64 // where ftrace-single stores something else
		scans  bool     // though there is one name, ftrace-single does not find it at once
	}{
		{reason: "the first of duplicates, its start and not its record", names: []string{"dup_traced"}, want: []uint64{0x100}},
		{reason: "the first that can be traced, in a module", names: []string{"half"}, want: []uint64{0x1010}, scans: true},
		{reason: "in a module", names: []string{"m_traced"}, want: []uint64{0x1000}},
		{reason: "no record", names: []string{"plain"}, want: []uint64{0}, failed: true},
		{reason: "no symbol", names: []string{"nobody"}, want: []uint64{0}, failed: true},
		{reason: "several", names: []string{"dup_traced", "m_traced", "x_traced"}, want: []uint64{0x100, 0x1000, 0x120}},
		{reason: "what is found stays when something is missing", names: []string{"m_traced", "plain", "x_traced"}, want: []uint64{0x1000, 0, 0x120}, failed: true},
		{reason: "a name given twice is filled once, by the middle", names: []string{"m_traced", "x_traced", "x_traced"}, want: []uint64{0x1000, 0x120, 0}, failed: true},
		{reason: "no names", names: nil, want: nil, failed: true},
		{reason: "an empty name", names: []string{""}, want: []uint64{0}, failed: true},
		{reason: "a module's name before it", names: []string{"mod:m_traced"}, want: []uint64{0}, failed: true, single: []uint64{0x1000}},
		{reason: "and among several", names: []string{"mod:m_traced", "x_traced"}, want: []uint64{0, 0x120}, failed: true},
		{reason: "a first symbol at 0", names: []string{"zero"}, want: []uint64{0x1040}, single: []uint64{0x7000}},
	} {
		t.Run(c.reason, func(t *testing.T) {
			addrs := []uint64{9, 9, 9}[:len(c.names)] // what was there before does not count
			err := k.FtraceLookupSymbols(c.names, addrs)
			if !slices.Equal(addrs, c.want) || errors.Is(err, ErrNotAllFound) != c.failed {
				t.Errorf("%#x, %v; expected %#x, failed %v", addrs, err, c.want, c.failed)
			}
			want, failed := c.want, c.failed
			if c.single != nil {
				want, failed = c.single, false
			}
			visited, err := FtraceSingle{}.Lookup(k, c.names, addrs)
			if !slices.Equal(addrs, want) || errors.Is(err, ErrNotAllFound) != failed {
				t.Errorf("ftrace-single: %#x, %v; expected %#x, failed %v", addrs, err, want, failed)
			}
			fast := len(c.names) == 1 && !failed && !c.scans
			if (visited == 0) != fast {
				t.Errorf("ftrace-single went through %d symbols, expected none: %v", visited, fast)
			}
		})
	}
}

// TestFtraceSingleDraft: the draft stored the record.
func TestFtraceSingleDraft(t *testing.T) {
	k := kernelOf([]Symbol{{0x100, 't', "a_traced"}})
	for _, c := range []struct {
		draft bool
		want  uint64
	}{{false, 0x100}, {true, 0x104}} {
		addrs := make([]uint64, 1)
		if _, err := (FtraceSingle{StoreLocation: c.draft}).Lookup(k, []string{"a_traced"}, addrs); err != nil || addrs[0] != c.want {
			t.Errorf("draft %v: %#x, %v; expected %#x", c.draft, addrs[0], err, c.want)
		}
	}
}

// TestKernelBsearch: which of equal names is found follows from the probes.
func TestKernelBsearch(t *testing.T) {
	for n := range 9 {
		same := slices.Repeat([]string{"a"}, n)
		want := n / 2
		if n == 0 {
			want = -1
		}
		if got := kernelBsearch(same, "a"); got != want {
			t.Errorf("of %d equal names place %d, expected %d", n, got, want)
		}
		names := make([]string, n)
		for i := range names {
			names[i] = fmt.Sprint(2*i + 1)
		}
		for i := range 2*n + 2 {
			want := slices.Index(names, fmt.Sprint(i))
			if got := kernelBsearch(names, fmt.Sprint(i)); got != want && n <= 4 {
				t.Errorf("%d of %d is at %d, expected %d", i, n, got, want)
			}
		}
	}
}
