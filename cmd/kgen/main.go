// SPDX-License-Identifier: GPL-2.0-only

// Command kgen argues symbol-lookup designs of the Linux kernel: it generates a
// design as a patch series against a kernel tree and checks the result. This
// package reads flags, prints results and picks exit codes; what it calls lives
// in gen and model.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"kgen/gen/bench"
	"kgen/gen/check"
	"kgen/gen/csrc"
	"kgen/gen/report"
	"kgen/gen/series"
	"kgen/gen/tree"
	"kgen/gen/visible"
	"kgen/model"
)

// version is stamped by the Makefile.
var version = "development"

// Exit codes, as documented in the README.
const (
	exitDone        = 0
	exitFailed      = 1 // a check failed, or an error of the machine
	exitUsage       = 2 // the command line, or a file it names for input, cannot be followed
	exitTree        = 3 // the tree is not one kgen can edit
	exitInterrupted = 130
	exitPipe        = 141 // as a shell has it of SIGPIPE
)

// heed is how long a command has to clean up after it was interrupted.
const heed = 3 * time.Second

// errUsage marks errors of the command line.
var errUsage = errors.New("usage")

// usagef is an error of the command line, for commands to return.
func usagef(format string, args ...any) error {
	return &usageError{fmt.Errorf(format, args...)}
}

type usageError struct{ err error }

func (e *usageError) Error() string        { return e.err.Error() }
func (e *usageError) Unwrap() error        { return e.err }
func (e *usageError) Is(target error) bool { return target == errUsage }

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	ctx, interrupt := context.WithCancelCause(ctx)
	// What does not heed the signal, as a read from a pipe that nobody writes
	// to, is ended all the same.
	calm := context.AfterFunc(ctx, func() {
		time.Sleep(heed)
		interrupted(ctx, "interrupted")
	})
	root := newRootCommand()
	out, messages := outputs(interrupt)
	root.SetOut(out)
	root.SetErr(messages)
	err := root.ExecuteContext(ctx)
	ended := ctx.Err() != nil
	calm()
	stop()
	if out.lost != nil && (err == nil || errors.Is(err, check.ErrFailed)) {
		err = out.lost
	}
	if err == nil {
		return
	}
	if ended {
		interrupted(ctx, "interrupted; nothing half made is left")
	}
	if !errors.Is(err, check.ErrFailed) { // the report has said it already
		fmt.Fprintln(os.Stderr, "kgen:", visible.Lines(err.Error()))
	}
	os.Exit(exitCode(err))
}

// interrupted ends the process as its signal, or the end of its readers, demands.
func interrupted(ctx context.Context, says string) {
	if errors.Is(context.Cause(ctx), errPipe) {
		os.Exit(exitPipe)
	}
	fmt.Fprintln(os.Stderr, "kgen:", says)
	os.Exit(exitInterrupted)
}

func exitCode(err error) int {
	switch {
	case err == nil:
		return exitDone
	case errors.Is(err, csrc.ErrDrift), errors.Is(err, tree.ErrNotKernel),
		errors.Is(err, tree.ErrUnsupported), errors.Is(err, tree.ErrUnreadable):
		return exitTree
	case errors.Is(err, errUsage), slices.ContainsFunc(errInputs, func(input error) bool { return errors.Is(err, input) }):
		return exitUsage
	default:
		return exitFailed
	}
}

// errInputs say that a file is not what a command takes.
var errInputs = []error{
	model.ErrMapFormat, model.ErrMapSyntax, model.ErrHiddenAddresses, model.ErrModule, model.ErrReadelf,
	series.ErrMap, report.ErrRun, bench.ErrNames, check.ErrInput, check.ErrReplay,
}

func newRootCommand() *cobra.Command {
	root := &cobra.Command{
		Use:   "kgen",
		Short: "Argue a symbol-lookup design of the Linux kernel",
		Long: `kgen makes patch series of symbol-lookup designs against any kernel tree,
and checks them.

Exit codes: 0 done, 1 a check or the machine failed, 2 usage, or a file that is
missing or not what was expected, 3 the tree is not one kgen can edit.`,
		Version:       version,
		SilenceErrors: true,
		SilenceUsage:  true,
		Args:          cobra.NoArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			return cmd.Help()
		},
	}
	cobra.AddTemplateFunc("wrapped", func(flags *pflag.FlagSet) string { return flags.FlagUsagesWrapped(visible.Width) })
	root.SetUsageTemplate(strings.ReplaceAll(root.UsageTemplate(), "Flags.FlagUsages ", "Flags | wrapped "))
	root.SetVersionTemplate("kgen {{.Version}}\n")
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		return usagef("%s; see %s --help", flagText(err), cmd.CommandPath())
	})
	root.AddCommand(
		newTreeCommand(), newListCommand(), newGenerateCommand(), newCheckCommand(),
		newLookupCommand(), newEncodeCommand(), newTraceCommand(), newMapsCommand(),
		newBenchCommand(), newSweepCommand(), newReportCommand(),
	)
	root.InitDefaultHelpCmd()
	root.InitDefaultCompletionCmd()
	for _, c := range root.Commands() {
		switch c.Name() {
		case "help":
			c.Args = helpTopic
		case "completion":
			c.RunE = func(cmd *cobra.Command, args []string) error { return cmd.Help() }
			for _, shell := range c.Commands() { // whose texts are cobra's
				lines := strings.Split(shell.Long, "\n")
				for i, line := range lines {
					lines[i] = visible.Wrap(line, "")
				}
				shell.Long = strings.Join(lines, "\n")
			}
		}
	}
	usageArgs(root)
	return root
}

// helpTopic refuses to help with a command that is not there, for which cobra
// prints the help of the one before it.
func helpTopic(cmd *cobra.Command, args []string) error {
	if _, rest, err := cmd.Root().Find(args); err != nil || len(rest) > 0 {
		return fmt.Errorf("unknown help topic %q", strings.Join(args, " "))
	}
	return nil
}

// usageArgs makes wrong argument counts and unknown commands usage errors,
// which cobra returns as plain ones.
func usageArgs(cmd *cobra.Command) {
	check := cmd.Args
	if check == nil {
		check = cobra.ArbitraryArgs
		if cmd.HasSubCommands() {
			check = cobra.NoArgs
		}
	}
	cmd.Args = func(cmd *cobra.Command, args []string) error {
		err := check(cmd, args)
		if err != nil && !cmd.HasSubCommands() && strings.HasPrefix(err.Error(), "unknown command") {
			err = fmt.Errorf("unexpected %q", args[0])
		}
		if err != nil {
			return usagef("%w; see %s --help", err, cmd.CommandPath())
		}
		return nil
	}
	for _, c := range cmd.Commands() {
		usageArgs(c)
	}
}
