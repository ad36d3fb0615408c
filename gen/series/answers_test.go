// SPDX-License-Identifier: GPL-2.0-only

package series

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"kgen/gen/check"
	"kgen/patches"
	"kgen/templates"
)

// TestChangedAnswers: what changes answers is not made unless that is accepted,
// and then the cover letter and the patch name every change with its example.
func TestChangedAnswers(t *testing.T) {
	for _, text := range []string{"module-sort", "module-sort,module-scan"} {
		t.Run(text, func(t *testing.T) {
			o := options(t, "7.3", filepath.Join(t.TempDir(), "out"), 4)
			var err error
			if o.Series, o.Values, err = Compose(templates.FS, text); err != nil {
				t.Fatal(err)
			}
			if text == "module-sort" {
				if o.Series, err = Load(patches.FS, templates.FS, text); err != nil {
					t.Fatal(err)
				}
			}
			_, err = Generate(t.Context(), o)
			if !errors.Is(err, ErrSemantics) || !strings.Contains(err.Error(), "make module-index instead") || !strings.Contains(err.Error(), "--accept-semantic-change") {
				t.Errorf("%v, want ErrSemantics, the series to make instead and the flag", err)
			}
			if _, err := os.Stat(o.Out); err == nil {
				t.Error("it was made all the same")
			}

			o.AcceptSemanticChange, o.SignOff = true, true
			m, err := Generate(t.Context(), o)
			if err != nil {
				t.Fatal(err)
			}
			files := read(t, o.Out)
			changes := o.Series.Mechanisms[0].Semantics.Changes
			if len(changes) < 6 {
				t.Errorf("only %d changes are described", len(changes))
			}
			for _, name := range []string{"0000-cover-letter.patch", m.Patches[0].File} {
				flat := strings.Join(strings.Fields(files[name]), " ")
				for _, c := range changes {
					if want := c.Answer + " Example: " + c.Example; !strings.Contains(flat, want) {
						t.Errorf("%s does not say %q", name, want)
					}
				}
				if strings.Contains(flat, "(livepatch counts them) does not change") {
					t.Errorf("%s says that no order changes", name)
				}
			}
			checkStyle(t, o)
		})
	}
}

// TestReviews makes ftrace-module as it was before and after its review, on both
// trees. The code has what the review agreed on or has it not, and the first
// version names its faults.
func TestReviews(t *testing.T) {
	for _, treeName := range []string{"6.12", "7.3"} {
		for _, tt := range []struct {
			review string
			has    []string
			lacks  []string
		}{
			{
				"v1",
				[]string{
					"+\trcu_read_lock();", "+\tkallsyms = rcu_dereference(mod->kallsyms);", "+\tkvfree(syms);",
					"Review has found", "RCU section that ends before it is used", "ftrace_lock is taken", "without any record",
				},
				[]string{"+\t\tprocess_cached_mods(mod->name);", "__free(kvfree)", "num_ftrace_callsites"},
			},
			{
				"v2",
				[]string{
					"+\tkallsyms = rcu_dereference_raw(mod->kallsyms);", "+\t\tprocess_cached_mods(mod->name);\n+\t\treturn;",
					"__free(kvfree) = ftrace_mod_syms_alloc(mod);", "+\tif (!mod->num_ftrace_callsites)\n+\t\treturn NULL;",
				},
				[]string{"rcu_read_lock", "+\tkvfree(", "Review has found", "goto out_cached"},
			},
		} {
			t.Run(treeName+"/"+tt.review, func(t *testing.T) {
				o := options(t, treeName, filepath.Join(t.TempDir(), "out"), 4)
				var err error
				if o.Series, err = Load(patches.FS, templates.FS, "ftrace-module"); err != nil {
					t.Fatal(err)
				}
				o.Values, o.SignOff = map[string]string{"review": tt.review}, true
				m, err := Generate(t.Context(), o)
				if err != nil {
					t.Fatal(err)
				}
				if m.Parameters["review"] != tt.review {
					t.Errorf("the manifest has review %q", m.Parameters["review"])
				}
				text := read(t, o.Out)[m.Patches[0].File]
				flat := strings.Join(strings.Fields(text), " ")
				for _, want := range append(tt.has, "return (addra > addrb) - (addra < addrb);") {
					if !strings.Contains(text, want) && !strings.Contains(flat, want) {
						t.Errorf("the patch lacks %q", want)
					}
				}
				for _, no := range tt.lacks {
					if strings.Contains(text, no) {
						t.Errorf("the patch has %q", no)
					}
				}
				climb(t, o, check.Style, o.Out)
			})
		}
	}
}

// TestSideBySide puts patches of the core kernel, of modules and of ftrace into
// one series. The Go model is of the core kernel's part of it, and of the others
// where there is none.
func TestSideBySide(t *testing.T) {
	o := options(t, "7.3", filepath.Join(t.TempDir(), "out"), 4)
	var err error
	if o.Series, o.Values, err = Compose(templates.FS, "density=5,module-index,module-scan,ftrace-module=v1"); err != nil {
		t.Fatal(err)
	}
	o.SignOff = true
	m, err := Generate(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	if len(m.Patches) != 4 || len(m.Model) == 0 || m.Parameters["review"] != "v1" {
		t.Errorf("%d patches, %d files of the model, parameters %v", len(m.Patches), len(m.Model), m.Parameters)
	}
	checkStyle(t, o)

	o.Out += "-modules"
	if o.Series, o.Values, err = Compose(templates.FS, "module-index,ftrace-module"); err != nil {
		t.Fatal(err)
	}
	if _, err = Generate(t.Context(), o); err != nil {
		t.Fatal(err)
	}
	files := read(t, o.Out)
	for _, name := range []string{"model/module_index.go", "model/ftrace_module.go"} {
		if files[name] == "" {
			t.Errorf("there is no %s", name)
		}
	}
}
