// SPDX-License-Identifier: GPL-2.0-only

package report_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"kgen/gen/report"
	"kgen/gen/report/reporttest"
)

// TestBuildings holds what is built against the figures of the made-up run.
func TestBuildings(t *testing.T) {
	got := report.Summarize(reporttest.MadeModule()).Buildings()
	want := []report.Building{ // by bytes, as rows are
		{Name: "sorted", Built: 200000, Saved: 9950, Records: 21, Whole: 1e7 / 250000, Later: true},
		{Name: "array", Built: 1000000, Saved: 9950, Records: 101, Whole: 1e7 / 1050000},
		{Name: "index", Built: 300000, Saved: 9950, Records: 31, Whole: 1e7 / 350000, Later: true},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if all := report.Summarize(reporttest.Made()).Buildings(); all != nil {
		t.Errorf("%+v of a run of the kernel's symbols, expected none", all)
	}
}

// TestBuildingNever has a design that builds and gains nothing.
func TestBuildingNever(t *testing.T) {
	run := reporttest.MadeModule()
	run.Variants[3].Samples["lock"] = run.Variants[0].Samples["lock"]
	run.Variants[3].Samples["enable"] = run.Variants[0].Samples["enable"]
	b := report.Summarize(run).Buildings()[1]
	if !b.Never || b.Cells()[2] != "never" {
		t.Errorf("%+v, expected that it never pays", b)
	}
}

// TestModuleText wants all that is to be said of a run in a module, in lines that
// a mail can have.
func TestModuleText(t *testing.T) {
	text := report.Summarize(reporttest.MadeModule()).Text(report.MailWidth)
	for line := range strings.SplitSeq(text, "\n") {
		if len(line) > report.MailWidth {
			t.Errorf("%d columns: %s", len(line), line)
		}
	}
	words := strings.Join(strings.Fields(text), " ")
	for _, want := range []string{
		report.Userspace, "kernel/module/kallsyms.c", "made.ko: 4,000 symbols", "1,000 records, of which ftrace enables 990",
		"kept peak", "index 16,000 32,000", "built, us saved, ns records whole later", "array 1,000 9,950 101 9.5 no",
		"sorted answers otherwise than stock, as it declares: 300 of 8,000 answers, 7 of them ftrace's verdicts",
	} {
		if !strings.Contains(words, want) {
			t.Errorf("the text lacks %q:\n%s", want, text)
		}
	}
	if strings.Contains(text, "rodata") {
		t.Error("the text speaks of .rodata, which no design of module lookups touches")
	}
}
