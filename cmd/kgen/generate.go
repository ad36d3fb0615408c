// SPDX-License-Identifier: GPL-2.0-only

package main

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"kgen/gen/manifest"
	"kgen/gen/mechanism"
	"kgen/gen/series"
	"kgen/gen/tree"
	"kgen/patches"
	"kgen/templates"
)

// generateFlags are the flags of kgen generate SERIES that are the same for
// every series.
type generateFlags struct {
	tree, out, author, date, prefix, base, mapFile string
	version, symbols                               int
	force, signOff, quiet, accept                  bool
}

func (f *generateFlags) add(flags *pflag.FlagSet) {
	flags.StringVar(&f.tree, "tree", "", "kernel `TREE`: a folder, or a fetched name such as 7.3")
	flags.StringVarP(&f.out, "output", "o", "", "make the series in the new folder `DIR`")
	flags.BoolVar(&f.force, "force", false, "replace DIR if it is a series that kgen made")
	flags.StringVar(&f.author, "author", "", "author as \"`NAME <ADDRESS>`\"")
	flags.StringVar(&f.date, "date", "", "author `DATE`")
	flags.BoolVarP(&f.signOff, "signoff", "s", false, "add a Signed-off-by line")
	flags.StringVar(&f.prefix, "prefix", "PATCH", "subject `PREFIX`, such as \"RFC PATCH\"")
	flags.IntVar(&f.version, "version", 1, "number `N` of this version of the series")
	flags.StringVar(&f.base, "base", "", "base `COMMIT` to state (default: HEAD of a git tree)")
	flags.BoolVarP(&f.quiet, "quiet", "q", false, "print nothing but errors")
}

// addScale adds the flags that say how large the kernel's table is, which no
// figure of a series about modules depends on.
func (f *generateFlags) addScale(flags *pflag.FlagSet) {
	flags.IntVar(&f.symbols, "symbols", 0, "state figures for a table of `N` symbols")
	flags.StringVar(&f.mapFile, "map", "", "state figures for the symbols of `FILE`, a System.map")
}

// addAccept adds the flag without which a series that changes answers is refused.
func (f *generateFlags) addAccept(flags *pflag.FlagSet) {
	flags.BoolVar(&f.accept, "accept-semantic-change", false, "make the series although it changes answers; its cover letter lists how")
}

func newGenerateCommand() *cobra.Command {
	var (
		f    generateFlags
		with string
	)
	cmd := &cobra.Command{
		Use:   "generate SERIES|--with LIST --tree TREE -o DIR",
		Short: "Make a patch series against a kernel tree",
		Long: `Make a patch series against a kernel tree: a cover letter, the patches and
series.json, in a new folder. The tree is only read.

The author is --author, or git's user.name and user.email. The date is --date,
SOURCE_DATE_EPOCH, or the tree's own date, so that the same flags and tree
give the same bytes.

--with puts mechanisms together to a series of its own, in the order of the
patches: NAME, NAME=VALUE for the first parameter, NAME:PARAMETER=VALUE.`,
		Example: `  kgen generate density --shift 4 --tree 7.3 -o out/density-s4
  kgen generate density --shift 3 --tree ~/linux -o /tmp/d3 --version 2 -s
  kgen generate --with density=6,hash-order:bucket-shift=5 --tree 7.3 -o mine`,
		Args: cobra.ArbitraryArgs,
		// The flags of a series whose name is misspelt are not what is wrong.
		FParseErrWhitelist: cobra.FParseErrWhitelist{UnknownFlags: true},
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				_, err := series.Load(patches.FS, templates.FS, args[0])
				if err == nil {
					err = fmt.Errorf("unexpected %q", args)
				}
				return usagef("%w", err)
			}
			if with != "" {
				s, values, err := series.Compose(templates.FS, with)
				if err != nil {
					return usagef("--with %w", err)
				}
				err = generate(cmd, s, f, values)
				if errors.Is(err, mechanism.ErrParam) {
					return usagef("--with %s: %w", with, err)
				}
				return err
			}
			return usagef("which series? kgen list shows them; for example: kgen generate density --tree 7.3 -o out/density")
		},
	}
	f.add(cmd.Flags())
	f.addScale(cmd.Flags())
	f.addAccept(cmd.Flags())
	cmd.Flags().StringVar(&with, "with", "", "put the mechanisms of `LIST` together")
	all, err := series.Names(patches.FS)
	if err != nil {
		panic(err) // an embedded file system that cannot be listed
	}
	for _, name := range all {
		s, err := series.Load(patches.FS, templates.FS, name)
		if err != nil {
			panic(err) // what is embedded is tested
		}
		cmd.AddCommand(newGenerateSeriesCommand(s))
	}
	return cmd
}

func newGenerateSeriesCommand(s *series.Series) *cobra.Command {
	var f generateFlags
	cmd := &cobra.Command{
		Use:   s.Name + " --tree TREE -o DIR",
		Short: s.Summary,
		Args:  cobra.NoArgs,
	}
	flags := cmd.Flags()
	f.add(flags)
	scaled, err := s.StatesScale(patches.FS)
	if err != nil {
		panic(err) // what is embedded is tested
	}
	if scaled {
		f.addScale(flags)
	}
	if s.ChangesAnswers() {
		f.addAccept(flags)
	}

	values := make(map[string]*string)
	for _, p := range s.Params() {
		values[p.Name] = flags.String(p.Name, p.Text(p.Default), fmt.Sprintf("%s, `N` of %s", p.Meaning, p.Range()))
	}
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		given := make(map[string]string)
		for name, v := range values {
			if flags.Changed(name) { // or else the tree may have its own
				given[name] = *v
			}
		}
		return generate(cmd, s, f, given)
	}
	return cmd
}

func generate(cmd *cobra.Command, s *series.Series, f generateFlags, values map[string]string) error {
	o, err := f.options(cmd, s, values)
	if err != nil {
		return err
	}
	m, err := series.Generate(cmd.Context(), o)
	if errors.Is(err, mechanism.ErrParam) || errors.Is(err, series.ErrExists) ||
		errors.Is(err, series.ErrInsideTree) || errors.Is(err, series.ErrPrecious) ||
		errors.Is(err, series.ErrSemantics) {
		return usagef("%w", err)
	}
	if errors.Is(err, series.ErrNothing) {
		fmt.Fprintf(cmd.OutOrStdout(), "%s\n", err)
		return nil
	}
	if err != nil {
		return err
	}
	if !f.quiet {
		printGenerated(cmd, m, f)
	}
	return nil
}

// options checks the flags one by one, each with the error that helps.
func (f generateFlags) options(cmd *cobra.Command, s *series.Series, values map[string]string) (series.Options, error) {
	o := series.Options{
		Series: s, Values: values, Out: f.out, Force: f.force, SignOff: f.signOff,
		AcceptSemanticChange: f.accept,
		Prefix:               f.prefix, Version: f.version, Base: f.base, Kgen: version,
		Patches: patches.FS, Templates: templates.FS,
		Warn: func(text string) { fmt.Fprintln(cmd.ErrOrStderr(), "kgen: warning:", text) },
	}
	switch {
	case f.tree == "":
		return o, usagef("--tree is missing: a folder or a fetched name; kgen tree list shows the names")
	case f.out == "":
		return o, usagef("-o DIR is missing: the folder to make")
	case f.version < 1:
		return o, usagef("--version %d: versions count from 1", f.version)
	case f.symbols < 1 && cmd.Flags().Changed("symbols"):
		return o, usagef("--symbols %d: expected a number of symbols, from 1 on", f.symbols)
	case f.symbols > 1<<24:
		return o, usagef("--symbols %d: a table of names has 24 bits for a symbol, which is %d", f.symbols, 1<<24)
	case f.symbols > 0 && f.mapFile != "":
		return o, usagef("--symbols and --map exclude each other: the map says how many symbols there are")
	}
	if err := series.CheckPrefix(f.prefix); err != nil {
		return o, usagef("--prefix: %w", err)
	}
	if err := series.CheckCommit(f.base); err != nil {
		return o, usagef("--base: %w", err)
	}

	t, err := tree.Open(f.tree)
	if err != nil {
		return o, err
	}
	o.Tree = t
	if f.author != "" {
		o.Author, err = series.ParseIdent(f.author)
	} else {
		o.Author, err = series.DefaultIdent(cmd.Context(), t.Dir)
	}
	if errors.Is(err, series.ErrNoGit) {
		return o, err
	}
	if err != nil {
		return o, usagef("%w", err)
	}
	if f.date != "" {
		o.Date, err = series.ParseDate(f.date)
	} else {
		var own time.Time
		if own, err = t.Date(); err == nil {
			o.Date, err = series.DefaultDate(own)
		}
	}
	if err != nil {
		return o, usagef("%w", err)
	}
	o.Scale, err = series.ScaleOf(f.symbols, f.mapFile)
	return o, err
}

// printGenerated says what was made and what to do with it.
func printGenerated(cmd *cobra.Command, m *manifest.Series, f generateFlags) {
	w := cmd.OutOrStdout()
	dir := strings.TrimSuffix(f.out, "/")
	fmt.Fprintf(w, "%s: %s\n", dir, m.Subject)
	for _, p := range m.Patches {
		fmt.Fprintf(w, "  %s\n", p.File)
	}
	for _, u := range m.Upstream {
		fmt.Fprintf(w, "  (%s is already upstream)\n", u)
	}
	if !f.signOff {
		fmt.Fprintln(w, "without -s there is no Signed-off-by line, which checkpatch asks for")
	}
	fmt.Fprintf(w, "next: kgen check %s --tree %s --to build\n", shellWord(dir), shellWord(f.tree))
}
