// SPDX-License-Identifier: GPL-2.0-only

package gomodel

import (
	"encoding/json"
	"fmt"
	"math/rand"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"kgen/model"
)

// TestGenerated runs every design's own test, and compares its tables and its
// counted costs with those of the mechanisms in kgen's model: the two are
// written apart.
func TestGenerated(t *testing.T) {
	t.Parallel()
	all := designs()
	dir := emitAll(t, all)
	symbols := someSymbols()
	data, err := json.Marshal(symbols)
	if err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(dir, "symbols.json"), data)
	for _, s := range all {
		write(t, filepath.Join(dir, s.Name, "answers_test.go"), []byte(answersTest))
	}
	if out, err := run(t, dir, "vet", "./..."); err != nil {
		t.Fatalf("go vet: %v\n%s", err, out)
	}
	if out, err := run(t, dir, append(goTest, "./...")...); err != nil {
		t.Fatalf("go test: %v\n%s", err, out)
	}
	for _, s := range all {
		compareAnswers(t, filepath.Join(dir, s.Name, "answers.json"), s, symbols)
	}
}

// answers are what a generated package says of the symbols.
type answers struct {
	Names, TokenTable []byte
	TokenIndex        [256]uint16
	Bytes             int
	Offsets           []int
	Ranges            map[string][6]int // start, end, found, comparisons, hops, tokens
}

const answersTest = `package model

import (
	"encoding/json"
	"os"
	"testing"
)

func TestAnswers(tt *testing.T) {
	data, err := os.ReadFile("../symbols.json")
	if err != nil {
		tt.Fatal(err)
	}
	var symbols []Symbol
	if err := json.Unmarshal(data, &symbols); err != nil {
		tt.Fatal(err)
	}
	t, err := Encode(symbols)
	if err != nil {
		tt.Fatal(err)
	}
	ranges := map[string][6]int{}
	for _, s := range symbols {
		for _, name := range []string{s.Name, s.Name + "_"} {
			var c Cost
			start, end, ok := t.lookupNames(name, &c)
			found := 0
			if ok {
				found = 1
			}
			ranges[name] = [6]int{start, end, found, c.Probes + c.Neighbours, c.Hops, c.Tokens}
		}
	}
	var offsets []int
	for pos := range symbols {
		offsets = append(offsets, t.symbolOffset(pos, new(Cost)))
	}
	data, err = json.Marshal(map[string]any{"Names": t.Names, "TokenTable": t.TokenTable, "TokenIndex": t.TokenIndex,
		"Bytes": t.Bytes(), "Offsets": offsets, "Ranges": ranges})
	if err != nil {
		tt.Fatal(err)
	}
	if err := os.WriteFile("answers.json", data, 0o666); err != nil {
		tt.Fatal(err)
	}
}
`

func compareAnswers(t *testing.T, name string, s Series, symbols []model.Symbol) {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	var got answers
	if err := json.Unmarshal(data, &got); err != nil {
		t.Fatal(err)
	}
	tables, d := kgenDesign(t, s, symbols)
	if !slices.Equal(got.Names, tables.Names) || !slices.Equal(got.TokenTable, tables.TokenTable) || got.TokenIndex != tables.TokenIndex {
		t.Errorf("%s: stream or tokens differ from kgen's", s.Name)
	}
	n := len(symbols)
	stock := 3*n + model.MarkerBytes(n, model.StockMarkerShift)
	if want := stock + d.Space().TableBytes; got.Bytes != want {
		t.Errorf("%s: tables have %d bytes, expected %d", s.Name, got.Bytes, want)
	}
	for pos, off := range got.Offsets {
		if want, _ := d.SymbolOffset(pos); off != want {
			t.Fatalf("%s: symbol %d is at %d, expected %d", s.Name, pos, off, want)
		}
	}
	for name, g := range got.Ranges {
		start, end, ok, cost := d.NamesRange(name)
		found := 0
		if ok {
			found = 1
		}
		want := [6]int{start, end, found, cost.Probes, cost.Hops, cost.Tokens}
		if g != want {
			t.Fatalf("%s: %q gives start, end, found, comparisons, hops, tokens %v, expected %v", s.Name, name, g, want)
		}
	}
}

// kgenDesign is the same design in kgen's model.
func kgenDesign(t *testing.T, s Series, symbols []model.Symbol) (*model.Tables, *model.Design) {
	t.Helper()
	tables, err := model.Encode(symbols, model.EncodeOptions{MarkerShift: model.StockMarkerShift})
	if err != nil {
		t.Fatal(err)
	}
	words := slices.DeleteFunc(slices.Clone(s.Mechanisms), func(word string) bool { return word == "perf-test" })
	choice, err := model.Choose(words, model.Params{
		Shift:       uint(s.Params["shift"]),
		BucketShift: uint(s.Params["bucket-shift"]),
		StartBits:   uint(s.Params["start-bits"]),
	})
	if err != nil {
		t.Fatal(err)
	}
	d, err := model.NewDesign(tables, choice)
	if err != nil {
		t.Fatal(err)
	}
	return tables, d
}

// someSymbols are names as kernels have them, enough for three marker blocks
// and all 256 codes.
func someSymbols() []model.Symbol {
	r := rand.New(rand.NewSource(7))
	parts := strings.Fields("init exit probe remove irq cpu mm page alloc free lock unlock get put dev net tcp udp sock ext4 xfs nfs drm kvm pci usb")
	var symbols []model.Symbol
	addr := uint64(0xffffffff81000000)
	for i := range 700 {
		words := []string{parts[r.Intn(len(parts))]}
		for range r.Intn(4) {
			words = append(words, parts[r.Intn(len(parts))])
		}
		name := strings.Join(words, "_")
		if r.Intn(10) == 0 {
			name += fmt.Sprintf(".cold.%d", i%7)
		}
		symbols = append(symbols, model.Symbol{Addr: addr, Type: "tTdDrW"[r.Intn(6)], Name: name})
		addr += uint64(r.Intn(3)) * 16
	}
	return symbols
}
