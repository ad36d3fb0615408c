// SPDX-License-Identifier: GPL-2.0-only

package page

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"html"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"kgen/gen/bench/result"
	"kgen/gen/report"
	"kgen/gen/report/reporttest"
)

// hostile is a run whose names are markup in either language.
func hostile() *result.Run {
	run := reporttest.Made()
	run.Variants[0].Name = `<script>alert("x")</script> | *two* ~`
	run.Map = "![x](a.png) `code`"
	run.Machine.CPU = `<img src="http://example.org/x.png">`
	return run
}

// TestHTML looks for what a page must have and must not.
func TestHTML(t *testing.T) {
	run := hostile()
	page, err := HTML(report.Summarize(run))
	if err != nil {
		t.Fatal(err)
	}
	again, err := HTML(report.Summarize(run))
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(page, again) {
		t.Error("two pages of one run differ")
	}
	for _, never := range []string{"<script", "<img", "http://", "https://"} {
		for _, at := range regexp.MustCompile(regexp.QuoteMeta(never)+".{0,60}").FindAllString(string(page), -1) {
			if !strings.HasPrefix(at, `http://www.w3.org/2000/svg"`) && !strings.HasPrefix(at, "http://example.org/x.png&#34;&gt;") {
				t.Errorf("the page has %s", at)
			}
		}
	}
	for _, want := range []string{report.Userspace, "Too noisy to rank: walk", "What was claimed on the list", "<svg ", "1,476 lookups"} {
		if !strings.Contains(string(page), html.EscapeString(want)) && !strings.Contains(string(page), want) {
			t.Errorf("the page lacks %q", want)
		}
	}

	// The raw data that can be saved is the run.
	m := regexp.MustCompile(`href="data:application/json;base64,([^"]+)"`).FindSubmatch(page)
	if m == nil {
		t.Fatal("no link to the raw data")
	}
	data, err := base64.StdEncoding.DecodeString(html.UnescapeString(string(m[1])))
	if err != nil {
		t.Fatal(err)
	}
	saved := new(result.Run)
	if err := json.Unmarshal(data, saved); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(run, saved); diff != "" {
		t.Errorf("the raw data is another run:\n%s", diff)
	}
}

// TestMarkdown wants every table to be one: as many cells in a row as in its
// heading, whatever the names are.
func TestMarkdown(t *testing.T) {
	text, err := Markdown(report.Summarize(hostile()))
	if err != nil {
		t.Fatal(err)
	}
	cells := regexp.MustCompile(`(^|[^\\])\|`)
	width := 0
	for i, line := range strings.Split(string(text), "\n") {
		if !strings.HasPrefix(line, "|") {
			width = 0
			continue
		}
		n := len(cells.FindAllString(line, -1))
		if width == 0 {
			width = n
		}
		if n != width {
			t.Errorf("line %d has %d cells, its table %d: %s", i+1, n-1, width-1, line)
		}
	}
	for _, want := range []string{report.Userspace, "| stock (again) |", "4.0", "### Thread 004", "not measured"} {
		if !strings.Contains(string(text), want) {
			t.Errorf("the text lacks %q", want)
		}
	}
	for _, never := range []string{"<script", "<img", "![", " `code"} {
		if strings.Contains(string(text), never) {
			t.Errorf("a name got into the text as markup: %s", never)
		}
	}
}

// TestModule makes pages of a run in a module, alone and behind another.
func TestModule(t *testing.T) {
	core, module := report.Summarize(reporttest.Made()), report.Summarize(reporttest.MadeModule())
	for reason, runs := range map[string][]*report.Summary{"alone": {module}, "behind another": {core, module}} {
		text, err := Markdown(runs...)
		if err != nil {
			t.Fatal(err)
		}
		page, err := HTML(runs...)
		if err != nil {
			t.Fatal(err)
		}
		for _, want := range []string{
			"The module made: 4,000 symbols, 1,000 records (made.ko)", "What is built, and when it pays",
			"sorted answers otherwise than stock", "The stock code takes 10,100 us for a life of the module made",
			"0 bytes of memory while the module is loaded, 4,000 at most", "array: 1,000 us to build",
		} {
			if !strings.Contains(string(text), want) || !strings.Contains(string(page), want) {
				t.Errorf("%s: a page lacks %q", reason, want)
			}
		}
		if got, want := strings.Contains(string(page), `id="figures"`), len(runs) > 1; got != want {
			t.Errorf("%s: figures %v, want %v", reason, got, want)
		}
		if got, want := strings.Count(string(text), "### Counts and costs"), len(runs)-1; got != want {
			t.Errorf("%s: %d tables of counts, want %d", reason, got, want)
		}
	}
}

// TestFewRounds makes the pages of a run whose medians have no interval.
func TestFewRounds(t *testing.T) {
	run := reporttest.Made()
	for _, v := range run.Variants {
		for column, samples := range v.Samples {
			v.Samples[column] = samples[:2]
		}
	}
	html, err := HTML(report.Summarize(run))
	if err != nil {
		t.Fatal(err)
	}
	text, err := Markdown(report.Summarize(run))
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(html), "too few rounds") || !strings.Contains(string(text), " +-- |") || strings.Contains(string(html)+string(text), "Inf") {
		t.Error("nothing says that there were too few rounds for an interval")
	}
}

// TestEveryRun wants a run of a million symbols beside the first, and says of
// each what it is of.
func TestEveryRun(t *testing.T) {
	large := reporttest.Made()
	large.Symbols, large.Map = 1000000, "derived names"
	page, err := HTML(report.Summarize(reporttest.Made()), report.Summarize(large))
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []string{"25,600 symbols (made-up symbols), Linux 7.3.4", "1,000,000 symbols (derived names), Linux 7.3.4"} {
		if !strings.Contains(string(page), fmt.Sprintf(`<h2 id="run-%d">%s</h2>`, i+1, want)) {
			t.Errorf("no part about %s", want)
		}
	}
}

// TestResults wants docs/results.md to be what the recorded runs say.
func TestResults(t *testing.T) {
	want, err := Markdown(reporttest.Recorded(t)...)
	if err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile("../../../docs/results.md")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		t.Errorf("docs/results.md is not of the runs under docs/runs; make results\n%s", diff)
	}
}

// TestWrite wants every file of a report, and each of them whole or not at all.
func TestWrite(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "a", "b")
	var names []string
	for range 2 { // the second time replaces them
		var err error
		if names, err = Write(dir, reporttest.Recorded(t)...); err != nil {
			t.Fatal(err)
		}
	}
	found, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	if len(found) != len(names) || len(names) < 6 {
		t.Errorf("%d files, want the %d of %v", len(found), len(names), names)
	}
	for _, f := range found {
		if info, err := f.Info(); err != nil || info.Size() == 0 || info.Mode() != 0o644 {
			t.Errorf("%s: %v", f.Name(), info)
		}
	}

	in := filepath.Join(dir, "report.html", "x") // below a file
	if _, err := Write(in, reporttest.Recorded(t)...); !errors.Is(err, ErrOutput) || !strings.Contains(err.Error(), "another -o") {
		t.Errorf("a folder that cannot be: %v, want ErrOutput with a remedy", err)
	}
}
