// SPDX-License-Identifier: GPL-2.0-only

package main

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"time"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"
	"github.com/spf13/cobra"

	"kgen/gen/harness"
	"kgen/gen/tree"
	"kgen/gen/visible"
)

func newTreeCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "tree",
		Short: "Show kernel trees, and fetch known ones",
		Long: `Show kernel trees, and fetch known ones.

Fetched trees are kept in $XDG_CACHE_HOME/kgen/trees (~/.cache/kgen/trees).
Every --tree takes their names as well as paths.`,
		Args: cobra.NoArgs,
		// Without this an unknown subcommand is help, and no error.
		RunE: func(cmd *cobra.Command, args []string) error { return cmd.Help() },
	}
	cmd.AddCommand(newTreeFetchCommand(), newTreeListCommand(), newTreeShowCommand())
	return cmd
}

func newTreeFetchCommand() *cobra.Command {
	var quiet bool
	cmd := &cobra.Command{
		Use:   "fetch NAME",
		Short: "Fetch a kernel tree from Debian's packages",
		Long: `Fetch a kernel tree from Debian's packages, and print its folder. A tree that is
there is not fetched again. This needs apt and a Debian mirror in its sources,
but not root.`,
		Example: "  kgen tree fetch 7.3",
		Args:    cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if _, err := tree.FindRelease(args[0]); err != nil {
				return usagef("%w", err)
			}
			progress := func(string, int64, int64) {}
			if !quiet {
				p := newProgress(cmd.ErrOrStderr())
				defer p.end()
				progress = p.show
			}
			t, err := tree.Fetch(cmd.Context(), args[0], progress)
			if err != nil {
				return err
			}
			fmt.Fprintln(cmd.OutOrStdout(), t.Dir)
			return nil
		},
		ValidArgsFunction: completeReleases,
	}
	cmd.Flags().BoolVarP(&quiet, "quiet", "q", false, "show no progress")
	return cmd
}

// completeReleases lets the shell complete the names that can be fetched.
func completeReleases(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	var names []string
	for _, r := range tree.Releases {
		names = append(names, r.Name)
	}
	return names, cobra.ShellCompDirectiveDefault
}

// listedTree is one tree in the output of kgen tree list --json.
type listedTree struct {
	Name    string     `json:"name"`
	Package string     `json:"package"`
	Fetched bool       `json:"fetched"`
	Bytes   int64      `json:"download_bytes_about"`
	Dir     string     `json:"dir,omitempty"`
	Version string     `json:"package_version,omitempty"`
	Date    *time.Time `json:"date,omitempty"`
}

func newTreeListCommand() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "list",
		Short: "Show which trees are fetched and which can be",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			all, err := tree.List()
			if err != nil {
				return err
			}
			var out []listedTree
			for _, l := range all {
				o := listedTree{Name: l.Release.Name, Package: l.Release.Package, Bytes: l.Release.Download, Fetched: l.Dir != "", Dir: l.Dir}
				if l.Record != nil {
					o.Version, o.Date = l.Record.Version, &l.Record.Date
				}
				out = append(out, o)
			}
			if asJSON {
				return printJSON(cmd.OutOrStdout(), out)
			}
			w := newTable(cmd.OutOrStdout(), "tree", "package", "folder, and date of the tree")
			const folderWidth = 48 // of 80 columns
			w.SetColumnConfigs([]table.ColumnConfig{{Number: 3, WidthMax: folderWidth, WidthMaxEnforcer: text.WrapSoft}})
			for _, o := range out {
				row := table.Row{o.Name, o.Package, o.Dir}
				if o.Date != nil {
					row[1], row[2] = o.Package+"\n"+o.Version, o.Dir+"\n"+o.Date.Format(time.DateOnly)
				}
				if !o.Fetched {
					row[2] = fmt.Sprintf("kgen tree fetch %s (about %d MB)", o.Name, o.Bytes/1e6)
				}
				w.AppendRow(row)
			}
			w.Render()
			return nil
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}

// shownTree is the output of kgen tree show --json.
type shownTree struct {
	Dir       string         `json:"dir"`
	Version   string         `json:"version"`
	Flavour   tree.Flavour   `json:"flavour"`
	Base      string         `json:"base_commit,omitempty"`
	Date      time.Time      `json:"date"`
	Supported bool           `json:"supported"`
	Why       string         `json:"why,omitempty"`
	Features  []tree.Feature `json:"features"`
}

func newTreeShowCommand() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "show DIR|NAME",
		Short: "Show what a tree is and the features that decide what applies",
		Long: `Show a tree's version, its flavour (git gives a base commit, a folder does not),
and the features that decide what applies to it, with the line that shows each.
Everything is read from the source; nothing is concluded from the version.`,
		Example: "  kgen tree show 7.3\n  kgen tree show ~/linux --json",
		Args:    cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			s, err := showTree(args[0])
			if err != nil {
				return err
			}
			if asJSON {
				return printJSON(cmd.OutOrStdout(), s)
			}
			printTree(cmd.OutOrStdout(), s)
			return nil
		},
		ValidArgsFunction: completeReleases,
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}

func showTree(nameOrPath string) (*shownTree, error) {
	t, err := tree.Open(nameOrPath)
	if err != nil {
		return nil, err
	}
	s := &shownTree{Dir: t.Dir, Version: t.Version, Flavour: t.Flavour, Base: t.Base, Supported: true}
	if s.Features, err = t.Features(); err != nil {
		return nil, err
	}
	if s.Date, err = t.Date(); err != nil {
		return nil, err
	}
	if err := t.Supported(); err != nil {
		s.Supported, s.Why = false, err.Error()
	}
	return s, nil
}

func printTree(w io.Writer, s *shownTree) {
	fmt.Fprintf(w, "Linux %s in %s\n", s.Version, s.Dir)
	if s.Base != "" {
		fmt.Fprintf(w, "%s, base commit %s of %s\n", s.Flavour, s.Base, s.Date.Format(time.DateOnly))
	} else {
		fmt.Fprintf(w, "%s of %s, no base commit\n", s.Flavour, s.Date.Format(time.DateOnly))
	}
	if s.Supported {
		fmt.Fprintln(w, "kgen can edit it")
	} else {
		fmt.Fprintln(w, visible.Wrap(visible.Lines(s.Why), ""))
	}
	// In 80 columns, as names and places may not be broken.
	t := newTable(w, "feature", "value", "where, and what it says")
	const valueWidth, meaningWidth = 22, 28
	t.SetColumnConfigs([]table.ColumnConfig{{Number: 2, WidthMax: valueWidth, WidthMaxEnforcer: text.WrapSoft}})
	for _, f := range s.Features {
		t.AppendRow(table.Row{f.Name, f.Value, f.Evidence + "\n" + text.WrapSoft(f.Meaning, meaningWidth)})
	}
	t.Render()
}

func printJSON(w io.Writer, v any) error {
	enc := json.NewEncoder(w)
	enc.SetIndent("", "  ")
	enc.SetEscapeHTML(false)
	return enc.Encode(v)
}

// newTable is a ruled table without colour that prints itself to w, like that of
// kgen check.
func newTable(w io.Writer, heads ...any) table.Writer {
	t := table.NewWriter()
	t.SetOutputMirror(w)
	t.SetStyle(table.StyleLight)
	t.Style().Format.Header = text.FormatDefault
	t.AppendHeader(heads)
	return t
}

// blameTree returns why kgen does not know the lookups of a tree, if that is why its
// code does not compile here or lacks files.
func blameTree(t *tree.Tree, err error) error {
	if errors.Is(err, harness.ErrCompile) || errors.Is(err, fs.ErrNotExist) {
		return cmp.Or(t.Supported(), err)
	}
	return err
}
