// SPDX-License-Identifier: GPL-2.0-only

package gomodel

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// designs are the series that the tests generate: every series of patches/ and
// every mechanism with every value of its parameters, and combinations that meet
// in one function.
func designs() []Series {
	all := []Series{
		{Name: "stock"},
		{Name: "seq-unroll", Mechanisms: []string{"seq-unroll"}},
		{Name: "static", Mechanisms: []string{"perf-test", "static-index"}},
		{Name: "static-tokens", Mechanisms: []string{"perf-test", "static-index", "seq-unroll", "token-match"}},
		{Name: "batch", Mechanisms: []string{"perf-test", "batch-index"}},
		{Name: "batch-tokens", Mechanisms: []string{"perf-test", "token-match", "batch-index", "seq-unroll"}},
		{Name: "batch-density", Mechanisms: []string{"density", "batch-index", "token-match"}, Params: map[string]int{"shift": 5}},
		{Name: "offsets", Mechanisms: []string{"name-offsets"}},
		{Name: "offsets-subs", Mechanisms: []string{"sub-markers", "name-offsets", "token-match"}, Params: map[string]int{"shift": 4}},
		{Name: "offsets-static", Mechanisms: []string{"static-index", "name-offsets"}},
		{Name: "hash-batch", Mechanisms: []string{"batch-index", "hash-order"}, Params: map[string]int{"bucket-shift": 5, "start-bits": 16}},
		{Name: "hash-static", Mechanisms: []string{"static-index", "hash-order"}, Params: map[string]int{"bucket-shift": 5, "start-bits": 8}},
	}
	for shift := 0; shift <= 8; shift++ {
		all = append(all, Series{fmt.Sprintf("density-%d", shift), []string{"perf-test", "density", "token-match"}, map[string]int{"shift": shift}})
		all = append(all, Series{fmt.Sprintf("offsets-%d", shift), []string{"perf-test", "density", "token-match", "name-offsets"}, map[string]int{"shift": shift}})
	}
	for shift := 2; shift <= 7; shift++ {
		all = append(all, Series{fmt.Sprintf("subs-%d", shift), []string{"perf-test", "sub-markers", "token-match"}, map[string]int{"shift": shift}})
	}
	subShift := 2
	for shift := 2; shift <= 6; shift++ {
		for _, bits := range []int{8, 16} {
			all = append(all, Series{fmt.Sprintf("hash-%d-%d", shift, bits), []string{"perf-test", "sub-markers", "hash-order", "token-match"},
				map[string]int{"shift": subShift, "bucket-shift": shift, "start-bits": bits}})
			subShift = 2 + (subShift-1)%6 // each of 2 to 7 in turn
		}
	}
	return all
}

// emitAll writes each series into a folder of one module, which is cheaper to
// build than a module each, and returns the module's folder.
func emitAll(t *testing.T, all []Series) string {
	t.Helper()
	dir := t.TempDir()
	for _, s := range all {
		sub := filepath.Join(dir, s.Name)
		if _, err := Emit(sub, s); err != nil {
			t.Fatalf("%s: %v", s.Name, err)
		}
		for _, name := range []string{"go.mod", "go.sum"} {
			if err := os.Remove(filepath.Join(sub, name)); err != nil && !errors.Is(err, os.ErrNotExist) {
				t.Fatal(err)
			}
		}
	}
	write(t, filepath.Join(dir, "go.mod"), goMod("all"))
	write(t, filepath.Join(dir, "go.sum"), goSum())
	return dir
}

func write(t *testing.T, name string, data []byte) {
	t.Helper()
	if err := os.WriteFile(name, data, 0o666); err != nil {
		t.Fatal(err)
	}
}

// run runs the go command in dir, outside any workspace, and returns what it
// printed.
func run(t *testing.T, dir string, args ...string) (string, error) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "go", args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOWORK=off", "GOFLAGS=-buildvcs=false")
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	err := cmd.Run()
	return out.String(), err
}

// goTest are the arguments of a cheap go test: vet has run before, nobody
// debugs, and -trimpath lets one run use what another built elsewhere.
var goTest = []string{"test", "-count=1", "-vet=off", "-trimpath", "-ldflags=-s -w"}
