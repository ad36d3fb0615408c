// SPDX-License-Identifier: GPL-2.0-only

package series

import (
	"context"
	"errors"
	"fmt"
	"net/mail"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"time"
)

// ErrNoAuthor says that nobody said who the author is.
var ErrNoAuthor = errors.New("no author")

// Ident is who a patch is from.
type Ident struct {
	Name  string
	Email string
}

func (i Ident) String() string { return i.Name + " <" + i.Email + ">" }

// ParseIdent reads "Name <address>".
func ParseIdent(s string) (Ident, error) {
	a, err := mail.ParseAddress(s)
	if err != nil || a.Name == "" || strings.ContainsAny(a.Name+a.Address, "<>\n\r\x00") {
		return Ident{}, fmt.Errorf("author %q: expected \"Name <address>\"", s)
	}
	return Ident{Name: a.Name, Email: a.Address}, nil
}

// DefaultIdent is the author that git would take: GIT_AUTHOR_NAME and
// GIT_AUTHOR_EMAIL, or user.name and user.email as configured for dir, the
// tree. It never takes what git would make up from the host's name.
func DefaultIdent(ctx context.Context, dir string) (Ident, error) {
	name, email := os.Getenv("GIT_AUTHOR_NAME"), os.Getenv("GIT_AUTHOR_EMAIL")
	if _, err := exec.LookPath("git"); err != nil {
		return Ident{}, fmt.Errorf("%w: install the package git", ErrNoGit)
	}
	get := func(key string) string {
		out, err := exec.CommandContext(ctx, "git", "-C", dir, "config", "--get", key).Output()
		if err != nil {
			return ""
		}
		return strings.TrimSpace(string(out))
	}
	if name == "" {
		name = get("user.name")
	}
	if email == "" {
		email = get("user.email")
	}
	if name == "" || email == "" {
		return Ident{}, fmt.Errorf("%w: git has no user.name and user.email; set them with git config --global, or say --author \"Name <address>\"", ErrNoAuthor)
	}
	return Ident{Name: name, Email: email}, nil
}

// ParseDate reads a date as RFC 3339, as YYYY-MM-DD, or as seconds since 1970
// with or without git's @ before them.
func ParseDate(s string) (time.Time, error) {
	for _, layout := range []string{time.RFC3339, time.RFC1123Z, time.DateOnly} {
		if t, err := time.Parse(layout, s); err == nil {
			return t, nil
		}
	}
	if t, ok := sinceEpoch(strings.TrimPrefix(s, "@")); ok {
		return t, nil
	}
	return time.Time{}, fmt.Errorf("date %q: expected 2026-11-29, 2026-11-29T12:00:00Z, or seconds since 1970", s)
}

// DefaultDate is SOURCE_DATE_EPOCH or else the tree's own date, never the
// clock: the same tree and the same flags have to give the same bytes.
func DefaultDate(treeDate time.Time) (time.Time, error) {
	if epoch := os.Getenv("SOURCE_DATE_EPOCH"); epoch != "" {
		t, ok := sinceEpoch(epoch)
		if !ok {
			return time.Time{}, fmt.Errorf("SOURCE_DATE_EPOCH=%q: expected seconds since 1970, up to the year %d", epoch, lastYear)
		}
		return t, nil
	}
	return treeDate.UTC(), nil
}

// lastYear is the last that a mail can have.
const lastYear = 9999

// sinceEpoch reads seconds since 1970.
func sinceEpoch(text string) (time.Time, bool) {
	sec, err := strconv.ParseInt(text, 10, 64)
	t := time.Unix(sec, 0).UTC()
	return t, err == nil && sec >= 0 && t.Year() <= lastYear && t.Year() >= 1970
}
