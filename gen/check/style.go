// SPDX-License-Identifier: GPL-2.0-only

package check

import (
	"context"
	"fmt"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"sync"

	"kgen/gen/manifest"
	"kgen/gen/tree"
)

const checkpatchPath = "scripts/checkpatch.pl"

// styleRung gives each patch to the tree's own checkpatch.pl. Any report, be it
// an error, a warning or a check, fails the patch.
func styleRung(ctx context.Context, o Options) ([]manifest.Result, error) {
	patches := o.Series.Patches
	o.Progress(fmt.Sprintf("style: checkpatch --strict, %s", count(len(patches), "patch")))
	history, err := hasHistory(ctx, o)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	results := make([]manifest.Result, len(patches))
	errs := make([]error, len(patches))
	slots := make(chan struct{}, runtime.NumCPU())
	var wg sync.WaitGroup
	for i, p := range patches {
		wg.Go(func() {
			slots <- struct{}{}
			defer func() { <-slots }()
			results[i], errs[i] = checkpatch(ctx, o, history, p)
			if errs[i] != nil {
				cancel() // the first error is the one to show
			}
		})
	}
	wg.Wait()
	return results, firstError(errs)
}

// firstError prefers the error that caused the others to be cancelled.
func firstError(errs []error) error {
	var first error
	for _, err := range errs {
		if err != nil && (first == nil || first == context.Canceled) {
			first = err
		}
	}
	return first
}

// hasHistory tells whether the tree can say which commits exist. Checkpatch takes
// every commit it does not find for a mistake of the patch, also where there is
// no repository, or a shallow one.
func hasHistory(ctx context.Context, o Options) (bool, error) {
	if o.Tree.Flavour != tree.Git {
		return false, nil
	}
	out, err := git(ctx, o.Tree.Dir, nil, "-c", "safe.directory=*", "rev-parse", "--is-shallow-repository")
	return strings.TrimSpace(out.stdout) == "false", err
}

var (
	styleReport = regexp.MustCompile(`^(ERROR|WARNING|CHECK):([A-Z0-9_]+): (.*)$`)
	stylePlace  = regexp.MustCompile(`^#(\d+): (?:FILE: (.*):)?$`)
	styleTotal  = regexp.MustCompile(`^total: (\d+) errors, (\d+) warnings, (\d+) checks, \d+ lines checked$`)
)

// checkpatch runs checkpatch.pl on one patch. Its exit code is 1 for a report as
// for a bad option, so that only its total says whether it ran.
func checkpatch(ctx context.Context, o Options, history bool, p Patch) (manifest.Result, error) {
	args := []string{
		filepath.Join(o.Tree.Dir, checkpatchPath), "--strict", "--show-types", "--color=never", "--root=" + o.Tree.Dir,
	}
	dir := o.Tree.Dir // its repository is the one to ask for commits
	if !history {
		dir, args = o.Series.temp, append(args, "--ignore=UNKNOWN_COMMIT_ID")
	}
	out, err := proc{
		name: "perl", args: append(args, p.plain), dir: dir,
		// HOME: the user's ~/.checkpatch.conf must not decide. The rest is for its git.
		env: append(gitEnv(), "HOME="+o.Series.temp, "GIT_OPTIONAL_LOCKS=0",
			"GIT_CONFIG_COUNT=1", "GIT_CONFIG_KEY_0=safe.directory", "GIT_CONFIG_VALUE_0=*"),
	}.run(ctx)
	if err != nil {
		return manifest.Result{}, err
	}
	res, ok := readStyle(p.Name, out.stdout)
	if !ok {
		return res, fmt.Errorf("%s: %s gave no total for %s (%s); is the tree complete?", o.Tree.Dir, checkpatchPath, p.Name, out.last())
	}
	return res, nil
}

// readStyle reads what checkpatch printed; ok is false where its total is missing.
// The place of a report is the line of the source file, or of the patch for one
// about the mail.
func readStyle(patch, text string) (res manifest.Result, ok bool) {
	res.Patch = patch
	report := ""
	flush := func(place string) {
		if report != "" {
			res.Messages = append(res.Messages, place+report)
		}
		report = ""
	}
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		if m := styleReport.FindStringSubmatch(line); m != nil {
			flush("")
			report = fmt.Sprintf("%s %s: %s", strings.ToLower(m[1]), m[2], m[3])
		} else if m := stylePlace.FindStringSubmatch(line); m != nil && m[2] != "" {
			flush(m[2] + ": ")
		} else if m != nil {
			flush("line " + m[1] + " of the patch: ")
		} else if m := styleTotal.FindStringSubmatch(line); m != nil {
			flush("")
			var n [3]int
			for i := range n {
				n[i], _ = strconv.Atoi(m[i+1]) // matched as digits
			}
			ok = true
			res.OK = n == [3]int{} && len(res.Messages) == 0
			res.Summary = fmt.Sprintf("%s, %s, %s", count(n[0], "error"), count(n[1], "warning"), count(n[2], "check"))
		}
	}
	return res, ok
}
