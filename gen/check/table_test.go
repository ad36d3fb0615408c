// SPDX-License-Identifier: GPL-2.0-only

package check

import (
	"strings"
	"testing"
	"unicode/utf8"

	"kgen/gen/manifest"
)

// Whatever the rung, a table fits a terminal of 80 columns, and all of each name
// and of each outcome is in it.
func TestTableFits(t *testing.T) {
	const name = "0003-kallsyms-Share-the-marker-spacing-with-the-host-t.patch"
	outcome := map[Rung]string{Apply: "ok", Style: "0 errors, 0 warnings, 0 checks", Build: "12 built", Agree: "ok (lookups as before)"}
	for _, to := range Rungs {
		r := &Report{To: to, Patches: []string{name, "0002-short.patch"}}
		for _, rung := range Rungs {
			summary := outcome[rung]
			if summary == "" {
				summary = "booted, 12 tests"
			}
			r.Checks = append(r.Checks, manifest.Check{Rung: string(rung), Results: []manifest.Result{{Patch: name, OK: true, Summary: summary}}})
		}
		var b strings.Builder
		r.WriteTable(&b, false)
		for line := range strings.Lines(b.String()) {
			if n := utf8.RuneCountInString(strings.TrimSuffix(line, "\n")); n > 80 {
				t.Errorf("--to %s: %d columns: %s", to, n, line)
			}
		}
		// The parts of the first column, put together again, are the name.
		var first strings.Builder
		for line := range strings.Lines(b.String()) {
			if cells := strings.Split(line, "│"); len(cells) > 2 {
				first.WriteString(strings.TrimSpace(cells[1]))
			}
		}
		if !strings.Contains(first.String(), name) {
			t.Errorf("--to %s: %q is not in\n%s", to, name, b.String())
		}
	}
}

// Neither the name of a foreign patch nor what a tool said of it steers a terminal.
func TestTableShowsControlCharacters(t *testing.T) {
	const name = "0001-a\x1b]0;title\x07.patch"
	r := &Report{To: Apply, Patches: []string{name}, Checks: []manifest.Check{{
		Rung: string(Apply), Results: []manifest.Result{{Patch: name, Summary: "fails", Messages: []string{"error: \x1b[2J"}}},
	}}}
	var b strings.Builder
	r.WriteTable(&b, false)
	if strings.ContainsAny(b.String(), "\x1b\x07") || !strings.Contains(b.String(), `error: \x1b[2J`) {
		t.Errorf("%q", b.String())
	}
}

// What checkpatch says is broken between words, and a command to paste is not.
func TestFindingsFit(t *testing.T) {
	const says = "error TRAILING_STATEMENTS: trailing statements should be on next line, as everybody who reads a patch expects of it"
	const paste = "again: kgen check 'a series with a long name' --tree 7.3 --to agree --only --replay /home/somebody/x.map"
	r := &Report{To: Agree, Patches: []string{"a.patch"}, Checks: []manifest.Check{
		{Rung: string(Style), Results: []manifest.Result{{Patch: "a.patch", Summary: "1 error", Messages: []string{says}}}},
		{Rung: string(Agree), Results: []manifest.Result{{Patch: "a.patch", Summary: "1 failure", Messages: []string{paste}}}},
	}}
	var b strings.Builder
	r.WriteTable(&b, false)
	for line := range strings.Lines(b.String()) {
		if n := utf8.RuneCountInString(strings.TrimSuffix(line, "\n")); n > 80 && !strings.Contains(line, paste) {
			t.Errorf("%d columns: %s", n, line)
		}
	}
	if !strings.Contains(b.String(), paste) || !strings.Contains(strings.Join(strings.Fields(b.String()), " "), says) {
		t.Errorf("%q or %q is not in\n%s", says, paste, b.String())
	}
}
