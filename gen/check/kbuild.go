// SPDX-License-Identifier: GPL-2.0-only

package check

import (
	"context"
	"fmt"
	"path"
	"regexp"
	"runtime"
	"slices"
	"strings"
)

// reader reads a file of the tree at one prefix of the series.
type reader func(rel string) ([]byte, error)

// make runs the tree's make on the view, out of tree, and logs what it says.
func (w *workspace) make(ctx context.Context, args ...string) (output, error) {
	all := append([]string{"make", "--no-print-directory", "O=" + w.path("out"), "ARCH=x86_64"}, args...)
	out, err := w.view.command(ctx, all...)
	if err != nil {
		return out, err
	}
	return out, w.logged(all, out)
}

// compile builds the targets with the warnings of W=1. It goes on after an error
// (-k) so that one broken object does not hide another, and keeps the lines of
// each target together (-O).
func (w *workspace) compile(ctx context.Context, targets ...string) (output, error) {
	return w.make(ctx, append([]string{"W=1", "-k", "-Otarget", fmt.Sprintf("-j%d", runtime.NumCPU())}, targets...)...)
}

// mrproper runs kbuild's own on a view of a tree that was built in place. The
// conditions are those of outputmakefile in the tree's Makefile.
func (w *workspace) mrproper(ctx context.Context, v view) error {
	out, err := v.command(ctx, "sh", "-c",
		`if [ -f .config ] || [ -d include/config ] || [ -d arch/x86/include/generated ]; then exec make ARCH=x86_64 mrproper; fi`)
	if err != nil {
		return err
	}
	if out.code != 0 {
		return fmt.Errorf("%w: make mrproper in a copy: %s", ErrBase, out.last())
	}
	return w.logged([]string{"make", "mrproper"}, out)
}

var (
	continued  = regexp.MustCompile(`\\\n`)
	assignment = regexp.MustCompile(`(?m)^[ \t]*([\w./-]+?)-(y|m|objs|\$\((?:subst m,y,\$\()?CONFIG_(\w+)\)+)[ \t]*[:+]?=[ \t]*(.*)$`)
)

// symbolsFor reads from the Makefiles which configuration symbols must be on for
// kbuild to build the object, as kernel/module/kallsyms.o, which needs its own and
// that of its folder. ok is false where no Makefile names the object.
func symbolsFor(read reader, object string) (symbols []string, ok bool) {
	need := make(map[string]bool)
	if !namedIn(read, path.Dir(object), path.Base(object), need, 0) {
		return nil, false
	}
	for dir := path.Dir(object); path.Dir(dir) != "."; dir = path.Dir(dir) {
		// A folder that no Makefile names by itself comes with its parent.
		namedIn(read, path.Dir(dir), path.Base(dir)+"/", need, 0)
	}
	for s := range need {
		symbols = append(symbols, s)
	}
	slices.Sort(symbols)
	return symbols, true
}

// namedIn looks for the word in dir's Makefile, and follows objects made of
// others. Three levels are more than the kernel has.
func namedIn(read reader, dir, word string, need map[string]bool, depth int) bool {
	for _, name := range []string{"Kbuild", "Makefile"} {
		data, err := read(path.Join(dir, name))
		if err != nil {
			continue
		}
		text := continued.ReplaceAllString(string(data), " ")
		for _, m := range assignment.FindAllStringSubmatch(text, -1) {
			list, _, _ := strings.Cut(m[4], "#")
			if !slices.Contains(strings.Fields(list), word) {
				continue
			}
			whole := m[1] == "obj" || m[1] == "lib"
			if !whole && (depth > 2 || !namedIn(read, dir, m[1]+".o", need, depth+1)) {
				continue
			}
			if m[3] != "" {
				need[m[3]] = true
			}
			return true
		}
	}
	return false
}
