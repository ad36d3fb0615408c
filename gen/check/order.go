// SPDX-License-Identifier: GPL-2.0-only

package check

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

var (
	bracketed = regexp.MustCompile(`^\s*\[([^\]]*)\]\s*`)
	numbered  = regexp.MustCompile(`(?:^|\s)(\d+)/(\d+)$`)
	notSlug   = regexp.MustCompile(`[^A-Za-z0-9._]+`)
)

// title is the subject without [PATCH n/m] and the like.
func (m message) title() string {
	title := m.subject
	for {
		cut := bracketed.FindString(title)
		if cut == "" || cut == title {
			return title
		}
		title = title[len(cut):]
	}
}

// number reads n and m of [PATCH n/m]; ok is false where there are none.
func (m message) number() (n, of int, ok bool) {
	b := bracketed.FindStringSubmatch(m.subject)
	if b == nil {
		return 0, 0, false
	}
	d := numbered.FindStringSubmatch(strings.TrimSpace(b[1]))
	if d == nil {
		return 0, 0, false
	}
	n, errN := strconv.Atoi(d[1])
	of, errM := strconv.Atoi(d[2])
	return n, of, errN == nil && errM == nil
}

// fileName is what git format-patch would call the mail.
func (m message) fileName() string {
	n, _, ok := m.number()
	if !ok {
		n = 1
	}
	slug := strings.Trim(notSlug.ReplaceAllString(m.title(), "-"), "-.")
	return fmt.Sprintf("%04d-%.52s.patch", n, slug)
}

// orderMails picks the patches of a mailbox and puts them in order. Cover letters
// and replies are passed over, replies even when somebody pasted a diff into one.
// Numbered patches must make a whole series; mails without a number stay in the
// order of the mailbox.
func orderMails(name string, all []message) ([]message, error) {
	var patches []message
	for _, m := range all {
		if m.hasDiff() && !strings.HasPrefix(strings.ToLower(m.subject), "re:") {
			patches = append(patches, m)
		}
	}
	if len(patches) == 0 {
		return nil, fmt.Errorf("%w: %s: none of its %d mails has a diff; give the mbox of the whole thread", ErrInput, name, len(all))
	}
	total := 0
	seen := make(map[int]string)
	for _, m := range patches {
		n, of, ok := m.number()
		if !ok {
			if total > 0 {
				return nil, fmt.Errorf("%w: %s: %q has no number, and others have; give the patches one by one", ErrInput, name, m.subject)
			}
			continue
		}
		if other, twice := seen[n]; twice {
			return nil, fmt.Errorf("%w: %s: %q and %q have the same number; leave one version in the mbox", ErrInput, name, other, m.subject)
		}
		if total > 0 && of != total || len(seen) == 0 && m.subject != patches[0].subject {
			return nil, fmt.Errorf("%w: %s: %q does not belong to a series with %q; leave one series in the mbox", ErrInput, name, m.subject, patches[0].subject)
		}
		seen[n], total = m.subject, of
	}
	for n := 1; n <= total; n++ {
		if _, ok := seen[n]; !ok {
			return nil, fmt.Errorf("%w: %s: patch %d of %d is missing; give the mbox of the whole thread", ErrInput, name, n, total)
		}
	}
	slices.SortStableFunc(patches, func(a, b message) int {
		na, _, _ := a.number()
		nb, _, _ := b.number()
		return na - nb
	})
	return patches, nil
}
