// SPDX-License-Identifier: GPL-2.0-only

package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"kgen/gen/bench"
	"kgen/gen/bench/result"
	"kgen/gen/modbench"
	"kgen/gen/realmap"
	"kgen/gen/report"
	"kgen/gen/tree"
	"kgen/model"
)

// moduleBenchHelp explains --module in the long help of kgen bench and sweep.
const moduleBenchHelp = `With --module, designs of the lookups in a module are measured: the patched
loading of it, ftrace's pass over its records and the time that has ftrace_lock,
lookups of addresses and of names when it is live, and its unloading. The
module is a .ko of a 64-bit kernel, or the name of one that make maps fetches.`

// benchModule measures compositions in a module.
func (f *benchFlags) benchModule(cmd *cobra.Command, t *tree.Tree, lists []string) error {
	var designs []modbench.Design
	for _, text := range lists {
		d, err := modbench.FromList(t, text)
		if bench.IsUsage(err) {
			return usagef("%w", err)
		}
		if err != nil {
			return err
		}
		designs = append(designs, d)
	}
	return f.runModule(cmd, t, designs)
}

// runModule measures designs in a module and prints what was found.
func (f *benchFlags) runModule(cmd *cobra.Command, t *tree.Tree, designs []modbench.Design) error {
	file, o, err := readModule(f.module)
	if err != nil {
		return err
	}
	opts := modbench.Options{
		Base: t, Version: t.Version, Designs: designs, File: filepath.Base(file), Object: o,
		Rounds: f.rounds, Kgen: version, Progress: func(string) {},
	}
	if !f.quiet {
		p := newProgress(cmd.ErrOrStderr())
		defer p.end()
		opts.Progress = func(doing string) { p.show(doing, 0, 0) }
	}
	out, err := openRun(f.out)
	if err != nil {
		return err
	}
	run, err := modbench.Run(cmd.Context(), opts)
	if err = errors.Join(blameTree(t, err), out.end(run)); err != nil {
		return err
	}
	return f.printModule(cmd.OutOrStdout(), run)
}

func (f *benchFlags) printModule(w io.Writer, run *result.Run) error {
	switch f.format {
	case "json":
		return bench.Write(w, run)
	case "go":
		return bench.GoFormat(w, run)
	}
	_, err := io.WriteString(w, report.Summarize(run).Text(report.MailWidth))
	return err
}

// readModule reads a module from a file, or a fetched one by its name.
func readModule(name string) (file string, o *model.Object, err error) {
	file = name
	for _, f := range realmap.Modules {
		if strings.ReplaceAll(name, "-", "_") != moduleName(f.Name()) {
			continue
		}
		if file, err = f.Path(); err != nil {
			return "", nil, err
		}
	}
	data, err := os.ReadFile(file)
	if err != nil {
		return "", nil, usagef("--module: %w; give a .ko, or the name of a fetched module: %s", err, fetchedModules())
	}
	if o, err = model.ReadModule(bytes.NewReader(data)); err != nil {
		return "", nil, fmt.Errorf("%s: %w", file, err)
	}
	if o.Name == "" {
		o.Name = moduleName(filepath.Base(file))
	}
	return file, o, nil
}

// moduleName is what the kernel calls the module of a file.
func moduleName(base string) string {
	return strings.ReplaceAll(strings.TrimSuffix(base, filepath.Ext(base)), "-", "_")
}

func fetchedModules() string {
	var names []string
	for _, f := range realmap.Modules {
		names = append(names, moduleName(f.Name()))
	}
	return strings.Join(names, ", ")
}
