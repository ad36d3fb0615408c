// SPDX-License-Identifier: GPL-2.0-only

package main

import (
	"fmt"
	"io"
	"os"

	"kgen/model"
)

// readMapFile reads the symbols of --map: nm output, a System.map, /proc/kallsyms
// or an ELF file, "-" for text on stdin. Names that the host tool would skip are
// told on warn, in its words.
func readMapFile(path string, stdin io.Reader, warn io.Writer) (*model.Map, error) {
	if path == "" {
		return nil, usagef("--map FILE is missing: a System.map, nm output, /proc/kallsyms or a vmlinux")
	}
	in, name := stdin, "stdin"
	if path != "-" {
		f, err := os.Open(path)
		if err != nil {
			return nil, fmt.Errorf("--map: %w", err)
		}
		defer f.Close()
		in, name = f, path
	}
	m, err := model.Read(in)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	for _, s := range m.Skipped {
		fmt.Fprintln(warn, s)
	}
	return m, nil
}
