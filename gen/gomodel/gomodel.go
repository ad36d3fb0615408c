// SPDX-License-Identifier: GPL-2.0-only

package gomodel

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

var (
	// ErrName: the series' name cannot be the last element of a module path.
	ErrName = errors.New("series name is no module path element")
	// ErrMechanism: no mechanism of this name has a model.
	ErrMechanism = errors.New("mechanism has no Go model")
	// ErrParam: a parameter is missing or outside its range.
	ErrParam = errors.New("parameter of mechanism")
	// ErrConflict: two mechanisms decide the same part of the design.
	ErrConflict = errors.New("mechanisms exclude one another")
)

// Series says what the model is of.
type Series struct {
	Name       string         // of the series; the module becomes kgenmodel/<Name>
	Mechanisms []string       // in the order of the patches
	Params     map[string]int // of all mechanisms by name, such as shift
}

// File is one file of the generated package.
type File struct {
	Name string // without folder
	Data []byte
}

// Files makes the package of the series in memory, sorted by name. The same
// series gives the same bytes.
func Files(s Series) ([]File, error) {
	make := coreFiles
	if onlyOutside(s) {
		make = outsideFiles
	}
	files, err := make(s)
	slices.SortFunc(files, func(a, b File) int { return strings.Compare(a.Name, b.Name) })
	return files, err
}

// coreFiles makes the package of a series about the core kernel's lookups.
func coreFiles(s Series) ([]File, error) {
	d, err := newDesign(s)
	if err != nil {
		return nil, err
	}
	files := []File{
		{"go.mod", goMod(s.Name)},
		{"go.sum", goSum()},
	}
	for _, make := range []func(*design) (File, error){modelFile, encodeFile, specFile, testFile, casesFile} {
		f, err := make(d)
		if err != nil {
			return nil, fmt.Errorf("model of %s: %w", s.Name, err)
		}
		files = append(files, f)
	}
	return files, nil
}

// Emit writes the package of the series into dir, which it makes, and returns
// the names of the files, sorted.
func Emit(dir string, s Series) ([]string, error) {
	files, err := Files(s)
	if err != nil {
		return nil, err
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return nil, err
	}
	var names []string
	for _, f := range files {
		if err := os.WriteFile(filepath.Join(dir, f.Name), f.Data, 0o666); err != nil {
			return nil, err
		}
		names = append(names, f.Name)
	}
	return names, nil
}
