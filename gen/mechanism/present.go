// SPDX-License-Identifier: GPL-2.0-only

package mechanism

import (
	"errors"
	"fmt"
	"io/fs"
	"regexp"

	"kgen/gen/csrc"
)

// presence is one sign that a tree has the mechanism already.
type presence struct {
	File     string `toml:"file"`
	Define   string `toml:"define"`
	Config   string `toml:"config"`
	Object   string `toml:"object"`
	Function string `toml:"function"`
	Branch   string `toml:"branch"`
	Contains string `toml:"contains"`
	Lacks    string `toml:"lacks"`
}

// Upstream says whether the tree has the mechanism already: all the signs of
// [[present]] hold. Where only some do, the tree has a part of it or something
// else of its name, and the error is csrc.ErrDrift.
func (m *Mechanism) Upstream(src Source) (bool, error) {
	var there, gone *presence
	for i := range m.present {
		p := &m.present[i]
		ok, err := p.holds(src)
		switch {
		case err != nil:
			return false, err
		case ok:
			there = p
		default:
			gone = p
		}
	}
	if there != nil && gone != nil {
		return false, &csrc.DriftError{
			File: gone.File, Expected: gone.String() + ", as " + there.File + " has " + there.String(), Found: "none",
		}
	}
	return there != nil, nil
}

func (p presence) holds(src Source) (bool, error) {
	text, err := src.ReadFile(p.File)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	switch {
	case p.Config != "":
		return regexp.MustCompile(`(?m)^config ` + regexp.QuoteMeta(p.Config) + `$`).Match(text), nil
	case p.Object != "":
		return regexp.MustCompile(`(?m)^obj-\$\(` + regexp.QuoteMeta(p.Object) + `\)`).Match(text), nil
	case p.Define != "":
		return parse(p.File, text).Defines(p.Define), nil
	case p.Function == "":
		return true, nil
	}
	f := parse(p.File, text)
	fn, err := f.Function(p.Function, p.Branch)
	switch {
	case errors.Is(err, csrc.ErrAmbiguous):
		return false, err
	case err != nil: // there is none
		return false, nil
	}
	if p.Contains != "" {
		if has, err := f.In(fn).Contains(p.Contains); !has || err != nil {
			return false, err
		}
	}
	if p.Lacks != "" {
		has, err := f.In(fn).Contains(p.Lacks)
		return !has, err
	}
	return true, nil
}

// String is the sign in words.
func (p presence) String() string {
	switch {
	case p.Config != "":
		return "config " + p.Config
	case p.Object != "":
		return "obj-$(" + p.Object + ")"
	case p.Define != "":
		return "#define " + p.Define
	case p.Contains != "":
		return fmt.Sprintf("%q in %s()", p.Contains, p.Function)
	case p.Lacks != "":
		return fmt.Sprintf("%s() without %q", p.Function, p.Lacks)
	case p.Function != "":
		return p.Function + "()"
	}
	return "a file"
}

func (p presence) validate() error {
	kinds := 0
	for _, k := range []string{p.Define, p.Config, p.Object, p.Function} {
		if k != "" {
			kinds++
		}
	}
	switch {
	case p.File == "":
		return errors.New("[[present]] without file")
	case kinds > 1:
		return fmt.Errorf("[[present]] of %s: more than one of define, config, object and function; use two", p.File)
	case (p.Contains != "" || p.Lacks != "" || p.Branch != "") && p.Function == "":
		return fmt.Errorf("[[present]] of %s: contains, lacks and branch need a function", p.File)
	}
	return nil
}
