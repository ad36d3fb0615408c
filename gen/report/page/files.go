// SPDX-License-Identifier: GPL-2.0-only

package page

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"kgen/gen/report"
	"kgen/gen/report/plot"
	"kgen/gen/wholefile"
)

// ErrOutput says that a report cannot be written where it was wanted.
var ErrOutput = errors.New("cannot write the report")

// Write makes the folder dir, if need be, and in it table.txt, the figures as
// SVG and as PNG, and report.html. Each file is replaced in one step, the page
// last, so that a reader never sees half of one. It returns the names of the
// files. The error matches ErrOutput where the folder is at fault.
func Write(dir string, runs ...*report.Summary) ([]string, error) {
	html, err := HTML(runs...)
	if err != nil {
		return nil, err
	}
	type file struct {
		name string
		data []byte
	}
	files := []file{{"table.txt", []byte(runs[0].Text(report.MailWidth))}}
	for _, f := range plot.Figures(runs...) {
		svg, err := f.SVG()
		if err != nil {
			return nil, fmt.Errorf("figure %s: %w", f.Name, err)
		}
		png, err := f.PNG()
		if err != nil {
			return nil, fmt.Errorf("figure %s: %w", f.Name, err)
		}
		files = append(files, file{f.Name + ".svg", svg}, file{f.Name + ".png", png})
	}
	files = append(files, file{"report.html", html})

	dir = filepath.Clean(dir) // or else a/../b makes a as well
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, outputError(dir, err)
	}
	var names []string
	for _, f := range files {
		name := filepath.Join(dir, f.name)
		err := wholefile.Write(name, func(w io.Writer) error {
			_, err := w.Write(f.data)
			return err
		})
		if err != nil {
			return nil, outputError(name, err)
		}
		names = append(names, f.name)
	}
	return names, nil
}

func outputError(name string, err error) error {
	var pe *fs.PathError
	if errors.As(err, &pe) {
		err = pe.Err
	}
	return fmt.Errorf("%w %s: %w; choose another -o, with room and where you may write", ErrOutput, name, err)
}
