// SPDX-License-Identifier: GPL-2.0-only

package model

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var enableDesigns = []EnableDesign{StockEnable, EnableV1, EnableV2, EnableBitmap}

func TestValidRec(t *testing.T) {
	four, zero := uint64(4), uint64(0)
	for _, c := range []struct {
		reason string
		most   *uint64
		ip     uint64
		want   bool
	}{
		{"at the start", &four, 0x1000, true},
		{"as far as it goes", &four, 0x1004, true},
		{"one byte further", &four, 0x1005, false},
		{"at the start, where nothing else counts", &zero, 0x1000, true},
		{"one byte further, where nothing else counts", &zero, 0x1001, false},
		{"no symbol", &four, 0x5000, false},
		{"no symbol, on an architecture without a limit", nil, 0x5000, true},
		{"in vmlinux", &four, 0x104, true},
		{"too far in vmlinux", &four, 0x105, false},
		{"in nothing", &four, 0x9000, false},
	} {
		k := kernelOf([]Symbol{{0x100, 't', "a"}}, moduleOf(fn("f", 0x1000)))
		k.Modules.Rules.MaxOffset = c.most
		if got := k.ValidRec(c.ip); got != c.want {
			t.Errorf("%s: %#x is %v", c.reason, c.ip, got)
		}
	}
}

// TestModuleEnable: every design of enabling a module gives the kernel's
// verdicts.
func TestModuleEnable(t *testing.T) {
	const n, d, e = NotReached, Disabled, Enabled
	for _, c := range []struct {
		reason  string
		symbols []ElfSymbol
		pages   [][]uint64
		want    [][]RecordVerdict
	}{
		{"at and behind starts", []ElfSymbol{fn("a", 0x1000), fn("b", 0x1010)},
			[][]uint64{{0x1000, 0x1004, 0x1005, 0x1010, 0x1015}}, [][]RecordVerdict{{e, e, d, e, d}}},
		{"symbols in disorder, aliases, labels", []ElfSymbol{fn("b", 0x1010), label("l", 0x1008), fn("a", 0x1000), fn("c", 0x1000)},
			[][]uint64{{0x1000, 0x100c, 0x1010}}, [][]RecordVerdict{{e, e, e}}},
		{"below every symbol of the region", []ElfSymbol{fn("a", 0x1010), fn("i", 0x5010)},
			[][]uint64{{0x1004, 0x5004}}, [][]RecordVerdict{{d, d}}},
		{"a symbol just below the region", []ElfSymbol{fn("a", 0x4ffe)},
			[][]uint64{{0x5000}}, [][]RecordVerdict{{d}}},
		{"init text", []ElfSymbol{fn("a", 0x1000), fn("i", 0x5000)},
			[][]uint64{{0x1004, 0x5004, 0x5005}}, [][]RecordVerdict{{e, e, d}}},
		{"data", []ElfSymbol{fn("a", 0x1000), object("d", 0x3000)},
			[][]uint64{{0x3000, 0x3005}}, [][]RecordVerdict{{e, d}}},
		{"no symbol at all", nil, [][]uint64{{0x1000}}, [][]RecordVerdict{{d}}},
		{"only what is passed over", []ElfSymbol{undef("u", 0x1000), label("$x", 0x1000), label("", 0x1000)},
			[][]uint64{{0x1000}}, [][]RecordVerdict{{d}}},
		{"pages of others are left at their first record", []ElfSymbol{fn("a", 0x1000)},
			[][]uint64{{0x100, 0x1000}, {0x1000, 0x9000, 0x1000}, {}, {0x1004}}, [][]RecordVerdict{{n, n}, {e, n, n}, {}, {e}}},
	} {
		for _, design := range enableDesigns {
			for _, memory := range []bool{true, false} {
				t.Run(fmt.Sprint(c.reason, design, memory), func(t *testing.T) {
					four := uint64(4)
					m := moduleOf(c.symbols...)
					m.Records = []uint64{0x1000}
					k := kernelOf([]Symbol{{0x100, 't', "core"}}, m)
					k.Modules.Rules.MaxOffset = &four
					if diff := cmp.Diff(c.want, k.ModuleEnable(m, c.pages)); diff != "" {
						t.Errorf("specified: %s", diff)
					}
					run := design.Run(k, m, c.pages, Conditions{NoMemory: !memory})
					if diff := cmp.Diff(c.want, run.Verdicts); diff != "" {
						t.Error(diff)
					}
					array := 8 + 8*len(m.Init.Symbols)
					if design == EnableBitmap {
						array = 2 * 0x1000 / 8 // a bit for each byte of two texts
					}
					if design == StockEnable || !memory {
						array = 0
					}
					if run.ArrayBytes != array {
						t.Errorf("%d bytes, expected %d", run.ArrayBytes, array)
					}
				})
			}
		}
	}
}

// TestEnableConditions shows in what the two versions of ftrace-module differ, and
// that ftrace-bitmap is as the second.
func TestEnableConditions(t *testing.T) {
	four := uint64(4)
	for _, c := range []struct {
		reason    string
		records   bool
		most      *uint64
		at        Conditions
		locked    [4]bool // stock, v1, v2, bitmap
		allocates [4]bool
		looks     bool
	}{
		{"a module with records", true, &four, Conditions{}, [4]bool{true, true, true, true}, [4]bool{false, true, true, true}, true},
		{"a module without records", false, &four, Conditions{}, [4]bool{true, true, true, true}, [4]bool{false, true, false, false}, true},
		{"ftrace is disabled", true, &four, Conditions{Disabled: true}, [4]bool{true, true, false, false}, [4]bool{}, false},
		{"ftrace is killed on the way", true, &four, Conditions{Killed: true}, [4]bool{true, true, true, true}, [4]bool{false, true, true, true}, false},
		{"no memory", true, &four, Conditions{NoMemory: true}, [4]bool{true, true, true, true}, [4]bool{}, true},
		{"no limit, so every record is valid", true, nil, Conditions{}, [4]bool{true, true, true, true}, [4]bool{}, true},
	} {
		for i, design := range enableDesigns {
			m := moduleOf(fn("a", 0x1000))
			var pages [][]uint64
			if c.records {
				m.Records = []uint64{0x1000}
				pages = [][]uint64{m.Records}
			}
			k := kernelOf(nil, m)
			k.Modules.Rules.MaxOffset = c.most
			run := design.Run(k, m, pages, c.at)
			if run.CachedMods != 1 {
				t.Errorf("%s: process_cached_mods() called %d times", c.reason, run.CachedMods)
			}
			if run.Locked != c.locked[i] || (run.ArrayBytes > 0) != c.allocates[i] || (run.Verdicts != nil) != c.looks {
				t.Errorf("%s, design %d: %+v; expected locked %v, allocates %v, looks at records %v",
					c.reason, design, run, c.locked[i], c.allocates[i], c.looks)
			}
		}
	}
}
