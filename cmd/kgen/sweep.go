// SPDX-License-Identifier: GPL-2.0-only

package main

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"kgen/gen/bench"
	"kgen/gen/bench/result"
	"kgen/gen/modbench"
	"kgen/gen/report"
	"kgen/gen/tree"
)

func newSweepCommand() *cobra.Command {
	var f benchFlags
	cmd := &cobra.Command{
		Use:   "sweep --tree TREE",
		Short: "Measure every design over its parameters, in one run",
		Long: `Measure every design over its parameters, in one run: all densities with and
without token-match, sub-markers, static-index, batch-index, name-offsets and
hash-order. Then say from how many lookups on a batch pays, against each of the
others. What is measured and how is as in kgen bench.

` + moduleBenchHelp + `
All designs are those of module lookups then, and of ftrace's pass.`,
		Example: `  kgen sweep --tree 7.3 -o run.json
  kgen sweep --tree 7.3 --symbols 1000000 -o million.json
  kgen sweep --tree 7.3 --module amdgpu -o module.json`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := f.check(cmd); err != nil {
				return err
			}
			t, err := tree.Open(f.tree)
			if err != nil {
				return err
			}
			if f.module != "" {
				designs, err := modbench.Sweep(t)
				if err != nil {
					return err
				}
				return f.runModule(cmd, t, designs)
			}
			designs, err := bench.Sweep(t)
			if err != nil {
				return err
			}
			run, err := f.run(cmd, t, designs)
			if err != nil || f.format != "table" {
				return err
			}
			return printBreakEvens(cmd.OutOrStdout(), run)
		},
	}
	f.add(cmd.Flags(), 11, 1)
	return cmd
}

// printBreakEvens says when a batch pays.
func printBreakEvens(w io.Writer, run *result.Run) error {
	before := ""
	for _, b := range report.Summarize(run).BreakEvens() {
		if b.Batch != before {
			before = b.Batch
			if _, err := fmt.Fprintf(w, "\n%s is set up in %.0f us (%.0f with its teardown), and pays after so\nmany lookups, without and with the teardown, against\n", b.Batch, b.SetUp/1e3, (b.SetUp+b.TearDown)/1e3); err != nil {
				return err
			}
		}
		line := fmt.Sprintf("  %8d %8d  %s\n", b.Without, b.With, b.Other)
		if b.Never {
			line = fmt.Sprintf("  %8s %8s  %s\n", "never", "never", b.Other)
		}
		if _, err := io.WriteString(w, line); err != nil {
			return err
		}
	}
	return nil
}
