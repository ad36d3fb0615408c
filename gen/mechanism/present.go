// SPDX-License-Identifier: GPL-2.0-only

package mechanism

import (
	"errors"
	"fmt"
	"io/fs"

	"kgen/gen/csrc"
)

// presence is one sign that a tree has the mechanism already.
type presence struct {
	File     string `toml:"file"`
	Define   string `toml:"define"`
	Function string `toml:"function"`
	Branch   string `toml:"branch"`
	Contains string `toml:"contains"`
	Lacks    string `toml:"lacks"`
}

// Upstream says whether the tree has the mechanism already: all the signs of
// [[present]] hold.
func (m *Mechanism) Upstream(src Source) (bool, error) {
	for _, p := range m.present {
		if ok, err := p.holds(src); !ok || err != nil {
			return false, err
		}
	}
	return len(m.present) > 0, nil
}

func (p presence) holds(src Source) (bool, error) {
	text, err := src.ReadFile(p.File)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil || p.Define == "" && p.Function == "" {
		return err == nil, err
	}
	f := parse(p.File, text)
	if p.Define != "" {
		return f.Defines(p.Define), nil
	}
	fn, err := f.Function(p.Function, p.Branch)
	switch {
	case errors.Is(err, csrc.ErrAmbiguous):
		return false, err
	case err != nil: // there is none
		return false, nil
	}
	switch {
	case p.Contains != "":
		return f.In(fn).Contains(p.Contains)
	case p.Lacks != "":
		has, err := f.In(fn).Contains(p.Lacks)
		return !has, err
	}
	return true, nil
}

func (p presence) validate() error {
	switch {
	case p.File == "":
		return errors.New("[[present]] without file")
	case p.Define != "" && p.Function != "":
		return fmt.Errorf("[[present]] of %s: define and function; use two", p.File)
	case (p.Contains != "" || p.Lacks != "" || p.Branch != "") && p.Function == "":
		return fmt.Errorf("[[present]] of %s: contains, lacks and branch need a function", p.File)
	case p.Contains != "" && p.Lacks != "":
		return fmt.Errorf("[[present]] of %s: contains and lacks; use two", p.File)
	}
	return nil
}
