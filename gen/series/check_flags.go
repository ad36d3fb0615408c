// SPDX-License-Identifier: GPL-2.0-only

package series

import (
	"fmt"
	"regexp"
)

var (
	goodPrefix = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9 ._/-]{0,40}\z`)
	goodCommit = regexp.MustCompile(`^[0-9a-f]{12,64}\z`)
)

// CheckPrefix refuses a subject prefix that would not survive in a mail header
// or that says what another flag says.
func CheckPrefix(prefix string) error {
	if !goodPrefix.MatchString(prefix) {
		return fmt.Errorf("%q: expected words such as PATCH, RFC PATCH or PATCH bpf-next", prefix)
	}
	return nil
}

// CheckCommit refuses what cannot be the id of a commit. Empty means none.
func CheckCommit(id string) error {
	if id != "" && !goodCommit.MatchString(id) {
		return fmt.Errorf("%q: expected a commit id of 12 to 64 hex digits", id)
	}
	return nil
}
