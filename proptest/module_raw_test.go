// SPDX-License-Identifier: GPL-2.0-only

package proptest

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand"
	"os"
	"os/exec"
	"strings"
	"testing"

	"kgen/gen/realmap"
	"kgen/gen/realmap/realmaptest"
	"kgen/model"
)

// TestModuleReadersTakeRawBytes: a module's file, or a listing of it, with bytes
// changed, cut off or repeated gives a module that can be looked up in, or the
// reader's error of one line.
func TestModuleReadersTakeRawBytes(t *testing.T) {
	path := realmaptest.Path(t, realmap.Modules[len(realmap.Modules)-1]) // the smallest
	file, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	listing, err := exec.Command("readelf", "-sW", path).Output()
	if err != nil {
		t.Fatalf("readelf -sW %s: %v; install binutils", path, err)
	}
	rng := rand.New(rand.NewSource(seed))
	accepted := map[string]int{}
	for range 20 * runs(t) {
		for kind, whole := range map[string][]byte{"file": file, "listing": listing} {
			data := spoil(rng, whole)
			var o *model.Object
			var err error
			sentinel := model.ErrModule
			if kind == "file" {
				o, err = model.ReadModule(bytes.NewReader(data))
			} else {
				sentinel = model.ErrReadelf
				symbols, sections, listErr := model.ReadReadelf(bytes.NewReader(data))
				if err = listErr; err == nil {
					o = model.ListedObject(symbols, sections)
				}
			}
			if err != nil {
				if !errors.Is(err, sentinel) || strings.Contains(err.Error(), "\n") {
					t.Fatalf("%s: %q is not one line of the reader", kind, err)
				}
				continue
			}
			accepted[kind]++
			if complaint := lookAround(o); complaint != "" {
				t.Fatalf("%s: %s", kind, complaint)
			}
		}
	}
	if accepted["file"] == 0 || accepted["listing"] == 0 {
		t.Errorf("accepted %v, expected some of each", accepted)
	}
}

// spoil changes bytes, cuts the end off or repeats a part.
func spoil(rng *rand.Rand, whole []byte) []byte {
	data := bytes.Clone(whole)
	switch rng.Intn(5) {
	case 0:
		return data[:rng.Intn(len(data))]
	case 1:
		at := rng.Intn(len(data))
		return append(data[:at:at], whole[rng.Intn(at+1):]...)
	}
	for range 1 + rng.Intn(8) {
		at := rng.Intn(len(data))
		switch rng.Intn(4) {
		case 0:
			at = rng.Intn(min(64, len(data))) // the header
		case 1, 2:
			at = len(data) - 1 - rng.Intn(min(40*64, len(data))) // the headers of sections
		}
		data[at] = byte(rng.Intn(256))
	}
	return data
}

// lookAround loads a module and looks everything up in it.
func lookAround(o *model.Object) (complaint string) {
	defer func() {
		if r := recover(); r != nil {
			complaint = fmt.Sprintf("panic: %v", r)
		}
	}()
	rules := model.ModuleRules{AllSymbols: true}
	m := o.Load(rules)
	spec := &model.ModuleSpec{Modules: []*model.Module{m}, Rules: rules}
	for _, state := range moduleStates {
		if state == model.Live {
			m.EndInit()
		}
		for i := range m.Kallsyms().Symbols {
			line, err := spec.Kallsym(i)
			if err != nil {
				return err.Error()
			}
			spec.LookupName(line.Name)
			spec.FindSymbol(m, line.Addr)
		}
	}
	return ""
}
