// SPDX-License-Identifier: GPL-2.0-only

package harness

import (
	"strings"
	"testing"
)

// edited is a tree in which one text of one file is replaced.
type edited struct {
	Tree
	file, old, new string
}

func (e edited) ReadFile(name string) ([]byte, error) {
	text, err := e.Tree.ReadFile(name)
	if err != nil || name != e.file {
		return text, err
	}
	return []byte(strings.ReplaceAll(string(text), e.old, e.new)), nil
}

const (
	kernelC = "kernel/kallsyms.c"
	toolC   = "scripts/kallsyms.c"
)

// caught is a fault that must be found.
type caught struct {
	reason         string
	version        string
	file, old, new string
	kind           Kind
	most           int // symbols in the small map
}

// catches are faults of every kind. make mutants has more of them.
var catches = []caught{
	{"names compared as signed char", "7.3", kernelC, "ret = strcmp(name, namebuf);",
		"{ const signed char *a = (void *)name, *b = (void *)namebuf; while (*a && *a == *b) a++, b++; ret = *a - *b; }", Disagreement, 4},
	{"sequence number read little-endian", "7.3", kernelC, "kallsyms_seqs_of_names[3 * index + i]", "kallsyms_seqs_of_names[3 * index + 2 - i]", CrashKind, 4},
	{"duplicates not searched downwards", "7.3", kernelC, "while (low) {", "while (0) {", Disagreement, 12},
	{"search that never ends", "7.3", kernelC, "low = mid + 1;", "low = mid;", Hang, 6},
	{"negative offsets read as unsigned", "6.12", kernelC, "return kallsyms_relative_base - 1 - kallsyms_offsets[idx];",
		"return kallsyms_relative_base - kallsyms_offsets[idx];", Disagreement, 6},
	{"host tool overruns the markers", "7.3", toolC, "markers_cnt = (table_cnt + 255) / 256;", "markers_cnt = table_cnt / 256;", BadTable, 6},
}

// Each seeded fault must be found, and shrunk to a map that a person can read.
func TestCatches(t *testing.T) {
	for _, tt := range catches {
		t.Run(tt.reason, func(t *testing.T) {
			base := stock(t, tt.version)
			text, err := base.ReadFile(tt.file)
			if err != nil || !strings.Contains(string(text), tt.old) {
				t.Fatalf("%s: %q not found (%v)", tt.file, tt.old, err)
			}
			w := prepare(t, Source{Patched: edited{Tree: base, file: tt.file, old: tt.old, new: tt.new}, Base: base})
			rep, err := w.Agree(t.Context(), Options{Seed: 1, SmallMaps: 80, ReplayDir: t.TempDir(), Brief: true, Timeout: 3e9, Variants: w.Variants()[:1]})
			if err != nil {
				t.Fatal(err)
			}
			if len(rep.Findings) == 0 {
				t.Fatalf("not found: %s", rep.Summary())
			}
			f := rep.Findings[0]
			t.Logf("%s\n%s", rep.Summary(), f)
			if f.Kind != tt.kind {
				t.Errorf("%s, expected %s", f.Kind, tt.kind)
			}
			if strings.Contains(f.Got, "tree/") {
				t.Errorf("%s, expected paths as in the kernel tree", f.Got)
			}
			if f.Symbols > tt.most {
				t.Errorf("a map of %d symbols, expected at most %d", f.Symbols, tt.most)
			}
		})
	}
}
