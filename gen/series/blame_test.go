// SPDX-License-Identifier: GPL-2.0-only

package series

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"kgen/gen/csrc"
	"kgen/gen/mechanism"
	"kgen/gen/tree"
	"kgen/gen/tree/treetest"
	"kgen/templates"
)

// TestBlame: drift is laid at the door of a mechanism in the tree only if that one
// changed the code that has drifted. 7.3 comes with ftrace-single.
func TestBlame(t *testing.T) {
	const (
		ftrace, kallsyms, host = "kernel/trace/ftrace.c", "kernel/kallsyms.c", "scripts/kallsyms.c"
		reader                 = "\nint peek(int i)\n{\n\treturn kallsyms_markers[i];\n}\n"
	)
	for _, tt := range []struct {
		reason, there, ask, file, old, new string
		says                               string // of the drift, or the name of what is blamed
	}{
		{"nothing changed", "", "ftrace-module", ftrace, "", "", ""},
		{"a function renamed", "", "ftrace-module", ftrace, "void ftrace_module_enable(", "void ftrace_mod_enable(", `ftrace_module_enable() has drifted: expected "ftrace_module_enable" (as in Linux 6.12 and 7.3), found "ftrace_mod_enable"`},
		{"another renamed", "", "ftrace-module", ftrace, "test_for_valid_rec(", "rec_is_valid(", "test_for_valid_rec() has drifted"},
		{"a condition changed", "", "ftrace-module", ftrace, "!within_module(rec->ip, mod)", "within_module(rec->ip, mod)", `ftrace_module_enable() has drifted: expected "!" (as in Linux 6.12 and 7.3), found "within_module"`},
		{"a new reader", "", "density", kallsyms, "", reader, "peek() has drifted"},

		{"its code is there and the rest as known", "host-limits", "density", host, "", "", ""},
		{"a statement that it has not changed", "host-limits", "density", host, "(table_cnt + 255) / 256", "(table_cnt + 127) / 128", `write_src() has drifted: expected "255"`},
		{"a function that it has not changed", "token-match", "density", kallsyms, "pos & 0xFF", "pos & 0x7F", "get_symbol_offset() has drifted"},
		{"a new reader beside it", "token-match", "density", kallsyms, "", reader, "peek() has drifted"},
		{"an edit that was not made", "hash-order", "density", kallsyms, "pos & 0xFF", "pos & 0x7F", "get_symbol_offset() has drifted"},
		{"a function that it changed", "density", "name-offsets", kallsyms, "", "", "density"},
		{"a function that it changed, one of two", "density,token-match", "batch-index", kallsyms, "", "", "density"},
		{"a reader that it brought", "name-offsets", "density", kallsyms, "", "", "name-offsets"},
		{"an edit that was made", "hash-order:prefetch=1", "density", kallsyms, "", "", "hash-order"},
		{"a declaration that it replaced", "hash-order", "density", kallsyms, "", "", "hash-order"},
		{"a function of a module", "module-scan", "module-index", kallsyms, "", "", "module-scan"},
	} {
		for _, treeName := range []string{"6.12", "7.3"} {
			tr, err := tree.Open(treetest.Dir(t, treeName))
			if err != nil {
				t.Fatal(err)
			}
			src := mechanism.Source(tr)
			if tt.there != "" {
				o := options(t, treeName, "", 4)
				if o.Series, o.Values, err = Compose(templates.FS, tt.there); err != nil {
					t.Fatal(err)
				}
				if src, err = Patched(o); err != nil {
					t.Fatal(err)
				}
			}
			text, err := src.ReadFile(tt.file)
			if err != nil {
				t.Fatal(err)
			}
			changed := append(bytes.Clone(text), tt.new...)
			if tt.old != "" {
				changed = bytes.ReplaceAll(text, []byte(tt.old), []byte(tt.new))
			}
			if bytes.Equal(changed, text) && tt.old != "" {
				t.Fatalf("%s: %s has no %q", tt.reason, tt.file, tt.old)
			}
			s, _, err := Compose(templates.FS, tt.ask)
			if err != nil {
				t.Fatal(err)
			}
			_, _, err = s.sort(&overlay{under: src, files: map[string][]byte{tt.file: changed}})
			switch {
			case tt.says == "":
				if err != nil {
					t.Errorf("%s: %s: %v", treeName, tt.reason, err)
				}
			case strings.Contains(tt.says, "drifted"):
				var d *csrc.DriftError
				if !errors.As(err, &d) || errors.Is(err, ErrOther) || d.Line == 0 || !strings.Contains(err.Error(), tt.says) {
					t.Errorf("%s: %s: %v, want %q and a line", treeName, tt.reason, err, tt.says)
				}
			case !errors.Is(err, ErrOther) || !strings.Contains(err.Error(), ": "+tt.says+" is in the tree already and changed "):
				t.Errorf("%s: %s: %v, want %s blamed", treeName, tt.reason, err, tt.says)
			}
		}
	}
}

// TestReadersOfOthers: what one mechanism brings into a tree is no unknown reader to
// another one. Either that goes there, or the first is named as what is in the way.
func TestReadersOfOthers(t *testing.T) {
	all, err := mechanism.All(templates.FS)
	if err != nil {
		t.Fatal(err)
	}
	for _, treeName := range []string{"6.12", "7.3"} {
		t.Run(treeName, func(t *testing.T) {
			t.Parallel()
			for _, a := range all {
				o := options(t, treeName, "", 4)
				o.Series = &Series{Name: composed, Mechanisms: []*mechanism.Mechanism{a}, templates: templates.FS}
				src, err := Patched(o)
				if err != nil {
					t.Fatal(err)
				}
				for _, b := range all {
					s := &Series{Name: composed, Mechanisms: []*mechanism.Mechanism{b}, templates: templates.FS}
					if _, _, err := s.sort(src); err != nil && (!errors.Is(err, ErrOther) || !strings.Contains(err.Error(), a.Name+" is")) {
						t.Errorf("%s on %s: %v, want it to go or %s to be named", b.Name, a.Name, err, a.Name)
					}
				}
			}
		})
	}
}
