// SPDX-License-Identifier: GPL-2.0-only

package mechanism

import (
	"strings"

	"kgen/gen/csrc"
)

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

// ChangedBy lists those of the mechanisms in a tree that changed the code there
// which Check does not find as it should be. They may be none: then it is
// something else that changed it.
func (m *Mechanism) ChangedBy(src Source, there []*Mechanism) []*Mechanism {
	at, err := m.check(src)
	if err == nil {
		return nil
	}
	with := make(map[string]bool)
	for _, other := range there {
		with[other.Name] = true
	}
	var by []*Mechanism
	for _, other := range there {
		if other.changes(at, other.dataOf(src, with)) {
			by = append(by, other)
		}
	}
	return by
}

// dataOf is what of the texts' data a tree that has the mechanism tells.
func (m *Mechanism) dataOf(src Source, with map[string]bool) map[string]any {
	data := map[string]any{"with": with}
	values, err := m.ValuesOf(src)
	if err != nil {
		return data // then the conditions that need them count as met
	}
	for name, v := range values {
		data[strings.ReplaceAll(name, "-", "_")] = v
	}
	return data
}

// changes says whether an edit of the mechanism changes code, or adds more that
// looks like it.
func (m *Mechanism) changes(at anchor, data map[string]any) bool {
	for _, e := range m.edits {
		if !e.changes(at, e.text(m)) {
			continue
		}
		if e.When != "" {
			if when, err := render(e.where(m)+" when", e.When, data); err == nil && strings.TrimSpace(when) != "true" {
				continue
			}
		}
		return true
	}
	return false
}

func (e edit) changes(at anchor, text string) bool {
	if e.File != at.File || e.Function != at.Function || e.Branch != at.Branch && e.Branch != "" && at.Branch != "" {
		return false
	}
	replaces := e.action() == "replace" || e.Action == "replace-item"
	switch {
	case e.Action == "replace-comment" || e.Action == "include":
		return false
	case e.Action == "replace-function" || e.Action == "delete-function":
		return true
	case at.Statement != "":
		inside := e.Function == "" || e.Find != ""
		return inside && csrc.Overlap(at.Statement, text) || replaces && csrc.Overlap(at.Statement, e.Find)
	case at.Function != "":
		return e.Find != ""
	}
	name := at.Declaration + at.Define
	return replaces && name != "" && csrc.Overlap(name, e.Find)
}
