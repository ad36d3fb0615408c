// SPDX-License-Identifier: GPL-2.0-only

package gomodel

import (
	"slices"
	"strings"
	"testing"
)

// TestOutside runs the package of each mechanism that is not about the core
// kernel's lookups, alone and all together.
func TestOutside(t *testing.T) {
	t.Parallel()
	all := []Series{{Name: "all", Mechanisms: []string{"module-index", "module-sort", "module-scan", "ftrace-single", "ftrace-module", "ftrace-bitmap"}}}
	for _, name := range all[0].Mechanisms {
		all = append(all, Series{Name: name, Mechanisms: []string{name}})
	}
	for _, s := range all {
		files, err := Files(s)
		if err != nil {
			t.Fatal(err)
		}
		if want := 4 + 2*len(s.Mechanisms); len(files) != want {
			t.Errorf("%s: %d files, want %d", s.Name, len(files), want)
		}
		for _, f := range files {
			if strings.HasSuffix(f.Name, ".go") {
				checkSource(t, s.Name+"/"+f.Name, f.Data)
			}
			if strings.Contains(string(f.Data), gopterPath) {
				t.Errorf("%s/%s needs a module of others", s.Name, f.Name)
			}
		}
		for _, name := range s.Mechanisms {
			i := slices.IndexFunc(files, func(f File) bool { return f.Name == "doc.go" })
			if !strings.Contains(string(files[i].Data), name+": ") {
				t.Errorf("%s: the package comment does not name %s", s.Name, name)
			}
		}
	}
	dir := emitAll(t, all)
	if out, err := run(t, dir, "vet", "./..."); err != nil {
		t.Fatalf("go vet: %v\n%s", err, out)
	}
	if out, err := run(t, dir, append(goTest, "./...")...); err != nil {
		t.Fatalf("go test: %v\n%s", err, out)
	}
}

// TestBesideOthers: with a patch for the core kernel the model is of that.
func TestBesideOthers(t *testing.T) {
	t.Parallel()
	files, err := Files(Series{Name: "x", Mechanisms: []string{"seq-unroll", "module-index"}})
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		if f.Name == "module_index.go" {
			t.Error("the core kernel's model has files of modules")
		}
		if f.Name == "model.go" && !strings.Contains(string(f.Data), "module-index: ") {
			t.Error("the package comment does not name module-index")
		}
	}
}
