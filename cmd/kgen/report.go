// SPDX-License-Identifier: GPL-2.0-only

package main

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"kgen/gen/report"
	"kgen/gen/report/page"
)

// reportFormats are the ways to print a report, by the values of --format.
var reportFormats = map[string]func(...*report.Summary) ([]byte, error){
	"text": func(runs ...*report.Summary) ([]byte, error) {
		var parts []string
		for _, s := range runs {
			parts = append(parts, s.Text(report.MailWidth))
		}
		return []byte(strings.Join(parts, "\n")), nil
	},
	"html": page.HTML,
	"md":   page.Markdown,
}

func newReportCommand() *cobra.Command {
	var (
		out, format string
		quiet       bool
	)
	cmd := &cobra.Command{
		Use:   "report RUN.json...",
		Short: "Make measuring runs readable: tables, plots, a page",
		Long: `Make readable what kgen bench and kgen sweep measured. Each RUN.json is
one run; figures that need but one run, and claims, are of the first. Runs of
different numbers of symbols also give a plot of how designs grow.

The report is printed as --format says: text of at most 72 columns for mail,
html, or md, which docs/results.md is made of. With -o, a folder gets all of
it: report.html, the plots as SVG and PNG, and table.txt.`,
		Example: `  kgen report run.json
  kgen report run.json million.json -o out/report
  kgen report run.json million.json --format md > docs/results.md`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			write := reportFormats[format]
			if write == nil {
				return usagef("--format %q: expected text, html or md", format)
			}
			if cmd.Flags().Changed("output") && out == "" {
				return usagef("-o is empty: expected a folder")
			}
			runs, err := loadRuns(args)
			if err != nil {
				return err
			}
			text, err := write(runs...)
			if err != nil {
				return err
			}
			if out != "" {
				files, err := page.Write(out, runs...)
				if err != nil {
					return err
				}
				if !quiet {
					fmt.Fprintf(cmd.ErrOrStderr(), "%s: %s\n", out, strings.Join(files, " "))
				}
			}
			_, err = cmd.OutOrStdout().Write(text)
			return err
		},
	}
	flags := cmd.Flags()
	flags.StringVarP(&out, "output", "o", "", "write all of the report into the folder `DIR` as well")
	flags.StringVar(&format, "format", "text", "print it as `FORMAT`: text, html or md")
	flags.BoolVarP(&quiet, "quiet", "q", false, "do not list the files of -o")
	return cmd
}

func loadRuns(names []string) ([]*report.Summary, error) {
	var runs []*report.Summary
	for i, name := range names {
		if slices.Contains(names[:i], name) {
			return nil, usagef("%s is named twice; each run counts once", name)
		}
		run, err := report.Load(name)
		var pe *fs.PathError
		if errors.As(err, &pe) {
			return nil, usagef("%s: %w; give files that kgen bench --json or kgen sweep --json wrote", name, pe.Err)
		}
		if err != nil {
			return nil, err
		}
		runs = append(runs, report.Summarize(run))
	}
	return runs, nil
}
