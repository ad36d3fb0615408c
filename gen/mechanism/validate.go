// SPDX-License-Identifier: GPL-2.0-only

package mechanism

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"text/template"
)

// uses says which keys an action takes: + must be there, ? may be there. What
// is not listed must not. "text" stands for replace or template, "place" for
// one of before and after.
var uses = map[string]string{
	"replace":            "+find +text ?function ?branch ?count",
	"insert-before":      "+function +text ?branch ?find",
	"insert-after":       "+function +text ?branch ?find",
	"replace-comment":    "+function +find +text ?branch",
	"replace-function":   "+function +text ?branch",
	"delete-function":    "+function ?branch",
	"insert-before-item": "+find +text",
	"insert-after-item":  "+find +text",
	"replace-item":       "+find +text",
	"include":            "+text ?after",
	"new-file":           "+text",
	"kconfig":            "+place +text",
	"makefile":           "+place +text",
	"maintainers":        "+text",
}

// validate finds what is wrong with a description before any tree is read.
func (m *Mechanism) validate(folder string) error {
	switch {
	case m.Name != folder:
		return fmt.Errorf("name is %q, the folder is %q", m.Name, folder)
	case m.Summary == "" || strings.Contains(m.Summary, "\n"):
		return errors.New("summary must be one line")
	case len(m.edits) == 0:
		return errors.New("no [[edit]]")
	case len(m.present) == 0:
		return errors.New("no [[present]], so no tree could have it already")
	}
	for _, p := range m.Params {
		if p.Name == "" || p.Meaning == "" || p.Min > p.Default || p.Default > p.Max {
			return fmt.Errorf("[[param]] %q needs a name, a meaning and min <= default <= max", p.Name)
		}
	}
	if err := m.Semantics.validate(); err != nil {
		return err
	}
	for _, p := range m.present {
		if err := p.validate(); err != nil {
			return err
		}
	}
	for _, v := range m.values {
		if err := v.validate(m); err != nil {
			return err
		}
	}
	for _, a := range m.require {
		if err := a.validate(); err != nil {
			return err
		}
	}
	for _, r := range m.readers {
		if r.Of == "" || len(r.In) == 0 || r.Now == "" {
			return fmt.Errorf("[[readers]] of %q needs of, in and now", r.Of)
		}
	}
	unused := maps.Clone(m.fragments)
	for _, e := range m.edits {
		if err := e.validate(m); err != nil {
			return err
		}
		delete(unused, e.Template)
	}
	for _, f := range slices.Sorted(maps.Keys(unused)) {
		return fmt.Errorf("%s is used by no [[edit]]", f)
	}
	return nil
}

func (a anchor) validate() error {
	n := 0
	for _, s := range []string{a.Function, a.Declaration, a.Define} {
		if s != "" {
			n++
		}
	}
	if a.File == "" || n != 1 || (a.Statement != "" || a.Branch != "") && a.Function == "" {
		return fmt.Errorf("[[require]] of %q needs a file and one of function, declaration and define; statement and branch need a function", a.File)
	}
	return nil
}

func (e edit) validate(m *Mechanism) error {
	rule, ok := uses[e.action()]
	if !ok {
		return fmt.Errorf("%s: action %q is none of %s", e.where(m), e.Action, strings.Join(slices.Sorted(maps.Keys(uses)), ", "))
	}
	place := e.Before
	if place == "" {
		place = e.After
	}
	if strings.Contains(rule, "+place") && e.Before != "" && e.After != "" {
		return fmt.Errorf("%s: before and after; one of them", e.where(m))
	}
	// replace = "" deletes, so for replacing actions no text is a text too.
	text := e.Replace + e.Template
	if strings.HasPrefix(e.action(), "replace") && text == "" {
		text = "none"
	}
	count := ""
	if e.Count != 0 {
		count = fmt.Sprint(e.Count)
	}
	for _, k := range []struct{ key, value string }{
		{"file", e.File}, {"function", e.Function}, {"branch", e.Branch}, {"find", e.Find},
		{"count", count}, {"place", place}, {"text", text},
	} {
		must := k.key == "file" || strings.Contains(rule, "+"+k.key)
		may := must || strings.Contains(rule, "?"+k.key) || k.key == "place" && strings.Contains(rule, "?after") && e.Before == ""
		if must && k.value == "" {
			return fmt.Errorf("%s: %s needs %s", e.where(m), e.action(), k.key)
		}
		if !may && k.value != "" {
			return fmt.Errorf("%s: %s takes no %s", e.where(m), e.action(), k.key)
		}
	}
	return e.validateText(m)
}

// validateText makes sure that there is one text, and that it is a template.
func (e edit) validateText(m *Mechanism) error {
	if e.Branch != "" && e.Function == "" {
		return fmt.Errorf("%s: branch needs a function", e.where(m))
	}
	if e.Count < 0 {
		return fmt.Errorf("%s: count %d is no number of matches", e.where(m), e.Count)
	}
	if e.Replace != "" && e.Template != "" {
		return fmt.Errorf("%s: replace and template; one of them", e.where(m))
	}
	if e.Template != "" {
		if _, ok := m.fragments[e.Template]; !ok {
			return fmt.Errorf("%s: there is no %s; fragments are named *.tmpl", e.where(m), e.Template)
		}
	}
	for _, t := range []string{e.Replace, m.fragments[e.Template], e.When} {
		if _, err := template.New(e.where(m)).Parse(t); err != nil {
			return err
		}
	}
	return nil
}

// where names an edit for messages.
func (e edit) where(m *Mechanism) string {
	for i := range m.edits {
		if m.edits[i] == e {
			return fmt.Sprintf("[[edit]] %d (%s)", i+1, e.File)
		}
	}
	return "[[edit]] of " + e.File
}
