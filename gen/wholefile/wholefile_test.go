// SPDX-License-Identifier: GPL-2.0-only

package wholefile

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

func TestWrite(t *testing.T) {
	dir := t.TempDir()
	hello := func(w io.Writer) error {
		_, err := io.WriteString(w, "hello")
		return err
	}
	file := filepath.Join(dir, "file")
	for range 2 { // made, and replaced
		if err := Write(file, hello); err != nil {
			t.Fatal(err)
		}
		if text, err := os.ReadFile(file); err != nil || string(text) != "hello" {
			t.Errorf("%q, %v", text, err)
		}
	}
	if info, err := os.Stat(file); err != nil || info.Mode() != 0o644 {
		t.Errorf("%v, %v", info.Mode(), err)
	}

	own := errors.New("its own")
	if err := Write(file, func(io.Writer) error { return own }); err != own {
		t.Errorf("%v, want the error of write", err)
	}
	if err := os.Mkdir(filepath.Join(dir, "folder"), 0o755); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]error{
		"nowhere/file": fs.ErrNotExist, "file/file": syscall.ENOTDIR, "folder": fs.ErrExist,
	} {
		path = filepath.Join(dir, path)
		err := Write(path, hello)
		var pe *fs.PathError
		if !errors.Is(err, want) || !errors.As(err, &pe) || pe.Path != path {
			t.Errorf("%s: %v, want %v of that name", path, err, want)
		}
	}
	if left, err := filepath.Glob(filepath.Join(dir, ".*")); err != nil || left != nil {
		t.Errorf("%s are left behind", left)
	}
}
