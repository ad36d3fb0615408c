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

// Each seeded fault must be found, and shrunk to a map that a person can read.
func TestCatches(t *testing.T) {
	const kernel, tool = "kernel/kallsyms.c", "scripts/kallsyms.c"
	tests := []struct {
		reason         string
		version        string
		file, old, new string
		kind           Kind
		most           int // symbols in the small map
	}{
		{"marker mask one bit short", "7.3", kernel, "pos & 0xFF", "pos & 0x7F", Disagreement, 200},
		{"marker of the block before", "7.3", kernel, "kallsyms_markers[pos >> 8]", "kallsyms_markers[(pos + 1) >> 8]", CrashKind, 300},
		{"names compared as signed char", "7.3", kernel, "ret = strcmp(name, namebuf);",
			"{ const signed char *a = (void *)name, *b = (void *)namebuf; while (*a && *a == *b) a++, b++; ret = *a - *b; }", Disagreement, 4},
		{"first token skipped instead of first character", "7.3", kernel, "if (skipped_first) {", "if (skipped_first > 1) {", Disagreement, 4},
		{"second length byte ignored", "7.3", kernel, "len = (len & 0x7F) | (*data << 7);", "len = (len & 0x7F);", Disagreement, 4},
		{"second length byte not skipped for the type", "6.12", kernel, "if (kallsyms_names[off] & 0x80)", "if (0)", Disagreement, 4},
		{"sequence number read little-endian", "7.3", kernel, "kallsyms_seqs_of_names[3 * index + i]", "kallsyms_seqs_of_names[3 * index + 2 - i]", CrashKind, 4},
		{"duplicates not searched downwards", "7.3", kernel, "while (low) {", "while (0) {", Disagreement, 12},
		{"last symbol never found", "7.3", kernel, "high = kallsyms_num_syms - 1;", "high = kallsyms_num_syms - 2;", Disagreement, 4},
		{"search reads one entry too far", "7.3", kernel, "high = kallsyms_num_syms - 1;", "high = kallsyms_num_syms;", CrashKind, 4},
		{"alias not searched downwards", "7.3", kernel, "while (low && kallsyms_sym_address(low-1)", "while (0 && kallsyms_sym_address(low-1)", Disagreement, 6},
		{"search that never ends", "7.3", kernel, "low = mid + 1;", "low = mid;", Hang, 6},
		{"size of the last symbol ends at _etext", "7.3", kernel, "IS_ENABLED(CONFIG_KALLSYMS_ALL)", "0", Disagreement, 6},
		{"negative offsets read as unsigned", "6.12", kernel, "return kallsyms_relative_base - 1 - kallsyms_offsets[idx];",
			"return kallsyms_relative_base - kallsyms_offsets[idx];", Disagreement, 6},
		{"host tool orders equal names by descending address", "7.3", tool, "if (sa->addr > sb->addr)\n\t\t\treturn 1;\n\t\telse if (sa->addr < sb->addr)\n\t\t\treturn -1;",
			"if (sa->addr > sb->addr)\n\t\t\treturn -1;\n\t\telse if (sa->addr < sb->addr)\n\t\t\treturn 1;", Disagreement, 6},
		{"host tool takes markers one symbol late", "7.3", tool, "if ((i & 0xFF) == 0)", "if ((i & 0xFF) == 1)", CrashKind, 300},
		{"host tool overruns the markers", "7.3", tool, "markers_cnt = (table_cnt + 255) / 256;", "markers_cnt = table_cnt / 256;", BadTable, 6},
		{"host tool loses the table it declares", "7.3", tool, "output_label(\"kallsyms_markers\");", "output_label(\"kallsyms_marks\");", BadTable, 6},
	}
	for _, tt := range tests {
		t.Run(tt.reason, func(t *testing.T) {
			base := stock(t, tt.version)
			text, err := base.ReadFile(tt.file)
			if err != nil || !strings.Contains(string(text), tt.old) {
				t.Fatalf("%s: %q not found (%v)", tt.file, tt.old, err)
			}
			w := prepare(t, Source{Patched: edited{Tree: base, file: tt.file, old: tt.old, new: tt.new}, Base: base})
			rep, err := w.Agree(t.Context(), Options{Seed: 1, SmallMaps: 80, ReplayDir: t.TempDir(), Timeout: 3e9, Variants: w.Variants()[:1]})
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
