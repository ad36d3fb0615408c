// SPDX-License-Identifier: GPL-2.0-only

package check

import (
	"regexp"
	"strings"
	"testing"

	"kgen/gen/tree/treetest"
)

// A series that is right at its end and wrong before it fails where it is wrong.
func TestAgree(t *testing.T) {
	const file, stock, wrong = "kernel/kallsyms.c", "high = kallsyms_num_syms - 1;", "high = kallsyms_num_syms - 2;"
	dir := treetest.Dir(t, "7.3")
	s := load(t, makePatches(t, dir, []string{file, "kernel/Makefile"}, []edit{
		{"kallsyms: Search less", replace(t, file, stock, wrong)},
		{"kernel: Leave lookups alone", add("kernel/Makefile", "# nothing\n")},
		{"kallsyms: Search more", replace(t, file, wrong, stock)},
	}))
	o := options(t, s, dir, Agree)
	o.Only = true
	r := run(t, o)
	got := results(t, r, Agree)
	if got[0].OK || got[0].Summary != "1 failure" || !strings.Contains(strings.Join(got[0].Messages, "\n"), "map of 1 symbols") {
		t.Errorf("the wrong patch: %+v", got[0])
	}
	if !got[1].OK || got[1].Summary != "ok (lookups as before)" {
		t.Errorf("the patch beside lookups: %+v", got[1])
	}
	if !got[2].OK || !regexp.MustCompile(`^\d{7,} lookups agree$`).MatchString(got[2].Summary) {
		t.Errorf("the right patch: %+v, expected a million lookups that agree", got[2])
	}
	if len(r.Checks) != 2 {
		t.Errorf("%d rungs, expected apply and agree", len(r.Checks))
	}
}

func TestReplayCommandCanBePasted(t *testing.T) {
	dir := treetest.Dir(t, "7.3")
	o := options(t, &Series{args: []string{"v2 (rfc)", "it's.mbox"}}, dir, Agree)
	want := `kgen check 'v2 (rfc)' 'it'\''s.mbox' --tree 7.3 --to agree --only --replay x.map`
	if got := o.replayCommand("x.map"); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}
