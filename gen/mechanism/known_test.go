// SPDX-License-Identifier: GPL-2.0-only

package mechanism

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/pelletier/go-toml/v2"

	"kgen/gen/tree/treetest"
	"kgen/templates"
)

var update = flag.Bool("update", false, "write templates/*/known.toml from the trees")

// versions are the trees that mechanisms are written for.
var versions = []string{"6.12", "7.3"}

// dir is a Source over a folder.
type dir string

func (d dir) ReadFile(path string) ([]byte, error) {
	return os.ReadFile(filepath.Join(string(d), path))
}

// lab is a kernel tree of the given version.
func lab(t testing.TB, version string) dir {
	t.Helper()
	return dir(treetest.Dir(t, version))
}

// TestKnown compares known.toml with the trees, or with -update writes it.
func TestKnown(t *testing.T) {
	trees := make(map[string]Source)
	for _, v := range versions {
		trees[v] = lab(t, v)
	}
	all, err := All(templates.FS)
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range all {
		want, err := m.fingerprints(trees)
		if err != nil {
			t.Errorf("%s: %v", m.Name, err)
			continue
		}
		if len(want.Known) == 0 {
			continue
		}
		var text bytes.Buffer
		text.WriteString("# Digests of the code this mechanism was written for. Not to be edited:\n# go test ./gen/mechanism -run TestKnown -update\n\n")
		enc := toml.NewEncoder(&text)
		if err := enc.Encode(want); err != nil {
			t.Fatal(err)
		}
		file := filepath.Join("../../templates", m.Name, knownName)
		if *update {
			if err := os.WriteFile(file, text.Bytes(), 0o644); err != nil {
				t.Fatal(err)
			}
			continue
		}
		have, err := os.ReadFile(file)
		if err != nil || !bytes.Equal(have, text.Bytes()) {
			t.Errorf("%s is not what the trees give (%v); run go test ./gen/mechanism -run TestKnown -update and review the difference", file, err)
		}
	}
}
