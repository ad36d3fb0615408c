// SPDX-License-Identifier: GPL-2.0-only

package model

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestEncodeEqualsHostTool holds the encoder against the tools of both trees,
// byte for byte, on the maps there are.
func TestEncodeEqualsHostTool(t *testing.T) {
	real, err := os.ReadFile(realMap(t))
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range []struct {
		name string
		text []byte
	}{
		{"real System.map", real},
		{"this machine", procMap(t)},
	} {
		for version := range hostTools {
			tool := buildHostTool(t, version)
			for _, c := range tool.hostCases(false) {
				t.Run(fmt.Sprintf("%s/%s%s", m.name, version, c), func(t *testing.T) {
					compareWithTool(t, tool, c, m.text)
				})
			}
		}
	}
}

// TestEncodeEqualsHostToolOnGeneratedMaps does so on maps that are made to be
// awkward, for 64-bit and 32-bit kernels.
func TestEncodeEqualsHostToolOnGeneratedMaps(t *testing.T) {
	sizes := []int{0, 1, 2, 3, 7, 40, 255, 256, 257, 512, 513, 3000}
	for version := range hostTools {
		tool := buildHostTool(t, version)
		accepted, refused := 0, 0
		for seed, size := range append(sizes, sizes...) {
			m := newMapMaker(uint64(seed))
			m.bits32, m.percpu = seed%4 == 1, seed%4 >= 2
			text := m.symbols(size)
			for _, c := range tool.hostCases(m.bits32) {
				t.Run(fmt.Sprintf("%s%s/%d symbols, seed %d", version, c, size, seed), func(t *testing.T) {
					if compareWithTool(t, tool, c, text) {
						accepted++
					} else {
						refused++
					}
				})
			}
		}
		if accepted < refused {
			t.Errorf("%s: %d runs gave tables and %d were refused; the maps are too awkward to tell much", version, accepted, refused)
		}
	}
}

// compareWithTool wants the same text and the same warnings, or that both
// refuse, and says which.
func compareWithTool(t *testing.T, tool hostTool, c hostCase, text []byte) (accepted bool) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "map")
	if err := os.WriteFile(file, text, 0o644); err != nil {
		t.Fatal(err)
	}
	want, complaint := tool.run(t, c, file)
	got, warnings, err := tool.encodeAs(c, text)
	switch {
	case err != nil && want != nil:
		t.Fatalf("refused (%v), the tool does not refuse", err)
	case err == nil && want == nil:
		t.Fatalf("accepted, the tool says %s", complaint)
	case err == nil && !bytes.Equal(got, want):
		t.Fatal(firstDifference(got, want))
	case err == nil && warnings != complaint:
		t.Fatalf("warnings %q, the tool's are %q", warnings, complaint)
	}
	return err == nil
}

// procMap is /proc/kallsyms without the modules' symbols.
func procMap(t *testing.T) []byte {
	t.Helper()
	text, err := os.ReadFile("/proc/kallsyms")
	if err != nil {
		t.Fatalf("%v; the test needs a kernel with CONFIG_KALLSYMS", err)
	}
	var kept strings.Builder
	for line := range strings.Lines(string(text)) {
		if !strings.ContainsRune(line, '\t') {
			kept.WriteString(line)
		}
	}
	return []byte(kept.String())
}
