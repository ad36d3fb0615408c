// SPDX-License-Identifier: GPL-2.0-only

package series

import (
	"fmt"
	"maps"
	"strings"
	"testing"

	"kgen/gen/check"
)

// shiftTrees are those that TestEveryShiftBuilds builds on. A first build takes
// more than a minute of processor time, so make ladder adds the others.
var shiftTrees = []string{"7.3"}

// TestEveryShiftBuilds builds what the density series leaves at each of the nine
// densities, W=1. The first patch is the series at the usual one.
// The second puts the files that depend on the density beside it, once for each of
// the others: a run of make costs more than the objects, so all are made in one.
func TestEveryShiftBuilds(t *testing.T) {
	const usual = 4
	for _, name := range shiftTrees {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			o := options(t, name, dir, usual)
			p, err := newPlan(o)
			if err != nil {
				t.Fatal(err)
			}
			files, err := Edited(o)
			if err != nil {
				t.Fatal(err)
			}
			before, others := maps.Clone(p.before), make(map[string][]byte)
			for _, makefile := range []string{"kernel/Makefile", "scripts/Makefile"} {
				if before[makefile], err = o.Tree.ReadFile(makefile); err != nil {
					t.Fatal(err)
				}
				others[makefile] = before[makefile]
			}
			for shift := 0; shift <= 8; shift++ {
				if shift != usual {
					beside(t, others, files, options(t, name, dir, shift), shift)
				}
			}
			s, err := newScratch(o.Author, o.Date, nil)
			if err != nil {
				t.Fatal(err)
			}
			defer s.remove()
			s.add(commit{Message: "base\n", Files: before})
			s.add(commit{Message: "kallsyms: Go to the usual density\n\nThe series as it is.\n", Files: files})
			s.add(commit{Message: "kallsyms: Have the other densities beside it\n\nAll at once.\n", Files: others})
			patches, err := s.formatPatch(t.Context(), dir, "PATCH", 1, message{Subject: "kallsyms: Every density", Body: "In two steps.\n"})
			if err != nil {
				t.Fatal(err)
			}
			// Without the cover letter. Style is another test's.
			r := checked(t, check.Options{Tree: o.Tree, To: check.Build, Only: true}, patches[1:]...)
			built := r.Checks[len(r.Checks)-1].Results
			if len(built) != 3 || !built[2].OK || built[2].Summary != "16 built" {
				t.Errorf("%+v, want the base, the usual density, and two files of each of the eight others", built)
			}
		})
	}
}

// beside adds kernel/kallsyms_N.c and scripts/kallsyms_N.c, as the series leaves
// the two files with a shift of N, with the header they share, and has them built.
// Nothing else may depend on the shift.
func beside(t *testing.T, to, usual map[string][]byte, o Options, shift int) {
	t.Helper()
	const header = "kallsyms_internal.h"
	files, err := Edited(o)
	if err != nil {
		t.Fatal(err)
	}
	ofShift := func(name string) string {
		return strings.Replace(name, "kallsyms", fmt.Sprintf("kallsyms_%d", shift), 1)
	}
	for name, text := range files {
		switch name {
		case "kernel/" + header:
			to[ofShift(name)] = text
		case "kernel/kallsyms.c", "scripts/kallsyms.c":
			if n := strings.Count(string(text), header+`"`); n != 1 {
				t.Fatalf("%s includes %s %d times, want once", name, header, n)
			}
			to[ofShift(name)] = []byte(strings.Replace(string(text), header+`"`, ofShift(header)+`"`, 1))
		default:
			if string(text) != string(usual[name]) {
				t.Errorf("%s depends on the shift and is built with one", name)
			}
		}
	}
	to["kernel/Makefile"] = fmt.Appendf(to["kernel/Makefile"], "obj-$(CONFIG_KALLSYMS) += kallsyms_%d.o\n", shift)
	to["scripts/Makefile"] = fmt.Appendf(to["scripts/Makefile"], "hostprogs-always-$(CONFIG_KALLSYMS) += kallsyms_%d\n", shift)
}
