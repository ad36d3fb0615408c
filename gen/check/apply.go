// SPDX-License-Identifier: GPL-2.0-only

package check

import (
	"context"
	"fmt"
	"os"
	"regexp"
	"strings"

	"kgen/gen/manifest"
)

// applyRung gives the patches to git am one by one. It returns the state of the
// touched files before the series and after each patch that applied.
//
// Offsets are taken as git takes them. There is no fuzz and no three-way merge,
// so that what applies here applies for a maintainer who has only the mails.
func applyRung(ctx context.Context, o Options) ([]state, []manifest.Result, error) {
	o.Progress(fmt.Sprintf("apply: git am, %s", count(len(o.Series.Patches), "patch")))
	dir, err := os.MkdirTemp(o.Series.temp, "scratch-*")
	if err != nil {
		return nil, nil, fmt.Errorf("scratch repository: %w; set TMPDIR to a folder that can be written", err)
	}
	defer os.RemoveAll(dir)
	paths := o.Series.touches()
	base, err := newScratch(ctx, dir, o.Tree, paths)
	if err != nil {
		return nil, nil, err
	}
	states := []state{base}
	var results []manifest.Result
	for i, p := range o.Series.Patches {
		out, err := git(ctx, dir, nil, "-c", "core.hooksPath="+os.DevNull, "am", "--quiet", "--no-3way", "--", p.mail)
		if err != nil {
			return nil, nil, err
		}
		if out.code != 0 {
			messages, err := explainAm(ctx, dir, p, out)
			if err != nil {
				return nil, nil, err
			}
			results = append(results, manifest.Result{Patch: p.Name, Summary: "failed", Messages: messages})
			for _, rest := range o.Series.Patches[i+1:] {
				results = append(results, manifest.Result{Patch: rest.Name, Summary: notReached})
			}
			break
		}
		after, err := readState(dir, paths)
		if err != nil {
			return nil, nil, err
		}
		states = append(states, after)
		results = append(results, manifest.Result{Patch: p.Name, OK: true, Summary: "ok"})
	}
	return states, results, nil
}

// What git says about a patch, and what it means for the one who sent it.
var amReasons = []struct {
	said    *regexp.Regexp
	meaning string
}{
	{regexp.MustCompile(`^error: patch failed: (\S+:\d+)$`), "%s: the lines that this hunk changes are not there as the patch has them; rebase it on this tree"},
	{regexp.MustCompile(`^error: (\S+): does not exist in index$`), "%s: the tree has no such file; an earlier patch is missing, or the series is for another version"},
	{regexp.MustCompile(`^error: (\S+): already exists in (?:index|working directory)$`), "%s: the patch makes this file, and the tree has it already"},
	{regexp.MustCompile(`^error: invalid path '(.*)'$`), "%s: git refuses this path; expected a path inside the kernel tree"},
	{regexp.MustCompile(`^error: corrupt patch at (line \d+|\S+:\d+)$`), "%s of the diff: the mail was cut or wrapped on its way; get it again"},
}

// explainAm says why git am stopped: file and line of the hunk, git's words, and
// what they mean.
func explainAm(ctx context.Context, dir string, p Patch, out output) ([]string, error) {
	var messages []string
	for line := range strings.Lines(out.stderr) {
		line = strings.TrimSpace(line)
		for _, r := range amReasons {
			if m := r.said.FindStringSubmatch(line); m != nil {
				messages = append(messages, fmt.Sprintf(r.meaning, m[1]))
			}
		}
	}
	// The diff without its mail, that is: what git am kept aside.
	reverse, err := git(ctx, dir, nil, "apply", "--reverse", "--check", ".git/rebase-apply/patch")
	if err != nil {
		return nil, err
	}
	if reverse.code == 0 {
		messages = append(messages, "the tree has this change already: it applies in reverse")
	}
	for line := range strings.Lines(out.stderr) {
		line = strings.TrimSpace(line)
		if line != "" && !strings.HasPrefix(line, "hint:") {
			messages = append(messages, "git: "+line)
		}
	}
	return messages, nil
}
