// SPDX-License-Identifier: GPL-2.0-only

package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"kgen/gen/bench"
	"kgen/gen/bench/result"
	"kgen/gen/manifest"
	"kgen/gen/realmap"
	"kgen/gen/tree"
	"kgen/gen/visible"
)

// benchFlags are what kgen bench and kgen sweep have in common.
type benchFlags struct {
	tree, mapFile, module, format, out string
	symbols, rounds, toolRuns          int
	asJSON, quiet                      bool
}

// add defines the flags. The host tool is run toolRuns times, to see how long it
// takes.
func (f *benchFlags) add(flags *pflag.FlagSet, rounds, toolRuns int) {
	f.toolRuns = toolRuns
	flags.StringVar(&f.tree, "tree", "", "kernel `TREE`: a folder, or a fetched name such as 7.3")
	flags.StringVar(&f.mapFile, "map", "", "measure with the symbols of `FILE` (default: the map that make maps fetches)")
	flags.StringVar(&f.module, "module", "", "measure lookups in the module `FILE`, or in a fetched one by its name")
	flags.IntVar(&f.symbols, "symbols", 0, "make the map `N` symbols large, by numbered copies or by leaving some out")
	flags.IntVar(&f.rounds, "rounds", rounds, "measure in `N` rounds")
	flags.StringVar(&f.format, "format", "table", "`FORMAT` on stdout: table, go (for benchstat) or json")
	flags.BoolVar(&f.asJSON, "json", false, "the same as --format json")
	flags.StringVarP(&f.out, "output", "o", "", "also write the run as JSON to `FILE`, for kgen report")
	flags.BoolVarP(&f.quiet, "quiet", "q", false, "show no progress")
}

func (f *benchFlags) check(cmd *cobra.Command) error {
	if f.asJSON {
		f.format = "json"
	}
	switch {
	case f.tree == "":
		return usagef("--tree is missing: a folder or a fetched name; kgen tree list shows the names")
	case f.module != "" && (f.mapFile != "" || f.symbols != 0):
		return usagef("--map and --symbols are for lookups in the kernel, not in a --module")
	case f.rounds < minRounds:
		return usagef("--rounds %d: expected at least %d, of fewer there is no interval", f.rounds, minRounds)
	case cmd.Flags().Changed("symbols") && f.symbols < bench.MinSymbols || f.symbols > 1<<24:
		return usagef("--symbols %d: expected %d to %d", f.symbols, bench.MinSymbols, 1<<24)
	case f.format != "table" && f.format != "go" && f.format != "json":
		return usagef("--format %s: expected table, go or json", f.format)
	}
	return nil
}

// minRounds is the least of which a median has an interval of 95%.
const minRounds = 6

func newBenchCommand() *cobra.Command {
	var f benchFlags
	var names, lists []string
	cmd := &cobra.Command{
		Use:   "bench [DIR...] --tree TREE",
		Short: "Measure what designs cost, in one run",
		Long: `Measure designs against the stock code, and the stock code against itself: the
patched kernel/kallsyms.c and ftrace_lookup_symbols(), compiled with -O2 in
userspace on the tables that the patched host tool writes, all designs in one
process, in rounds. Every answer is held against the specification first.

A design is a series (--series density,shift=4), mechanisms put together (--with
token-match,sub-markers=5), or patches as kgen check takes them (DIR). A DIR
that kgen generate made keeps the run in its series.json: generated again with
--force, its cover letter has the times.

` + moduleBenchHelp + `
Only --with names designs then.`,
		Example: `  kgen bench --series density,shift=4 --series hash-order,shift=5 --tree 7.3
  kgen bench out/mine --tree ~/linux --map System.map -o run.json
  kgen bench --module amdgpu --with module-index,ftrace-module --tree 7.3`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := f.check(cmd); err != nil {
				return err
			}
			t, err := tree.Open(f.tree)
			if err != nil {
				return err
			}
			if f.module != "" {
				if len(names) > 0 || len(args) > 0 {
					return usagef("--module: expected designs as --with LIST, found --series or DIR")
				}
				return f.benchModule(cmd, t, lists)
			}
			var designs []bench.Design
			add := func(d bench.Design, err error) error {
				designs = append(designs, d)
				if bench.IsUsage(err) {
					return usagef("%w", err)
				}
				return err
			}
			for _, text := range names {
				if err := add(bench.FromSeries(t, text)); err != nil {
					return err
				}
			}
			for _, text := range lists {
				if err := add(bench.FromList(t, text)); err != nil {
					return err
				}
			}
			for _, dir := range args {
				if err := add(bench.FromFolder(cmd.Context(), t, dir)); err != nil {
					return err
				}
			}
			_, err = f.run(cmd, t, designs, args...)
			return err
		},
	}
	f.add(cmd.Flags(), 31, 3)
	cmd.Flags().StringArrayVar(&names, "series", nil, "measure the series `NAME`[,PARAMETER=VALUE]...; may be repeated")
	cmd.Flags().StringArrayVar(&lists, "with", nil, "measure the mechanisms of `LIST` together; may be repeated")
	return cmd
}

// run measures designs, prints what was found and records it in those folders
// that kgen generated.
func (f *benchFlags) run(cmd *cobra.Command, t *tree.Tree, designs []bench.Design, folders ...string) (*result.Run, error) {
	o := bench.Options{Base: t, Version: t.Version, Designs: designs, Rounds: f.rounds, ToolRuns: f.toolRuns, Kgen: version, Progress: func(string) {}}
	if err := f.readSymbols(cmd, &o); err != nil {
		return nil, err
	}
	if !f.quiet {
		p := newProgress(cmd.ErrOrStderr())
		defer p.end()
		o.Progress = func(doing string) { p.show(doing, 0, 0) }
	}
	out, err := openRun(f.out)
	if err != nil {
		return nil, err
	}
	run, err := bench.Run(cmd.Context(), o)
	if err = errors.Join(blameTree(t, err), out.end(run)); err != nil {
		return nil, err
	}
	for _, dir := range folders {
		err := manifest.RecordRun(dir, run, bench.FolderName(dir))
		switch {
		case errors.Is(err, fs.ErrNotExist), errors.Is(err, syscall.ENOTDIR): // not of kgen's making
		case err != nil:
			fmt.Fprintf(cmd.ErrOrStderr(), "kgen: warning: the times are not recorded for the cover letter: %v\n", err)
		case !f.quiet:
			fmt.Fprintf(cmd.ErrOrStderr(), "%s: recorded; kgen generate --force puts the times into its cover letter\n", dir)
		}
	}
	return run, f.print(cmd.OutOrStdout(), run)
}

func (f *benchFlags) readSymbols(cmd *cobra.Command, o *bench.Options) error {
	file := f.mapFile
	if file == "" {
		var err error
		if file, err = realmap.SystemMap.Path(); err != nil {
			return err
		}
	}
	m, err := readMapFile(file, cmd.InOrStdin(), io.Discard)
	if err != nil {
		return err
	}
	o.Map, o.Symbols = visible.Text(filepath.Base(file)), m.Symbols
	if f.symbols > 0 {
		var how string
		o.Symbols, how = bench.Resize(m.Symbols, f.symbols)
		o.Map = fmt.Sprintf("%d symbols, %s %s", f.symbols, how, o.Map)
	}
	return nil
}

func (f *benchFlags) print(w io.Writer, run *result.Run) error {
	switch f.format {
	case "json":
		return bench.Write(w, run)
	case "go":
		return bench.GoFormat(w, run)
	}
	return bench.Table(w, run)
}

// runFile is the file of -o. It is opened before anything is measured, so that a
// name which cannot be written costs no run, and keeps what it has until there is
// something to write.
type runFile struct {
	file *os.File // nil without -o
	made bool     // by us
}

func openRun(name string) (*runFile, error) {
	if name == "" {
		return &runFile{}, nil
	}
	file, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	made := err == nil
	if errors.Is(err, fs.ErrExist) {
		file, err = os.OpenFile(name, os.O_WRONLY, 0)
	}
	if err != nil {
		return nil, fmt.Errorf("-o: %w", err)
	}
	return &runFile{file, made}, nil
}

// end writes the run. Without one, a file that we made is removed.
func (f *runFile) end(run *result.Run) (err error) {
	if f.file == nil {
		return nil
	}
	defer func() { err = errors.Join(err, f.file.Close()) }()
	if run == nil {
		if f.made {
			return os.Remove(f.file.Name())
		}
		return nil
	}
	info, err := f.file.Stat()
	if err == nil && info.Mode().IsRegular() {
		err = f.file.Truncate(0)
	}
	if err != nil {
		return err
	}
	return bench.Write(f.file, run)
}
