// SPDX-License-Identifier: GPL-2.0-only

//go:build mutants

package gomodel

import (
	"bytes"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
)

// mutant is a fault, made by changing the text of a generated file: old must
// appear there exactly once.
type mutant struct {
	fault    string
	file     string
	old, new string
}

// infected is a series and the faults that its own go test must find. Each
// mechanism registers its own.
type infected struct {
	series  Series
	mutants []mutant
}

var infections []infected

// TestMutants breaks generated packages, one fault each, and runs their tests.
func TestMutants(t *testing.T) {
	t.Parallel()
	var all []Series
	var faults []mutant
	for _, in := range infections {
		for i, m := range in.mutants {
			s := in.series
			s.Name = fmt.Sprintf("%s-%d", s.Name, i)
			all = append(all, s)
			faults = append(faults, m)
		}
	}
	dir := emitAll(t, all)
	for i, s := range all {
		infect(t, s, filepath.Join(dir, s.Name), faults[i])
	}
	out, err := run(t, dir, append(goTest, "./...", "-args", "-test.failfast")...) // go's own -failfast stops at the first package
	if err == nil {
		t.Fatal("go test passes")
	}
	for i, s := range all {
		if got := state(out, s.Name); got != "FAIL" {
			t.Errorf("%s: %s: go test says %q, expected FAIL", s.Name, faults[i].fault, got)
		}
	}
}

func infect(t *testing.T, s Series, dir string, m mutant) {
	t.Helper()
	files, err := Files(s)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		if f.Name != m.file {
			continue
		}
		if n := bytes.Count(f.Data, []byte(m.old)); n != 1 {
			t.Fatalf("%s: %s: %s has %q %d times, expected once", s.Name, m.fault, m.file, m.old, n)
		}
		write(t, filepath.Join(dir, f.Name), bytes.Replace(f.Data, []byte(m.old), []byte(m.new), 1))
		return
	}
	t.Fatalf("%s: no file %s", s.Name, m.file)
}

// state is what go test says of a package: ok, FAIL, or why it has no answer.
func state(out, name string) string {
	for line := range strings.Lines(out) {
		f := strings.Fields(line)
		if len(f) >= 2 && f[1] == modulePrefix+"all/"+name {
			if strings.Contains(line, "failed]") {
				return strings.TrimSpace(line)
			}
			return f[0]
		}
	}
	return "not tested"
}
