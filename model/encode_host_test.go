// SPDX-License-Identifier: GPL-2.0-only

package model

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"testing"
)

// TestEncodeEqualsHostTool holds the encoder against the tool of both trees,
// byte for byte, or both must refuse.
func TestEncodeEqualsHostTool(t *testing.T) {
	real, err := os.ReadFile(realMap(t))
	if err != nil {
		t.Fatal(err)
	}
	maps := []struct {
		name string
		text []byte
	}{
		{"real System.map", real},
		{"the machine's own symbols", procMap(t)},
	}
	for _, m := range maps {
		file := filepath.Join(t.TempDir(), "map")
		if err := os.WriteFile(file, m.text, 0o644); err != nil {
			t.Fatal(err)
		}
		for version := range hostTools {
			tool := buildHostTool(t, version)
			for _, c := range tool.hostCases() {
				t.Run(fmt.Sprintf("%s/%s/%v", m.name, version, c.args()), func(t *testing.T) {
					compareWithTool(t, tool, c, file, m.text)
				})
			}
		}
	}
}

func compareWithTool(t *testing.T, tool hostTool, c hostCase, file string, text []byte) {
	t.Helper()
	want, complaint := tool.run(t, c, file)
	got, err := tool.encodeAs(c, text)
	switch {
	case err != nil && want != nil:
		t.Fatalf("refused (%v), the tool does not", err)
	case err == nil && want == nil:
		t.Fatalf("accepted, the tool says %s", complaint)
	case err == nil && !bytes.Equal(got, want):
		t.Fatal(firstDifference(got, want))
	}
}

// procMap is /proc/kallsyms without the modules' symbols.
func procMap(t *testing.T) []byte {
	t.Helper()
	text, err := os.ReadFile("/proc/kallsyms")
	if err != nil {
		t.Fatalf("%v; the test needs a kernel with CONFIG_KALLSYMS", err)
	}
	var kept []byte
	for line := range bytes.Lines(text) {
		if !bytes.ContainsRune(line, '\t') {
			kept = append(kept, line...)
		}
	}
	return kept
}
