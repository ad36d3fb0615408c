// SPDX-License-Identifier: GPL-2.0-only

package check

import (
	"fmt"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/bluekeyes/go-gitdiff/gitdiff"
)

// A path from the root: the parser drops its first slash as if it were a prefix.
var rooted = regexp.MustCompile(`(?m)^diff --git "?(?:[ab]/)?/.*`)

// touchedPaths reads which files a diff touches, old and new names, sorted. It
// refuses a path that leads out of the tree, since these files are copied to the
// scratch repository and laid over the tree.
func touchedPaths(diff string) ([]string, error) {
	if line := rooted.FindString(diff); line != "" {
		return nil, fmt.Errorf("%s: an absolute path; expected paths inside the kernel tree, as a/kernel/kallsyms.c", line)
	}
	files, _, err := gitdiff.Parse(strings.NewReader(diff))
	if err != nil {
		return nil, fmt.Errorf("corrupt diff, cut short or edited by hand: %s; make it again with git format-patch", diffFault(err))
	}
	var all []string
	for _, f := range files {
		for _, name := range []string{f.OldName, f.NewName} {
			if name == "" {
				continue // the side that a new or deleted file does not have
			}
			if !insideTree(name) {
				return nil, fmt.Errorf("%s: a path outside the tree; expected paths as a/kernel/kallsyms.c", name)
			}
			all = append(all, name)
		}
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("a diff that names no file; make it again with git format-patch")
	}
	slices.Sort(all)
	return slices.Compact(all), nil
}

// miscount is how the parser says that a hunk was cut short.
var miscount = regexp.MustCompile(`fragment header miscounts lines: [+-]\d+ old, [+-]\d+ new`)

// diffFault is what the parser found, in git's words.
func diffFault(err error) string {
	return miscount.ReplaceAllString(strings.TrimPrefix(err.Error(), "gitdiff: "), "a hunk has not as many lines as its header says")
}

func insideTree(name string) bool {
	if !filepath.IsLocal(name) || path.Clean(name) != name || strings.ContainsAny(name, "\x00\n") {
		return false
	}
	for part := range strings.SplitSeq(name, "/") {
		if strings.EqualFold(part, ".git") {
			return false
		}
	}
	return true
}
