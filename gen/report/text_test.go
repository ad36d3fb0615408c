// SPDX-License-Identifier: GPL-2.0-only

package report_test

import (
	"strings"
	"testing"

	"kgen/gen/report"
	"kgen/gen/report/reporttest"
)

// TestText looks at what a mail may hold and has to say.
func TestText(t *testing.T) {
	run := reporttest.Made()
	run.Variants[0].Name = "wasteful+with a name that no column is wide enough for, shift=4"
	run.Machine.CPU = "Mädé-up CPU"
	runs := append(reporttest.Recorded(t), report.Summarize(run))
	for _, s := range runs {
		checkMail(t, s.Text(report.MailWidth))
	}
	text := runs[len(runs)-1].Text(report.MailWidth)
	for _, want := range []string{"Userspace figures", "Linux 7.3.4", "gcc 12.2.0", "M?d?-up CPU", "Too noisy to rank: walk",
		"* dense ", "  wasteful", "4.0", "1.00?"} {
		if !strings.Contains(text, want) {
			t.Errorf("the text lacks %q:\n%s", want, text)
		}
	}
}

// checkMail wants plain text that survives being quoted.
func checkMail(t *testing.T, text string) {
	t.Helper()
	for i, line := range strings.Split(text, "\n") {
		if len(line) > report.MailWidth {
			t.Errorf("line %d has %d columns: %q", i+1, len(line), line)
		}
		if strings.TrimRight(line, " ") != line {
			t.Errorf("line %d ends in a space: %q", i+1, line)
		}
	}
	for i := range len(text) {
		if text[i] > '~' {
			t.Fatalf("byte %d is %#x, want ASCII", i, text[i])
		}
	}
}

func TestFigures(t *testing.T) {
	for v, want := range map[float64]string{0.126: "0.13", 9.996: "10.0", 99.96: "100", 1234.5: "1,235", 2237926: "2,237,926"} {
		if got := report.Figure(v); got != want {
			t.Errorf("Figure(%v) = %s, want %s", v, got, want)
		}
	}
	if got := report.Comma(-135763); got != "-135,763" {
		t.Errorf("Comma(-135763) = %s", got)
	}
	if got := report.UnitFor(13.6e6).Write(13.6e6); got != "13,600" {
		t.Errorf("13.6 ms is written as %s us", got)
	}
}
