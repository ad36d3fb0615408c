// SPDX-License-Identifier: GPL-2.0-only

package mechanism

import (
	"errors"
	"fmt"
	"io/fs"
	"regexp"
	"strconv"

	"kgen/gen/csrc"
)

// value says how a tree that has the mechanism shows a parameter's value.
type value struct {
	Param    string `toml:"param"`
	File     string `toml:"file"`
	Define   string `toml:"define"`
	Function string `toml:"function"`
	Branch   string `toml:"branch"`
	Contains string `toml:"contains"`
	With     *int   `toml:"with"`
	Without  *int   `toml:"without"`
}

// ValuesOf reads the parameters of the mechanism from a tree that has it, as far
// as [[value]] says how. An error is csrc.ErrDrift where a #define is no number.
func (m *Mechanism) ValuesOf(src Source) (map[string]int, error) {
	found := make(map[string]int)
	for _, v := range m.values {
		n, err := v.read(src)
		if err != nil {
			return nil, err
		}
		found[v.Param] = n
	}
	return found, nil
}

func (v value) read(src Source) (int, error) {
	if v.With != nil {
		has, err := presence{File: v.File, Define: v.Define, Function: v.Function, Branch: v.Branch, Contains: v.Contains}.holds(src)
		if has {
			return *v.With, err
		}
		return *v.Without, err
	}
	text, err := src.ReadFile(v.File)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return 0, err
	}
	if m := regexp.MustCompile(`(?m)^[ \t]*#[ \t]*define[ \t]+` + regexp.QuoteMeta(v.Define) + `[ \t]+(\d+)\b`).FindSubmatch(text); m != nil {
		if n, err := strconv.Atoi(string(m[1])); err == nil {
			return n, nil
		}
	}
	return 0, &csrc.DriftError{File: v.File, What: "#define " + v.Define, Expected: "a number", Found: "none"}
}

func (v value) validate(m *Mechanism) error {
	switch {
	case !m.Params.Has(v.Param) || v.File == "" || (v.Define == "") == (v.Function == ""):
		return fmt.Errorf("[[value]] of %q needs a [[param]], a file and a define or a function", v.Param)
	case (v.With == nil) != (v.Without == nil) || v.Function != "" && v.With == nil:
		return fmt.Errorf("[[value]] of %q: with and without go together, and a function needs them", v.Param)
	case v.Function == "" && v.Branch+v.Contains != "":
		return fmt.Errorf("[[value]] of %q: branch and contains are of a function", v.Param)
	}
	return nil
}
