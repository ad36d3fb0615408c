// SPDX-License-Identifier: GPL-2.0-only

package proptest

import (
	"errors"
	"fmt"
	"math/rand"
	"slices"
	"strings"
	"testing"

	"kgen/gen/symgen"
	"kgen/model"
)

// TestLTOSuffixesAreCut: under 6.1's rule a table is looked up as if what starts
// with ".llvm." were not in its names, and a whole name is not found.
func TestLTOSuffixesAreCut(t *testing.T) {
	hold(t, func(t Table, pick int64) string {
		r := rand.New(rand.NewSource(pick))
		suffixed, cut := t.clone(), t.clone()
		for i := range suffixed.Symbols {
			name, _, _ := strings.Cut(suffixed.Symbols[i].Name, ".llvm.")
			cut.Symbols[i].Name = name
			if r.Intn(2) == 0 && !strings.HasSuffix(name, ".llvm") { // its last dot would begin the suffix
				suffixed.Symbols[i].Name = fmt.Sprintf("%s.llvm.%d.llvm.x", name, r.Intn(3))
			}
		}
		spec := &model.Spec{Symbols: suffixed.Symbols, Bounds: t.Bounds(), Rules: model.Rules{AllSymbols: true, LTOSuffixes: true}}
		want := &model.Spec{Symbols: cut.Symbols, Bounds: t.Bounds(), Rules: model.Rules{AllSymbols: true}}
		for _, name := range some(append(Names(cut.Symbols), Names(suffixed.Symbols)...), mostNames) {
			gotStart, gotEnd, gotErr := spec.NameRange(name)
			start, end, err := want.NameRange(name)
			if spec.LookupName(name) != want.LookupName(name) || !slices.Equal(spec.Matches(name), want.Matches(name)) ||
				gotStart != start || gotEnd != end || (gotErr == nil) != (err == nil) {
				return fmt.Sprintf("%q: %#x in places %d to %d, expected %#x in %d to %d of\n%v",
					name, spec.Matches(name), gotStart, gotEnd, want.Matches(name), start, end, cut)
			}
		}
		for _, addr := range some(Addresses(t.Symbols), mostNames) {
			got, gotOK := spec.LookupSymbolName(addr)
			if name, ok := want.LookupSymbolName(addr); got != name || gotOK != ok {
				return fmt.Sprintf("%#x: %q, expected %q", addr, got, name)
			}
		}
		return ""
	})
}

// TestNamesThatBreakTheText: a name with a byte that ends the string or the line of
// the assembler, or hides its end, is refused wherever the byte stands; the same
// name with another byte there is not.
func TestNamesThatBreakTheText(t *testing.T) {
	hold(t, func(t Table, pick int64) string {
		if len(t.Symbols) == 0 {
			return ""
		}
		r := rand.New(rand.NewSource(pick))
		table := t.clone()
		symbol := &table.Symbols[r.Intn(len(table.Symbols))]
		name := symbol.Name[:min(len(symbol.Name), 500)]
		at := r.Intn(len(name) + 1)
		for _, bad := range "\"\\\x00\n\r" {
			symbol.Name = name[:at] + string(bad) + name[at:]
			if _, err := model.Encode(table.Symbols, model.EncodeOptions{MarkerShift: model.StockMarkerShift}); !errors.Is(err, model.ErrNameByte) {
				return fmt.Sprintf("%q: got %v, expected %v", symbol.Name, err, model.ErrNameByte)
			}
		}
		good := symgen.Alphabet[r.Intn(len(symgen.Alphabet))]
		symbol.Name = name[:at] + string([]byte{good}) + name[at:]
		if strings.Contains(symbol.Name, "*/") {
			return "" // the end of a comment, which is refused too
		}
		if _, err := model.Encode(table.Symbols, model.EncodeOptions{MarkerShift: model.StockMarkerShift}); err != nil {
			return fmt.Sprintf("%q: got %v", symbol.Name, err)
		}
		return ""
	})
}

// TestBreakEvenIsTheLeast: that many lookups pay for the set-up, and one less does
// not.
func TestBreakEvenIsTheLeast(t *testing.T) {
	r := rand.New(rand.NewSource(seed))
	for range 10_000 {
		setup, teardown := uint64(r.Intn(1<<r.Intn(30))), uint64(r.Intn(1<<r.Intn(30)))
		slow, fast := uint64(r.Intn(1<<r.Intn(16))), uint64(r.Intn(1<<r.Intn(16)))
		n, ok := model.BreakEven(setup, teardown, slow, fast)
		if ok != (slow > fast) {
			t.Fatalf("%d ns instead of %d: pays is %v", fast, slow, ok)
		}
		if !ok {
			continue
		}
		pays := func(n uint64) bool { return setup+teardown+n*fast <= n*slow }
		if !pays(n) || n > 0 && pays(n-1) {
			t.Fatalf("set-up %d, tear-down %d, %d ns instead of %d: got %d lookups", setup, teardown, fast, slow, n)
		}
	}
}
