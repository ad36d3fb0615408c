// SPDX-License-Identifier: GPL-2.0-only

// Package wholefile writes files that are either complete or not there.
package wholefile

import (
	"bufio"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// Write makes the file at path, or replaces it, in one step: what write gives goes
// to a file beside it that is renamed then. What goes wrong with either is an
// fs.PathError of path; the error of write is returned as it is.
func Write(path string, write func(io.Writer) error) error {
	tmp, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+".*")
	if err != nil {
		return named(path, err)
	}
	defer os.Remove(tmp.Name()) // nothing, once it is renamed
	w := bufio.NewWriter(tmp)
	err = write(w)
	for _, step := range []func() error{w.Flush, func() error { return tmp.Chmod(0o644) }} {
		if err == nil {
			err = step()
		}
	}
	if cerr := tmp.Close(); err == nil {
		err = cerr
	}
	if err == nil {
		err = os.Rename(tmp.Name(), path)
	}
	return named(path, err)
}

// named has an error of the file system name path, where it names the file beside it.
func named(path string, err error) error {
	var pe *fs.PathError
	var le *os.LinkError
	switch {
	case errors.As(err, &pe):
		return &fs.PathError{Op: "write", Path: path, Err: pe.Err}
	case errors.As(err, &le):
		return &fs.PathError{Op: "write", Path: path, Err: le.Err}
	}
	return err
}
