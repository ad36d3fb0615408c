// SPDX-License-Identifier: GPL-2.0-only

package check

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"kgen/gen/manifest"
	"kgen/gen/tree/treetest"
)

// kgenFolder is a folder as kgen makes it: patches and a series.json of them.
func kgenFolder(t *testing.T) string {
	dir := threePatches(t)
	m := &manifest.Series{Name: "test", Version: 2}
	for _, name := range []string{"v2-0001-kallsyms-One.patch", "v2-0002-kallsyms-Two.patch", "v2-0003-kallsyms-Three.patch"} {
		data, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		sum := sha256.Sum256(data)
		m.Patches = append(m.Patches, manifest.Patch{File: name, SHA256: hex.EncodeToString(sum[:])})
	}
	if err := m.Write(dir); err != nil {
		t.Fatal(err)
	}
	return dir
}

func recorded(t *testing.T, dir string) []manifest.Check {
	m, err := manifest.Read(dir)
	if err != nil {
		t.Fatal(err)
	}
	return m.Checks
}

func TestRecord(t *testing.T) {
	dir := kgenFolder(t)
	s := load(t, dir)
	r := run(t, options(t, s, treetest.Dir(t, "7.3"), Apply))
	if err := s.Record(r.Checks); err != nil {
		t.Fatal(err)
	}
	got := recorded(t, dir)
	if len(got) != 1 || got[0].Rung != "apply" || !got[0].OK || len(got[0].Results) != 3 ||
		got[0].Tools["git"] == "" || got[0].Tree.Version == "" {
		t.Errorf("recorded %+v, want the outcome of apply with tools and tree", got)
	}
}

// A patch that was edited is checked, but the outcome is not that of what kgen made.
func TestRecordRefusesEdited(t *testing.T) {
	for _, c := range []struct {
		name    string
		edit    func(t *testing.T, dir string)
		patches int
	}{
		{"a patch edited", func(t *testing.T, dir string) {
			name := filepath.Join(dir, "v2-0003-kallsyms-Three.patch")
			data, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			writeFile(t, name, string(data)+"\n")
		}, 3},
		{"a patch added", func(t *testing.T, dir string) {
			data, err := os.ReadFile(filepath.Join(dir, "v2-0003-kallsyms-Three.patch"))
			if err != nil {
				t.Fatal(err)
			}
			writeFile(t, filepath.Join(dir, "v2-0004-more.patch"), string(data))
		}, 4},
	} {
		t.Run(c.name+" before", func(t *testing.T) {
			dir := kgenFolder(t)
			c.edit(t, dir)
			s := load(t, dir)
			if len(s.Warnings) != 1 || len(s.Patches) != c.patches {
				t.Errorf("warnings %q, %d patches; want a warning and %d", s.Warnings, len(s.Patches), c.patches)
			}
			if err := s.Record([]manifest.Check{{Rung: "apply"}}); err != nil || len(recorded(t, dir)) != 0 {
				t.Errorf("error %v, recorded %v; want neither", err, recorded(t, dir))
			}
		})
	}
	t.Run("a patch edited meanwhile", func(t *testing.T) {
		dir := kgenFolder(t)
		s := load(t, dir)
		writeFile(t, filepath.Join(dir, "v2-0001-kallsyms-One.patch"), "gone")
		if err := s.Record([]manifest.Check{{Rung: "apply"}}); !errors.Is(err, ErrEdited) || len(recorded(t, dir)) != 0 {
			t.Errorf("error %v, recorded %v; want ErrEdited and nothing", err, recorded(t, dir))
		}
	})
}

// A folder whose series.json lists what is not there is half a series.
func TestLoadFolderWithoutListedPatch(t *testing.T) {
	dir := kgenFolder(t)
	os.Remove(filepath.Join(dir, "v2-0002-kallsyms-Two.patch"))
	_, err := Load(t.Context(), []string{dir})
	wantInputError(t, err, "series.json lists it")
}
