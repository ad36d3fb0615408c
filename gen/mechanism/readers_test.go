// SPDX-License-Identifier: GPL-2.0-only

package mechanism

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"kgen/gen/csrc"
	"kgen/templates"
)

// unread are the mechanisms that leave to every table and function its meaning.
var unread = []string{
	"batch-index",   // a search answers the same in a batch
	"ftrace-single", // so does ftrace_lookup_symbols()
	"host-limits",   // what it does not refuse is written as before
	"module-scan",   // find_kallsyms_symbol() answers the same
	"perf-test",     // changes nothing
	"seq-unroll",    // get_symbol_seq() answers the same
	"token-match",   // so does kallsyms_lookup_names()
}

// TestNewReader adds a function to each file that is looked at, which reads what
// the mechanism changes. That must be refused at its line.
func TestNewReader(t *testing.T) {
	all, err := All(templates.FS)
	if err != nil {
		t.Fatal(err)
	}
	var without []string
	for _, m := range all {
		if m.readers == nil {
			without = append(without, m.Name)
		}
		for _, v := range versions {
			tree := lab(t, v)
			for _, r := range m.readers {
				for _, file := range slices.Concat(m.Touches(), r.Also) {
					if !isC(file) {
						continue
					}
					text, err := tree.ReadFile(file)
					if err != nil {
						t.Fatal(err)
					}
					use := fmt.Sprintf("return peek(%s);", r.Of)
					for user, added := range map[string]string{
						"new_reader()":       "\nstatic int new_reader(int i)\n{\n\t" + use + "\n}\n",
						"#define NEW_READER": "\n#define NEW_READER(i) \\\n\t(i) + \\\n\t" + use + "\n",
					} {
						grown := over{tree, file, slices.Concat(text, []byte(added))}
						want := bytes.Count(text, []byte("\n")) + 4
						err = m.Check(grown)
						var d *csrc.DriftError
						if !errors.As(err, &d) || d.File != file || d.Line != want || d.What != user || d.Source != use ||
							!strings.Contains(d.Expected, r.Of+" outside of "+r.In[0]) || !strings.Contains(err.Error(), r.Now) {
							t.Errorf("%s: %s: %s of %s in %s: %v, want drift in line %d", v, m.Name, user, r.Of, file, err, want)
						}
					}
				}
			}
		}
	}
	if diff := cmp.Diff(unread, without); diff != "" {
		t.Error(diff)
	}
}

// TestReadersAreThere: every reader that a mechanism knows is one in some tree.
func TestReadersAreThere(t *testing.T) {
	all, err := All(templates.FS)
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range all {
		for _, r := range m.readers {
			var found []string
			for _, v := range versions {
				for _, file := range slices.Concat(m.Touches(), r.Also) {
					text, err := lab(t, v).ReadFile(file)
					if err != nil && !errors.Is(err, fs.ErrNotExist) {
						t.Fatal(err)
					}
					if isC(file) {
						for _, u := range parse(file, text).Users(r.Of) {
							found = append(found, u.Names...)
						}
					}
				}
			}
			for _, name := range r.In {
				if !slices.Contains(found, name) {
					t.Errorf("%s: %s reads no %s in any tree", m.Name, name, r.Of)
				}
			}
		}
	}
}

// TestReaderElsewhere: what is not looked at, or is no reader, is no drift.
func TestReaderElsewhere(t *testing.T) {
	m, err := Load(templates.FS, "density")
	if err != nil {
		t.Fatal(err)
	}
	tree := lab(t, "7.3")
	for _, c := range []struct{ reason, file, added string }{
		{"a declaration", "kernel/kallsyms.c", "extern const unsigned int kallsyms_markers[];\n"},
		{"a comment", "kernel/kallsyms.c", "/* kallsyms_markers[0] */\n"},
		{"a string", "kernel/kallsyms.c", "static const char *const name = \"kallsyms_markers\";\n"},
		{"a longer name", "kernel/kallsyms.c", "static int f(int i)\n{\n\treturn kallsyms_markers_of[i];\n}\n"},
		{"what it does not change", "kernel/kallsyms.c", "static int f(int i)\n{\n\treturn kallsyms_names[get_symbol_offset(i)];\n}\n"},
	} {
		text, err := tree.ReadFile(c.file)
		if err != nil {
			t.Fatal(err)
		}
		if err := m.Check(over{tree, c.file, slices.Concat(text, []byte(c.added))}); err != nil {
			t.Errorf("%s: %v", c.reason, err)
		}
	}
}
