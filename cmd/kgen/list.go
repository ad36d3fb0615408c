// SPDX-License-Identifier: GPL-2.0-only

package main

import (
	"encoding/json"
	"fmt"

	"github.com/spf13/cobra"

	"kgen/gen/series"
	"kgen/gen/tree"
	"kgen/gen/visible"
	"kgen/patches"
	"kgen/templates"
)

// listed is one series in the output of kgen list --json.
type listed struct {
	Name       string        `json:"series"`
	Summary    string        `json:"summary"`
	Patches    []string      `json:"patches"`
	Parameters []listedParam `json:"parameters"`
	Changes    bool          `json:"changes_answers,omitempty"`
	Applies    *bool         `json:"applies,omitempty"` // only with --tree
	Why        string        `json:"why,omitempty"`
	Upstream   []string      `json:"already_upstream,omitempty"`
}

type listedParam struct {
	Name    string `json:"name"`
	Min     int    `json:"min"`
	Max     int    `json:"max"`
	Step    int    `json:"step"`
	Default int    `json:"default"`
	Meaning string `json:"meaning"`

	words, defaultWord string // Min, Max and Step, and Default, as they are written
}

func newListCommand() *cobra.Command {
	var (
		treeName string
		asJSON   bool
	)
	cmd := &cobra.Command{
		Use:   "list [--tree TREE]",
		Short: "Show every series, its parameters and whether it applies to a tree",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			var t *tree.Tree
			if cmd.Flags().Changed("tree") {
				var err error
				if t, err = tree.Open(treeName); err != nil {
					return err
				}
			}
			all, err := listAll(t)
			if err != nil {
				return err
			}
			if asJSON {
				enc := json.NewEncoder(cmd.OutOrStdout())
				enc.SetIndent("", "  ")
				return enc.Encode(all)
			}
			printList(cmd, all)
			return nil
		},
	}
	cmd.Flags().StringVar(&treeName, "tree", "", "say whether each applies to `TREE`")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}

func listAll(t *tree.Tree) ([]listed, error) {
	names, err := series.Names(patches.FS)
	if err != nil {
		return nil, err
	}
	all := []listed{}
	for _, name := range names {
		s, err := series.Load(patches.FS, templates.FS, name)
		if err != nil {
			return nil, err
		}
		l := listed{Name: s.Name, Summary: s.Summary, Parameters: []listedParam{}, Changes: s.ChangesAnswers()}
		for _, m := range s.Mechanisms {
			l.Patches = append(l.Patches, m.Name)
		}
		for _, p := range s.Params() {
			l.Parameters = append(l.Parameters, listedParam{p.Name, p.Min, p.Max, max(p.Step, 1), p.Default, p.Meaning, p.Range(), p.Text(p.Default)})
		}
		if t != nil {
			upstream, err := s.Applies(t)
			ok := err == nil
			l.Applies, l.Upstream = &ok, upstream
			if err != nil {
				l.Why = err.Error()
			}
		}
		all = append(all, l)
	}
	return all, nil
}

func printList(cmd *cobra.Command, all []listed) {
	w := cmd.OutOrStdout()
	line := func(format string, args ...any) {
		fmt.Fprintln(w, visible.Wrap(fmt.Sprintf("  "+format, args...), "      "))
	}
	said := make(map[string]string) // why, and of which series
	for _, l := range all {
		fmt.Fprintf(w, "%s: %s\n", l.Name, l.Summary)
		for i, p := range l.Patches {
			line("patch %d: %s", i+1, p)
		}
		for _, p := range l.Parameters {
			line("--%s %s (default %s): %s", p.Name, p.words, p.defaultWord, p.Meaning)
		}
		if l.Changes {
			line("changes answers: only with --accept-semantic-change")
		}
		switch {
		case l.Applies == nil:
		case *l.Applies:
			line("applies")
		case said[l.Why] != "":
			line("does not apply, for the same reason as %s", said[l.Why])
		default:
			line("does not apply: %s", visible.Lines(l.Why))
			said[l.Why] = l.Name
		}
		for _, u := range l.Upstream {
			line("%s is already upstream there", u)
		}
	}
}
