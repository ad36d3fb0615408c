// SPDX-License-Identifier: GPL-2.0-only

package main

import (
	"fmt"
	"io"
	"os"
	"strings"

	"kgen/gen/visible"
	"kgen/model"
)

// shownName is how much of a name that is too long is shown.
const shownName = 40

// readMapFile reads the symbols of --map: nm output, a System.map, /proc/kallsyms
// or an ELF file, "-" for text on stdin. Names that the host tool would skip are
// told on warn, in its words, with what is printable of their beginning.
func readMapFile(path string, stdin io.Reader, warn io.Writer) (*model.Map, error) {
	if path == "" {
		return nil, usagef("--map FILE is missing: a System.map, nm output, /proc/kallsyms or a vmlinux")
	}
	in, name := stdin, "stdin"
	if path != "-" {
		f, err := os.Open(path)
		if err != nil {
			return nil, usagef("--map: %w", err)
		}
		defer f.Close()
		if info, err := f.Stat(); err == nil && info.IsDir() {
			return nil, usagef("--map %s: a folder; name a file in it", path)
		}
		in, name = f, path
	}
	m, err := model.Read(in)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	for _, s := range m.Skipped {
		shown := shorten(visible.Text(s.Name[:shownName+1]), shownName)
		fmt.Fprintln(warn, strings.Replace(s.String(), s.Name, shown, 1))
	}
	return m, nil
}
