// SPDX-License-Identifier: GPL-2.0-only

package main

import (
	"strings"
	"testing"
	"time"
)

func TestProgress(t *testing.T) {
	steps := func(p *progress) {
		p.show("reading", 0, 0)
		p.show("loading", 17e6, 170e6)
		p.show("loading", 34e6, 170e6)
		p.show("loading", 200e6, 170e6) // more than was announced
		p.end()
		p.end()
	}
	tests := []struct {
		reason   string
		terminal bool
		want     string
	}{
		{"a log has a line for every new thing", false, "reading\nloading: 17 of 170 MB, 10%\n"},
		{"a terminal has a line that changes", true,
			"\r\x1b[Kreading\n" +
				"\r\x1b[Kloading: 17 of 170 MB, 10%" +
				"\r\x1b[Kloading: 34 of 170 MB, 20%" +
				"\r\x1b[Kloading: 200 of 170 MB, 100%\n"},
	}
	for _, tt := range tests {
		var b strings.Builder
		p := newProgress(&b)
		if p.terminal {
			t.Fatal("a buffer is taken for a terminal")
		}
		p.terminal = tt.terminal
		steps(p)
		if b.String() != tt.want {
			t.Errorf("%s: got %q, want %q", tt.reason, b.String(), tt.want)
		}
	}

	var b strings.Builder
	p := newProgress(&b)
	p.show("loading", 17e6, 170e6)
	p.last = time.Now().Add(-sparse)
	p.show("loading", 34e6, 170e6)
	p.show("loading", 51e6, 170e6)
	if want := "loading: 17 of 170 MB, 10%\nloading: 34 of 170 MB, 20%\n"; b.String() != want {
		t.Errorf("a log has a line every now and then: got %q, want %q", b.String(), want)
	}
}
