// SPDX-License-Identifier: GPL-2.0-only

package main

import (
	"encoding/json"
	"fmt"
	"os"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"kgen/gen/check"
	"kgen/gen/tree"
)

// checkFlags are the flags of kgen check.
type checkFlags struct {
	tree, to, replay string
	only             bool
	asJSON, quiet    bool
}

func newCheckCommand() *cobra.Command {
	var f checkFlags
	cmd := &cobra.Command{
		Use:   "check DIR|MBOX|PATCH... --tree TREE",
		Short: "Check a patch series: does it apply, build, boot, answer right?",
		Long: `Check a patch series, made by kgen or by anybody: a folder of patches, an
mbox, or patch files one by one. The ladder, up to and including --to:

  apply   git am takes every patch, with offsets, without fuzz
  style   the tree's own checkpatch.pl --strict reports nothing
  build   what the patches touch compiles after each of them, on x86_64 with
          gcc and W=1, without a warning that was not there before
  agree   the lookups, compiled in userspace under ASan and UBSan with gcc and
          clang for 64 and 32 bits, answer as the specification does; a
          disagreement is kept as a small map, to be asked again by --replay
  boot    a whole kernel with the series boots in QEMU, has nothing to complain
          of, and its own selftest says what that of one without the series says

The first rung that fails is the last one tried. The tree is only read. For a
folder that kgen made, the outcome is recorded in its series.json.`,
		Example: `  kgen check out/density-s4 --tree 7.3 --to build
  kgen check thread.mbox --tree ~/linux --to style --json`,
		RunE: func(cmd *cobra.Command, args []string) error {
			return runCheck(cmd, f, args)
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&f.tree, "tree", "", "kernel `TREE`: a folder, or a fetched name such as 7.3")
	flags.StringVar(&f.to, "to", string(check.Build), "last `RUNG` of the ladder: apply, style, build, agree or boot")
	flags.BoolVar(&f.only, "only", false, "leave out the rungs between apply and --to")
	flags.StringVar(&f.replay, "replay", "", "with --to agree: compare only the map in `FILE`, which a failure left behind")
	flags.BoolVar(&f.asJSON, "json", false, "print the outcome as JSON, as series.json records it")
	flags.BoolVarP(&f.quiet, "quiet", "q", false, "print nothing but errors; the exit code tells")
	cmd.MarkFlagsMutuallyExclusive("json", "quiet")
	err := cmd.RegisterFlagCompletionFunc("to", cobra.FixedCompletions(
		[]string{string(check.Apply), string(check.Style), string(check.Build), string(check.Agree), string(check.Boot)}, cobra.ShellCompDirectiveNoFileComp))
	if err != nil {
		panic(err) // a flag that is not there
	}
	return cmd
}

func runCheck(cmd *cobra.Command, f checkFlags, args []string) error {
	if f.tree == "" {
		return usagef("--tree is missing: a folder or a fetched name; kgen tree list shows the names")
	}
	to, err := check.ParseRung(f.to)
	if err != nil {
		return usagef("--to %w", err)
	}
	if f.replay != "" && to != check.Agree {
		return usagef("--replay compares lookups; add --to agree")
	}
	t, err := tree.Open(f.tree)
	if err != nil {
		return err
	}
	warn := func(text string) { fmt.Fprintln(cmd.ErrOrStderr(), "kgen: warning:", text) }
	s, err := check.Load(cmd.Context(), args)
	if err != nil {
		return err
	}
	defer s.Close()
	for _, text := range s.Warnings {
		warn(text)
	}

	o := check.Options{Series: s, Tree: t, To: to, Only: f.only, Replay: f.replay}
	if !f.quiet {
		o.Progress = func(text string) { fmt.Fprintln(cmd.ErrOrStderr(), text) }
	}
	r, err := check.Run(cmd.Context(), o)
	if err != nil {
		return err
	}
	switch {
	case f.asJSON:
		enc := json.NewEncoder(cmd.OutOrStdout())
		enc.SetIndent("", "  ")
		enc.SetEscapeHTML(false)
		if err := enc.Encode(r.Checks); err != nil {
			return err
		}
	case !f.quiet:
		r.WriteTable(cmd.OutOrStdout(), colour())
	}
	// An outcome that cannot be recorded does not change what it is.
	if err := s.Record(r.Checks); err != nil {
		warn(err.Error())
	}
	return r.Err()
}

// colour tells whether stdout is a terminal whose user wants colour.
func colour() bool {
	return os.Getenv("NO_COLOR") == "" && term.IsTerminal(int(os.Stdout.Fd()))
}
