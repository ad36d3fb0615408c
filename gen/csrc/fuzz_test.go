// SPDX-License-Identifier: GPL-2.0-only

package csrc

import (
	"errors"
	"testing"
)

// FuzzEdits throws patterns and texts at source that may be no C at all. An
// edit is refused with one of the sentinels, or its result parses no worse.
func FuzzEdits(f *testing.F) {
	for _, src := range []string{sample, kconfig, maintainers, "int f(", "#if\n#else\n{", "/*", "f(){\\\n}", "#include <"} {
		for _, find := range []string{"x", "a - b", "g(a);", "#define N", ")", ""} {
			f.Add(src, find, "y;\n")
		}
	}
	f.Fuzz(func(t *testing.T, src, find, text string) {
		file := Parse("t.c", []byte(src))
		var tries []func() ([]Change, error)
		try := func(edit func() ([]Change, error)) { tries = append(tries, edit) }
		try(func() ([]Change, error) { return file.TopLevel().Replace(find, text, 1) })
		try(func() ([]Change, error) { return file.BeforeItem(find, text) })
		try(func() ([]Change, error) { return file.AfterItem(find, text) })
		try(func() ([]Change, error) { return file.ReplaceItem(find, text) })
		try(func() ([]Change, error) { return file.Include(text, find) })
		try(func() ([]Change, error) { return KconfigBefore("t", []byte(src), find, text) })
		try(func() ([]Change, error) { return KconfigAfter("t", []byte(src), find, text) })
		try(func() ([]Change, error) { return MakefileBefore("t", []byte(src), find, text) })
		try(func() ([]Change, error) { return Maintainers("t", []byte(src), text) })
		for _, fn := range file.Functions() {
			s := file.In(fn)
			try(func() ([]Change, error) { return s.Replace(find, text, 1) })
			try(func() ([]Change, error) { return s.InsertBefore(find, text) })
			try(func() ([]Change, error) { return s.InsertAfter(find, text) })
			try(func() ([]Change, error) { return s.ReplaceComment(find, text) })
			try(func() ([]Change, error) { return file.DeleteFunction(fn), nil })
			try(func() ([]Change, error) { return file.BeforeFunction(fn, text), nil })
			try(func() ([]Change, error) { return file.AfterFunction(fn, text), nil })
			k, err := file.Fingerprint(Anchor{Function: fn.Name, Statement: find})
			if err == nil {
				if err := file.Verify(Anchor{Function: fn.Name, Statement: find}, []Known{k}); err != nil {
					t.Errorf("not what it is: %v", err)
				}
			}
		}
		for _, edit := range tries {
			changes, err := edit()
			var out []byte
			if err == nil {
				out, err = file.Splice(changes)
			}
			if err != nil && !errors.Is(err, ErrDrift) && !errors.Is(err, ErrEdit) && !errors.Is(err, ErrAmbiguous) {
				t.Errorf("%v", err)
			}
			if err == nil && Parse("t.c", out).Errors() > file.Errors() {
				t.Errorf("the result parses worse:\n%s", out)
			}
		}
	})
}
