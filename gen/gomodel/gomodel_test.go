// SPDX-License-Identifier: GPL-2.0-only

package gomodel

import (
	"bytes"
	"errors"
	"go/format"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestEmit(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "model")
	s := Series{"density", []string{"perf-test", "density", "token-match"}, map[string]int{"shift": 4}}
	names, err := Emit(dir, s)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"cases_test.go", "encode.go", "go.mod", "go.sum", "model.go", "model_test.go", "spec.go"}
	if diff := cmp.Diff(want, names); diff != "" {
		t.Errorf("files (-want +got):\n%s", diff)
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	if len(entries) != len(names) {
		t.Errorf("the folder has %d files, expected the %d named", len(entries), len(names))
	}
}

// TestDeterministic: the same series gives the same bytes.
func TestDeterministic(t *testing.T) {
	t.Parallel()
	s := Series{"x", []string{"sub-markers", "hash-order", "token-match"}, map[string]int{"shift": 5, "bucket-shift": 4, "start-bits": 8}}
	first, err := Files(s)
	if err != nil {
		t.Fatal(err)
	}
	for range 3 {
		again, err := Files(s)
		if err != nil {
			t.Fatal(err)
		}
		for i := range first {
			if diff := cmp.Diff(string(first[i].Data), string(again[i].Data)); diff != "" {
				t.Fatalf("%s: a second run differs:\n%s", first[i].Name, diff)
			}
		}
	}
}

// TestFiles checks the text of every file of every design.
func TestFiles(t *testing.T) {
	t.Parallel()
	for _, s := range designs() {
		files, err := Files(s)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range files {
			if strings.HasSuffix(f.Name, ".go") {
				checkSource(t, s.Name+"/"+f.Name, f.Data)
			}
		}
	}
}

func checkSource(t *testing.T, name string, data []byte) {
	t.Helper()
	if !bytes.HasPrefix(data, []byte("// SPDX-License-Identifier: GPL-2.0-only\n")) {
		t.Errorf("%s: no SPDX line", name)
	}
	if bytes.Contains(data, []byte(`"kgen/`)) {
		t.Errorf("%s: imports kgen", name)
	}
	formatted, err := format.Source(data)
	if err != nil {
		t.Errorf("%s: %v", name, err)
	}
	if !bytes.Equal(formatted, data) {
		t.Errorf("%s: not as gofmt has it", name)
	}
	for i, line := range strings.Split(string(data), "\n") {
		if strings.HasPrefix(line, "//") && len(line) > 80 {
			t.Errorf("%s:%d: comment of %d columns: %s", name, i+1, len(line), line)
		}
	}
}

// TestOnlyThisSeries: code of a mechanism that the series lacks does not appear.
func TestOnlyThisSeries(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		reason     string
		mechanisms []string
		has, lacks []string
	}{
		{"stock: expands, loops, markers every 256", nil,
			[]string{"MarkerShift = 8", "t.expand(off)", "for j := range 3"}, []string{"1<<4", "Batch", "SubMarkers", "hashOf"}},
		{"density", []string{"density"}, []string{"MarkerShift = 4"}, []string{"MarkerShift = 8"}},
		{"token-match", []string{"token-match"}, []string{"rest := t.token"}, []string{"strings.Compare"}},
		{"seq-unroll", []string{"seq-unroll"}, []string{"<<16"}, []string{"for j := range 3"}},
		{"static-index has no markers and no walk", []string{"static-index"}, []string{"t.Index"}, []string{"Markers ", "MarkerShift", "MaxHops"}},
		{"name-offsets recovers numbers", []string{"name-offsets"}, []string{"seqOfOffset"}, []string{"symbolOffset(unpack(t.Order"}},
		{"hash-order has no binary search of names", []string{"hash-order"}, []string{"hashOf"}, []string{"order > 0", "compareRank"}},
	} {
		files, err := Files(Series{"x", c.mechanisms, map[string]int{"shift": 4, "bucket-shift": 4, "start-bits": 8}})
		if err != nil {
			t.Fatal(err)
		}
		i := slices.IndexFunc(files, func(f File) bool { return f.Name == "model.go" })
		text := string(files[i].Data)
		for _, want := range c.has {
			if !strings.Contains(text, want) {
				t.Errorf("%s: %q is missing", c.reason, want)
			}
		}
		for _, bad := range c.lacks {
			if strings.Contains(text, bad) {
				t.Errorf("%s: %q appears", c.reason, bad)
			}
		}
	}
}

func TestRefusals(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		reason string
		series Series
		want   error
		text   string
	}{
		{"no name", Series{}, ErrName, `""`},
		{"a name that is a path", Series{Name: "a/b"}, ErrName, `"a/b"`},
		{"a name that go refuses", Series{Name: "a..b"}, ErrName, `"a..b"`},
		{"an unknown mechanism", Series{"x", []string{"densty"}, nil}, ErrMechanism, "token-match"},
		{"a missing parameter", Series{"x", []string{"density"}, nil}, ErrParam, "density: shift is missing"},
		{"a parameter too small", Series{"x", []string{"density"}, map[string]int{"shift": -1}}, ErrParam, "shift is -1, expected 0 to 8"},
		{"a parameter too large", Series{"x", []string{"sub-markers"}, map[string]int{"shift": 8}}, ErrParam, "shift is 8, expected 2 to 7"},
		{"a parameter between two", Series{"x", []string{"hash-order"}, map[string]int{"bucket-shift": 4, "start-bits": 12}}, ErrParam, "8 or 16"},
		{"two locators", Series{"x", []string{"density", "static-index"}, map[string]int{"shift": 4}}, ErrConflict, "density and static-index"},
		{"two orders", Series{"x", []string{"name-offsets", "hash-order"}, map[string]int{"bucket-shift": 4, "start-bits": 8}}, ErrConflict, "name-offsets and hash-order"},
		{"a mechanism twice", Series{"x", []string{"token-match", "token-match"}, nil}, ErrConflict, "token-match"},
		{"a batch without walks", Series{"x", []string{"batch-index", "static-index"}, nil}, ErrConflict, "static-index"},
		{"a batch that no probe asks", Series{"x", []string{"name-offsets", "batch-index"}, nil}, ErrConflict, "name-offsets"},
	} {
		dir := filepath.Join(t.TempDir(), "model")
		_, err := Emit(dir, c.series)
		if !errors.Is(err, c.want) || !strings.Contains(err.Error(), c.text) {
			t.Errorf("%s: %v, expected %v with %q", c.reason, err, c.want, c.text)
		}
		if _, err := os.Stat(dir); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("%s: the folder is there: %v", c.reason, err)
		}
	}
}

// TestSums: go.sum says what kgen's own, checked by the go command, says.
func TestSums(t *testing.T) {
	t.Parallel()
	own, err := os.ReadFile("../../go.sum")
	if err != nil {
		t.Fatal(err)
	}
	var want []byte
	for line := range bytes.Lines(own) {
		if bytes.HasPrefix(line, []byte(gopterPath+" "+gopterVersion)) {
			want = append(want, line...)
		}
	}
	if got := goSum(); !bytes.Equal(got, want) {
		t.Errorf("go.sum is\n%s\nexpected\n%s", got, want)
	}
}

func BenchmarkFiles(b *testing.B) {
	s := Series{"density", []string{"perf-test", "density", "token-match"}, map[string]int{"shift": 4}}
	for b.Loop() {
		if _, err := Files(s); err != nil {
			b.Fatal(err)
		}
	}
}
