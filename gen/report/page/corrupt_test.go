// SPDX-License-Identifier: GPL-2.0-only

package page

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"kgen/gen/bench/result"
	"kgen/gen/report"
	"kgen/gen/report/reporttest"
)

// holes matches a figure that is none.
var holes = regexp.MustCompile(`\b(NaN|Inf)\b`)

// TestCorrupt puts what cannot be into every place of a run. It is refused, or
// the report is one: no figure in it that is none, no line too long for a mail.
func TestCorrupt(t *testing.T) {
	name := filepath.Join(t.TempDir(), "run.json")
	rng := rand.New(rand.NewPCG(1, 2))
	refused, made := 0, 0
	for _, run := range []*result.Run{reporttest.Made(), reporttest.MadeModule()} {
		for _, v := range run.Variants { // rounds are alike
			for column := range v.Samples {
				v.Samples[column] = v.Samples[column][:2]
			}
		}
		text, err := json.Marshal(run)
		if err != nil {
			t.Fatal(err)
		}
		places(t, text, rng, func(what string, corrupt []byte) {
			if err := os.WriteFile(name, corrupt, 0o666); err != nil {
				t.Fatal(err)
			}
			run, err := report.Load(name)
			if err != nil {
				refused++
				return
			}
			made++
			s := report.Summarize(run)
			text := s.Text(report.MailWidth)
			for line := range strings.Lines(text) {
				if len(strings.TrimSuffix(line, "\n")) > report.MailWidth {
					t.Errorf("%s: a line of %d columns: %s", what, len(line)-1, line)
				}
			}
			write := Markdown
			if rng.IntN(40) == 0 { // figures take long
				write = HTML
			}
			page, err := write(s)
			if err != nil {
				t.Errorf("%s: %v", what, err)
			}
			if hole := holes.Find(append(page, text...)); hole != nil {
				t.Errorf("%s: the report has %s", what, hole)
			}
		})
	}
	if refused < 100 || made < 100 {
		t.Errorf("%d runs were refused and %d reported, want some of both", refused, made)
	}
}

// places calls with for each place in a JSON text and a few values to put there;
// what is in the second half of a list counts as what is in the first.
func places(t *testing.T, text []byte, rng *rand.Rand, with func(what string, corrupt []byte)) {
	var whole any
	if err := json.Unmarshal(text, &whole); err != nil {
		t.Fatal(err)
	}
	values := []any{nil, -1.0, 0.0, 1e308, 1e-308, -1e18, 70.0, "", "\x1b[31m\n", strings.Repeat("A", 300), "<b>|*", []any{}, map[string]any{}}
	var visit func(path string, at any, put func(any))
	visit = func(path string, at any, put func(any)) {
		for _, i := range rng.Perm(len(values))[:3] {
			v := values[i]
			put(v)
			corrupt, err := json.Marshal(whole)
			if err != nil {
				t.Fatal(err)
			}
			with(fmt.Sprintf("%s = %.20q", path, fmt.Sprint(v)), corrupt)
		}
		put(at)
		switch at := at.(type) {
		case map[string]any:
			for _, k := range slices.Sorted(maps.Keys(at)) {
				visit(path+"."+k, at[k], func(v any) { at[k] = v })
			}
		case []any:
			for i, v := range at[:(len(at)+1)/2] {
				visit(path+"[]", v, func(v any) { at[i] = v })
			}
		}
	}
	visit("", whole, func(v any) { whole = v })
}
