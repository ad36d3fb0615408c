// SPDX-License-Identifier: GPL-2.0-only

package mechanism

import (
	"kgen/gen/csrc"
)

// edit is one [[edit]] of a description.
type edit struct {
	File     string `toml:"file"`
	Function string `toml:"function"`
	Branch   string `toml:"branch"`
	Action   string `toml:"action"`
	Find     string `toml:"find"`
	Count    int    `toml:"count"`
	Before   string `toml:"before"`
	After    string `toml:"after"`
	Replace  string `toml:"replace"`
	Template string `toml:"template"`
	When     string `toml:"when"`
}

// make finds the edit's place and adds the change, with the finished text.
func (e edit) make(w *work, text string) error {
	switch e.action() {
	case "new-file":
		return w.create(e.File, text)
	case "kconfig", "makefile", "maintainers":
		src, err := w.text(e.File)
		if err != nil {
			return err
		}
		c, err := e.listChange(src, text)
		if err != nil {
			return err
		}
		w.change(e.File, c)
		return nil
	}
	f, err := w.file(e.File)
	if err != nil {
		return err
	}
	c, err := e.codeChange(f, text)
	if err != nil {
		return err
	}
	w.change(e.File, c)
	return nil
}

// listChange edits the files that are lists of entries.
func (e edit) listChange(src []byte, text string) ([]csrc.Change, error) {
	switch {
	case e.Action == "maintainers":
		return csrc.Maintainers(e.File, src, text)
	case e.Action == "kconfig" && e.Before != "":
		return csrc.KconfigBefore(e.File, src, e.Before, text)
	case e.Action == "kconfig":
		return csrc.KconfigAfter(e.File, src, e.After, text)
	case e.Before != "":
		return csrc.MakefileBefore(e.File, src, e.Before, text)
	}
	return csrc.MakefileAfter(e.File, src, e.After, text)
}

// codeChange edits C.
func (e edit) codeChange(f *csrc.File, text string) ([]csrc.Change, error) {
	switch e.action() {
	case "include":
		return f.Include(text, e.After)
	case "insert-before-item":
		return f.BeforeItem(e.Find, text)
	case "insert-after-item":
		return f.AfterItem(e.Find, text)
	case "replace-item":
		return f.ReplaceItem(e.Find, text)
	}
	if e.Function == "" {
		return f.TopLevel().Replace(e.Find, text, max(e.Count, 1))
	}
	fn, err := f.Function(e.Function, e.Branch)
	if err != nil {
		return nil, err
	}
	switch e.action() {
	case "replace-function":
		return f.ReplaceFunction(fn, text), nil
	case "delete-function":
		return f.DeleteFunction(fn), nil
	case "replace-comment":
		return f.In(fn).ReplaceComment(e.Find, text)
	case "insert-before":
		if e.Find == "" {
			return f.BeforeFunction(fn, text), nil
		}
		return f.In(fn).InsertBefore(e.Find, text)
	case "insert-after":
		if e.Find == "" {
			return f.AfterFunction(fn, text), nil
		}
		return f.In(fn).InsertAfter(e.Find, text)
	}
	return f.In(fn).Replace(e.Find, text, max(e.Count, 1))
}

// action is the one given, or the default.
func (e edit) action() string {
	if e.Action == "" && e.Find != "" {
		return "replace"
	}
	return e.Action
}

// text is the one given or that of the fragment, as a template.
func (e edit) text(m *Mechanism) string { return e.Replace + m.fragments[e.Template] }
