// SPDX-License-Identifier: GPL-2.0-only

package series

import (
	"maps"
	"strings"
	"testing"

	"kgen/patches"
	"kgen/templates"
)

// textsOf renders what a composition says, in one line.
func textsOf(t *testing.T, with string, symbols int) string {
	t.Helper()
	o := options(t, "7.3", "", 4)
	var err error
	if o.Series, o.Values, err = Compose(templates.FS, with); err != nil {
		t.Fatal(err)
	}
	o.Scale = Scale{Symbols: symbols}
	p, err := newPlan(o)
	if err != nil {
		t.Fatal(err)
	}
	names := []string{"composed/cover.tmpl"}
	for _, step := range p.steps {
		names = append(names, step.mechanism.Name+"/message.tmpl")
		if strings.HasPrefix(with, "density") || strings.HasSuffix(with, "name-offsets") {
			names = append(names, "density/cover.tmpl")
		}
	}
	if strings.HasSuffix(with, "token-match,name-offsets") {
		names = append(names, "name-offsets/cover.tmpl")
	}
	var all []string
	for _, name := range names {
		m, err := render(patches.FS, name, p.funcs, maps.Clone(p.data))
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, strings.Fields(m.Subject+" "+m.Body)...)
	}
	return strings.Join(all, " ")
}

// At the ends of a parameter and for small tables texts state nothing that is
// not so.
func TestTextsAtEdges(t *testing.T) {
	for _, tt := range []struct {
		reason, with string
		symbols      int
		has, lacks   []string
	}{
		{"a marker at each symbol", "density=0", 184000, []string{"Put a marker at every symbol", "4 bytes in .rodata for every symbol"}, []string{"every symbol, which is 0", "marker every symbol", "at every 1"}},
		{"markers as they are", "density=8", 184000, []string{"Cost: nothing, the spacing stays."}, []string{"add 0 bytes", "0.0 KiB) of"}},
		{"no markers more", "density=8,token-match,name-offsets", 184000, []string{"No table grows."}, []string{"adds 0 bytes", "adds nothing bytes"}},
		{"a marker for sixteen", "density=4", 184000, []string{"Put a marker every 16 symbols"}, []string{"at every 16"}},
		{"a table smaller than a block", "density=4", 10, []string{"up to 9 steps and 4.5 on average"}, []string{"255", "127.5", " 15 steps"}},
		{"one symbol", "density=4", 1, nil, []string{"255", " -1 "}},
		{"each one's cost", "host-limits,perf-test,sub-markers,token-match,hash-order", 184000,
			[]string{"Cost: 21,562 bytes (21.1 KiB) of .rodata for 184,000 symbols.", "Cost: about ", "Cost: no table grows", "Cost: nothing with CONFIG_TEST_KALLSYMS_PERF=n."}, nil},
		{"... without a number of symbols", "static-index,seq-unroll", 0, []string{"Cost: 3 bytes of .rodata for each symbol, less the markers.", "Cost: nothing."}, nil},
		{"... of what is about modules", "module-index,module-scan,ftrace-module", 0,
			[]string{"module, ftrace: Compose module-index, module-scan, ftrace-module", "Cost: 4 bytes of memory for each symbol of a module", "Cost: nothing.", "Cost: the size of an address"}, []string{"kallsyms: Compose"}},
		{"the kernel's and a module's", "density=4,module-scan", 0, []string{"kallsyms, module: Compose density, module-scan"}, nil},
		{"... and of memory", "token-match,batch-index", 184000, []string{"736,000 bytes (718.8 KiB) of memory for 184,000 symbols while a batch is open"}, nil},
	} {
		text := textsOf(t, tt.with, tt.symbols)
		for _, want := range tt.has {
			if !strings.Contains(text, want) {
				t.Errorf("%s: %q is not in\n%s", tt.reason, want, text)
			}
		}
		for _, not := range tt.lacks {
			if strings.Contains(text, not) {
				t.Errorf("%s: %q is in\n%s", tt.reason, not, text)
			}
		}
	}
}
