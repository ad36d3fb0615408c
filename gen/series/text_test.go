// SPDX-License-Identifier: GPL-2.0-only

package series

import (
	"strings"
	"testing"
	"testing/fstest"
	"text/template"
)

func TestFill(t *testing.T) {
	long := strings.Repeat("word ", 30)
	for _, tt := range []struct{ reason, in, want string }{
		{"paragraphs are joined and broken anew", "a\nb\n\nc\n", "a b\n\nc\n"},
		{"blank lines that templates leave are one", "a\n\n\n\n\nb", "a\n\nb\n"},
		{"a paragraph with an indented line stays", "x:\n  1  2\n  3  4\n\nb\nc", "x:\n  1  2\n  3  4\n\nb c\n"},
		{"trailing spaces go even there", "  1  \n  2", "  1\n  2\n"},
		{"a long word is not broken", strings.Repeat("x", 90), strings.Repeat("x", 90) + "\n"},
	} {
		if got := fill(tt.in); got != tt.want {
			t.Errorf("%s: fill(%q) = %q, want %q", tt.reason, tt.in, got, tt.want)
		}
	}
	for _, line := range strings.Split(fill(long), "\n") {
		if len(line) > lineWidth {
			t.Errorf("a filled line has %d columns: %q", len(line), line)
		}
	}
}

func TestNumbers(t *testing.T) {
	for _, tt := range []struct {
		n    int
		want string
	}{{0, "0"}, {999, "999"}, {1000, "1,000"}, {184000, "184,000"}, {1234567, "1,234,567"}, {-43124, "-43,124"}} {
		if got := comma(tt.n); got != tt.want {
			t.Errorf("comma(%d) = %s, want %s", tt.n, got, tt.want)
		}
	}
	// 16:1 instead of 256:1 for 184,000 symbols, as the review had it.
	if got := kib(43124); got != "42.1" {
		t.Errorf("kib(43124) = %s, want 42.1", got)
	}
	if got := hops(184000, 8); got != 2295 {
		t.Errorf("hops(184000, 8) = %d, want 18 probes of 127.5 = 2295", got)
	}
}

func TestDensityTable(t *testing.T) {
	for _, tt := range []struct {
		reason string
		n      int
		want   []string
	}{
		{"a table of a size", 184000, []string{"256:1 719 0.0 255 2,295", "16:1 11,500 42.1 15 135", "8:1 23,000 87.0 7 63", "1:1 184,000 715.9 0 0"}},
		{"none given: per 1024 symbols", 0, []string{"256:1 4 0 255 127.5", "16:1 64 240 15 7.5"}},
	} {
		got := densityTable(tt.n)
		lines := make(map[string]bool)
		for _, l := range strings.Split(got, "\n") {
			lines[strings.Join(strings.Fields(l), " ")] = true
			if len(l) > 72 || strings.TrimRight(l, " ") != l {
				t.Errorf("%s: line %q is too long for mail or ends in spaces", tt.reason, l)
			}
		}
		for _, w := range tt.want {
			if !lines[w] {
				t.Errorf("%s: no row %q in\n%s", tt.reason, w, got)
			}
		}
	}
}

func TestRender(t *testing.T) {
	texts := fstest.MapFS{
		"good/message.tmpl":  {Data: []byte("subject {{.n}}\n\nbody of {{comma .n}}\nwords")},
		"long/message.tmpl":  {Data: []byte(strings.Repeat("x", 76) + "\n\nbody")},
		"empty/message.tmpl": {Data: []byte("\n\n")},
		"key/message.tmpl":   {Data: []byte("a {{.missing}}")},
	}
	funcs := template.FuncMap{"comma": comma}
	data := map[string]any{"n": 1000}
	got, err := render(texts, "good/message.tmpl", funcs, data)
	if err != nil || got != (message{"subject 1000", "body of 1,000 words\n"}) {
		t.Errorf("render = %+v, %v", got, err)
	}
	for _, bad := range []string{"long", "empty", "key", "nowhere"} {
		if _, err := render(texts, bad+"/message.tmpl", funcs, data); err == nil || !strings.Contains(err.Error(), bad) {
			t.Errorf("render %s: error %v does not name the file", bad, err)
		}
	}
}
