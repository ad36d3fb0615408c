// SPDX-License-Identifier: GPL-2.0-only

package modharness

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"kgen/gen/csrc"
)

// formFunction is what the steps of formSteps become.
const formFunction = "kshim_form"

// The steps of load_module() that come when the module lies in memory with its
// symbols moved, up to the first that lets ftrace see it.
const (
	formFrom  = "err = post_relocation("
	formUntil = "ftrace_module_init(mod);"
)

var gotoLabel = regexp.MustCompile(`\bgoto\s+(\w+);`)

// formSteps cuts the steps out of load_module(), which does too much else to be
// taken whole, and makes a function of them, so that what a series adds there
// runs. Every error leads to its end.
func formSteps(src []byte) ([]byte, error) {
	items := csrc.Parse(mainFile, src).Items()
	i := slices.IndexFunc(items, func(it csrc.Item) bool {
		return slices.Equal(it.Names, []string{"load_module"}) && strings.Contains(it.Text, formFrom)
	})
	if i < 0 {
		return nil, fmt.Errorf("%s: %w: expected %q in load_module(); found none", mainFile, csrc.ErrMissing, formFrom)
	}
	_, steps, _ := strings.Cut(items[i].Text, formFrom)
	steps, _, ok := strings.Cut(steps, formUntil)
	if !ok {
		return nil, fmt.Errorf("%s: %w: expected %q behind %q in load_module(); found none", mainFile, csrc.ErrMissing, formUntil, formFrom)
	}
	var labels []string
	for _, m := range gotoLabel.FindAllStringSubmatch(steps, -1) {
		if !slices.Contains(labels, m[1]) {
			labels = append(labels, m[1])
		}
	}
	var b strings.Builder
	fmt.Fprintf(&b, "\nstatic long %s(struct module *mod, struct load_info *info, const char *uargs, char *args)\n{\n\tlong err;\n\t%s%s\n\treturn 0;\n", formFunction, formFrom, steps)
	for _, label := range labels {
		fmt.Fprintf(&b, "%s:\n", label)
	}
	b.WriteString("\treturn err;\n}\n")
	return []byte(b.String()), nil
}
