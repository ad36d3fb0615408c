// SPDX-License-Identifier: GPL-2.0-only

package mechanism

import "strings"

// Against says why two mechanisms cannot be in one tree, or that they can.
func (m *Mechanism) Against(other *Mechanism) (reason string, conflict bool) {
	for _, c := range m.Conflicts {
		if c.With == other.Name {
			return c.Reason, true
		}
	}
	for _, c := range other.Conflicts {
		if c.With == m.Name {
			return c.Reason, true
		}
	}
	return "", false
}

// Replaces says whether the mechanism puts another declaration in the place of
// the one of a name.
func (m *Mechanism) Replaces(name string) bool {
	for _, e := range m.edits {
		if e.Action == "replace-item" && strings.Contains(e.Find, name) {
			return true
		}
	}
	return false
}
