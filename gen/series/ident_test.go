// SPDX-License-Identifier: GPL-2.0-only

package series

import (
	"errors"
	"testing"
	"time"
)

func TestParseIdent(t *testing.T) {
	for _, tt := range []struct {
		reason, in string
		want       Ident
		ok         bool
	}{
		{"the usual", "A. Developer <a@example.org>", Ident{"A. Developer", "a@example.org"}, true},
		{"quoted", `"Developer, A." <a@example.org>`, Ident{"Developer, A.", "a@example.org"}, true},
		{"not ASCII", "Ångström <a@example.org>", Ident{"Ångström", "a@example.org"}, true},
		{"no address", "A. Developer", Ident{}, false},
		{"no name", "a@example.org", Ident{}, false},
		{"a second line would be a header of its own", "A <a@example.org>\nBcc: b@example.org", Ident{}, false},
		{"empty", "", Ident{}, false},
	} {
		got, err := ParseIdent(tt.in)
		if got != tt.want || (err == nil) != tt.ok {
			t.Errorf("%s: ParseIdent(%q) = %v, %v", tt.reason, tt.in, got, err)
		}
	}
}

func TestDates(t *testing.T) {
	want := time.Unix(1764374400, 0) // 2025-11-29
	for _, in := range []string{"2025-11-29", "2025-11-29T00:00:00Z", "2025-11-29T02:00:00+02:00", "Sat, 29 Nov 2025 00:00:00 +0000", "1764374400", "@1764374400"} {
		if got, err := ParseDate(in); err != nil || !got.Equal(want) {
			t.Errorf("ParseDate(%q) = %v, %v", in, got, err)
		}
	}
	for _, in := range []string{"", "yesterday", "-5", "29.11.2025", "99999999999999", "@9223372036854775807"} {
		if got, err := ParseDate(in); err == nil {
			t.Errorf("ParseDate(%q) = %v, want an error", in, got)
		}
	}

	tree := time.Unix(1000, 0)
	t.Setenv("SOURCE_DATE_EPOCH", "")
	if got, err := DefaultDate(tree); err != nil || !got.Equal(tree) {
		t.Errorf("without SOURCE_DATE_EPOCH: %v, %v, want the tree's date", got, err)
	}
	t.Setenv("SOURCE_DATE_EPOCH", "1764374400")
	if got, err := DefaultDate(tree); err != nil || !got.Equal(want) {
		t.Errorf("with SOURCE_DATE_EPOCH: %v, %v", got, err)
	}
	t.Setenv("SOURCE_DATE_EPOCH", "noon")
	if _, err := DefaultDate(tree); err == nil {
		t.Error("SOURCE_DATE_EPOCH=noon is taken")
	}
}

func TestDefaultIdent(t *testing.T) {
	t.Setenv("HOME", t.TempDir())
	t.Setenv("GIT_CONFIG_NOSYSTEM", "1")
	t.Setenv("GIT_CONFIG_GLOBAL", "/dev/null")
	t.Setenv("GIT_AUTHOR_NAME", "")
	t.Setenv("GIT_AUTHOR_EMAIL", "")
	if got, err := DefaultIdent(t.Context(), t.TempDir()); !errors.Is(err, ErrNoAuthor) {
		t.Errorf("nobody is configured: %v, %v, want ErrNoAuthor", got, err)
	}
	t.Setenv("GIT_AUTHOR_NAME", "A")
	t.Setenv("GIT_AUTHOR_EMAIL", "a@example.org")
	if got, err := DefaultIdent(t.Context(), t.TempDir()); err != nil || got != (Ident{"A", "a@example.org"}) {
		t.Errorf("from the environment: %v, %v", got, err)
	}
}

func TestCheckFlags(t *testing.T) {
	for _, good := range []string{"PATCH", "RFC PATCH", "PATCH bpf-next", "PATCH v6.12.y", "RESEND PATCH"} {
		if err := CheckPrefix(good); err != nil {
			t.Error(err)
		}
	}
	for _, bad := range []string{"", "PATCH]", "[PATCH", "A\nB", " PATCH"} {
		if CheckPrefix(bad) == nil {
			t.Errorf("prefix %q is taken", bad)
		}
	}
	for _, good := range []string{"", "0123456789ab", "93f51579e7df248780214094418f205253383cc5"} {
		if err := CheckCommit(good); err != nil {
			t.Error(err)
		}
	}
	for _, bad := range []string{"HEAD", "0123", "0123456789AB", "0123456789ab\n"} {
		if CheckCommit(bad) == nil {
			t.Errorf("base %q is taken", bad)
		}
	}
}
