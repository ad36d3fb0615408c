// SPDX-License-Identifier: GPL-2.0-only

package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"kgen/gen/realmap"
)

// newMapsCommand is what `make maps` runs. It is of no use but to the tests and
// measurements of kgen itself, so help does not show it.
func newMapsCommand() *cobra.Command {
	var quiet bool
	cmd := &cobra.Command{
		Use:   "maps",
		Short: "Fetch the real symbols that tests and measurements run on",
		Long: `Fetch the real symbols that tests and measurements run on: the System.map of
Debian's 6.12 kernel and some of its modules (1.2 GB of packages, 56 MB of which
are kept in $XDG_CACHE_HOME/kgen). What is there is not fetched again.`,
		Hidden: true,
		Args:   cobra.NoArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			progress := func(string, int64, int64) {}
			if !quiet {
				p := newProgress(cmd.ErrOrStderr())
				defer p.end()
				progress = p.show
			}
			if err := realmap.Fetch(cmd.Context(), progress); err != nil {
				return err
			}
			for _, f := range realmap.Files {
				path, err := f.Path()
				if err != nil {
					return err
				}
				fmt.Fprintln(cmd.OutOrStdout(), path)
			}
			return nil
		},
	}
	cmd.Flags().BoolVarP(&quiet, "quiet", "q", false, "show no progress")
	return cmd
}
