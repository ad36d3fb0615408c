// SPDX-License-Identifier: GPL-2.0-only

package check

import (
	"context"
	"fmt"
	"strings"

	"kgen/gen/manifest"
)

// judgeBase takes note of what the compiler says about the tree itself. Targets
// that do not build there cannot count against a patch.
func (b *builder) judgeBase(ctx context.Context, built []target, said []diagnostic, notes []string) (manifest.Result, error) {
	b.known.update(built, said)
	res := manifest.Result{OK: true, Messages: b.unsaid(notes)}
	for _, t := range built {
		if !b.built(t.name) {
			b.broken[t.name] = true
			res.Messages = append(res.Messages, b.unsaid([]string{brokenNote(t)})...)
		}
	}
	if len(b.broken) == len(built) {
		// Is it the targets, or does nothing build at all?
		out, err := b.w.compile(ctx, "prepare")
		if err != nil {
			return res, err
		}
		if out.code != 0 {
			return res, fmt.Errorf("%s: %w: %s; see %s", b.o.Tree.Dir, ErrBase, whyStopped(diagnostics(out, b.w.path("tree")), out), b.w.path("log"))
		}
	}
	res.Summary = fmt.Sprintf("%d built", len(built)-len(b.broken))
	return res, nil
}

func brokenNote(t target) string {
	return fmt.Sprintf("not built: %s: does not compile without the series either", t.name)
}

// whyStopped is the line that explains best why make stopped.
func whyStopped(said []diagnostic, out output) string {
	for _, d := range said {
		if d.fatal {
			return d.text
		}
	}
	return out.last()
}

// judge compares what the compiler says after a patch with what it said before.
func (b *builder) judge(ctx context.Context, patch string, built []target, said []diagnostic, outs []output, notes []string) (manifest.Result, error) {
	res := manifest.Result{Patch: patch}
	errors, warnings := 0, 0
	for _, d := range b.known.fresh(said) {
		if d.fatal {
			errors++
			res.Messages = append(res.Messages, d.text)
		} else {
			warnings++
			res.Messages = append(res.Messages, "new: "+d.text)
		}
	}
	good := 0
	for _, t := range built {
		switch {
		case b.built(t.name):
			good++
			delete(b.broken, t.name)
		case b.broken[t.name]:
			notes = append(notes, brokenNote(t))
		case errors == 0:
			// Something that says no "error:", such as a missing rule.
			errors++
			res.Messages = append(res.Messages, fmt.Sprintf("%s was not built: %s", t.name, makeSaid(outs)))
		}
	}
	for _, t := range built {
		if !t.host || !b.built(t.name) {
			continue
		}
		wrong, err := smokeRun(ctx, b.w, t.name)
		if err != nil {
			return res, err
		}
		if wrong != "" {
			errors++
			res.Messages = append(res.Messages, wrong)
		}
	}
	if len(b.broken) == 0 && errors == 0 && failedAlready(outs) {
		errors++
		res.Messages = append(res.Messages, "make failed: "+makeSaid(outs))
	}
	b.known.update(built, said)
	res.OK = errors == 0 && warnings == 0
	res.Messages = append(res.Messages, b.unsaid(notes)...)
	res.Summary = buildSummary(good, errors, warnings)
	return res, nil
}

// unsaid picks the notes that no earlier result has.
func (b *builder) unsaid(notes []string) []string {
	var out []string
	for _, n := range notes {
		if !b.noted[n] {
			b.noted[n] = true
			out = append(out, n)
		}
	}
	return out
}

func buildSummary(built, errors, warnings int) string {
	var parts []string
	if errors > 0 {
		parts = append(parts, count(errors, "error"))
	}
	if warnings > 0 {
		parts = append(parts, count(warnings, "new warning"))
	}
	switch {
	case len(parts) > 0:
		return strings.Join(parts, ", ")
	case built == 0:
		return "nothing to build"
	}
	return fmt.Sprintf("%d built", built)
}

// makeSaid is the first line in which make says why it stopped.
func makeSaid(outs []output) string {
	for _, out := range outs {
		for line := range strings.Lines(out.stderr) {
			if strings.Contains(line, "***") {
				return strings.TrimSpace(line)
			}
		}
	}
	if len(outs) == 0 {
		return ""
	}
	return outs[len(outs)-1].last()
}
