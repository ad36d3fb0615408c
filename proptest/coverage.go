// SPDX-License-Identifier: GPL-2.0-only

package proptest

import (
	"fmt"
	"slices"
	"strings"

	"kgen/gen/symgen"
	"kgen/model"
)

// Coverage counts what the tables of a generator have reached, in named
// buckets.
type Coverage struct {
	reached map[string]int
}

// bucket is a kind of table, or of symbol, that generators should reach.
type bucket struct {
	name string
	has  func(v *view) bool
}

// view is a table with what the buckets ask of it.
type view struct {
	symbols []model.Symbol
	records []Record
	names   map[string]int
	addrs   map[uint64]int
	hashes  map[uint32]string
	twins   bool
}

// buckets lists everything that is counted.
var buckets = slices.Concat(
	sizeBuckets(0, 1, 2, 3, 255, 256, 257, 513),
	recordBuckets(2, 127, 128, 129, 255, 256, 381),
	addressBuckets(symgen.Edges...),
	[]bucket{
		{"name: empty", someSymbol(func(s model.Symbol) bool { return s.Name == "" })},
		{"name: one byte", someSymbol(func(s model.Symbol) bool { return len(s.Name) == 1 })},
		{"name: 100 bytes and more", someSymbol(func(s model.Symbol) bool { return len(s.Name) >= 100 })},
		{"name: the longest, 510 bytes", someSymbol(func(s model.Symbol) bool { return len(s.Name) == model.KsymNameLen-2 })},
		{"name: a byte of 0x80 and more", someSymbol(func(s model.Symbol) bool {
			return strings.ContainsFunc(s.Name, func(r rune) bool { return r >= 0x80 })
		})},
		{"name: LTO suffix", someSymbol(func(s model.Symbol) bool { return strings.Contains(s.Name, ".llvm.") })},
		{"name: provided by linker scripts", someSymbol(func(s model.Symbol) bool { return strings.HasPrefix(s.Name, "__start_") })},
		{"name: the start of another", func(v *view) bool {
			return someSymbol(func(s model.Symbol) bool {
				return len(s.Name) > 1 && v.names[s.Name[:len(s.Name)-1]] > 0
			})(v)
		}},
		{"two names with one hash", func(v *view) bool { return v.twins }},
		{"duplicates: 2", group(2, 2)},
		{"duplicates: 3 to 99", group(3, 99)},
		{"duplicates: 256 and more", group(256, 1<<24)},
		{"aliases: 2", alias(2, 2)},
		{"aliases: 3 and more", alias(3, 1<<24)},
		{"first token: the type alone", someRecord(func(r Record) bool { return len(r.First) == 1 && r.Tokens > 1 })},
		{"first token: type and one character", someRecord(func(r Record) bool { return len(r.First) == 2 })},
		{"first token: type and several characters", someRecord(func(r Record) bool { return len(r.First) > 3 })},
		{"first token: the whole symbol", someRecord(func(r Record) bool { return r.Tokens == 1 && r.Name != "" })},
		{"types: more than one", func(v *view) bool {
			return someSymbol(func(s model.Symbol) bool { return s.Type != v.symbols[0].Type })(v)
		}},
		{"type: weak", someSymbol(func(s model.Symbol) bool { return s.Type == 'w' || s.Type == 'W' })},
	},
)

func sizeBuckets(sizes ...int) (list []bucket) {
	for _, n := range sizes {
		list = append(list, bucket{fmt.Sprintf("size: %d symbols", n), func(v *view) bool { return len(v.symbols) == n }})
	}
	return list
}

func recordBuckets(lengths ...int) (list []bucket) {
	for _, n := range lengths {
		list = append(list, bucket{fmt.Sprintf("record: %d tokens", n), someRecord(func(r Record) bool { return r.Tokens == n })})
	}
	return list
}

func addressBuckets(addrs ...uint64) (list []bucket) {
	for _, addr := range addrs {
		list = append(list, bucket{fmt.Sprintf("address: %#x", addr), func(v *view) bool { return v.addrs[addr] > 0 }})
	}
	return list
}

func someSymbol(has func(s model.Symbol) bool) func(v *view) bool {
	return func(v *view) bool { return slices.ContainsFunc(v.symbols, has) }
}

func someRecord(has func(r Record) bool) func(v *view) bool {
	return func(v *view) bool { return slices.ContainsFunc(v.records, has) }
}

func group(low, high int) func(v *view) bool {
	return func(v *view) bool {
		for _, n := range v.names {
			if n >= low && n <= high {
				return true
			}
		}
		return false
	}
}

func alias(low, high int) func(v *view) bool {
	return func(v *view) bool {
		for _, n := range v.addrs {
			if n >= low && n <= high {
				return true
			}
		}
		return false
	}
}

// Add counts a table and the tables that it was encoded into.
func (c *Coverage) Add(t Table, encoded *model.Tables) error {
	records, err := Decode(encoded)
	if err != nil {
		return err
	}
	v := &view{symbols: t.Symbols, records: records,
		names: map[string]int{}, addrs: map[uint64]int{}, hashes: map[uint32]string{}}
	for _, s := range t.Symbols {
		v.names[s.Name]++
		v.addrs[s.Addr]++
		hash := FNV1a(s.Name)
		if other, met := v.hashes[hash]; met && other != s.Name {
			v.twins = true
		}
		v.hashes[hash] = s.Name
	}
	if c.reached == nil {
		c.reached = map[string]int{}
	}
	for _, b := range buckets {
		if b.has(v) {
			c.reached[b.name]++
		}
	}
	return nil
}

// Missed lists the buckets that no table has reached.
func (c *Coverage) Missed() (names []string) {
	for _, b := range buckets {
		if c.reached[b.name] == 0 {
			names = append(names, b.name)
		}
	}
	return names
}

// String is the report: for each bucket, how many tables have reached it.
func (c *Coverage) String() string {
	var b strings.Builder
	for _, bucket := range buckets {
		fmt.Fprintf(&b, "%6d  %s\n", c.reached[bucket.name], bucket.name)
	}
	return b.String()
}
