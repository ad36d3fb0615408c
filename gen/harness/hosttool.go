// SPDX-License-Identifier: GPL-2.0-only

package harness

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
	"time"

	"kgen/model"
)

// ErrHostTool: the host tool refused a map that it should take, or crashed.
var ErrHostTool = errors.New("the host tool failed")

const hostToolTimeout = 2 * time.Minute

// sanitizerEnv makes reports short and complete. Leaks are no finding: the
// host tool ends with its memory allocated, and so does the child.
var sanitizerEnv = []string{
	"ASAN_OPTIONS=detect_leaks=0:allocator_may_return_null=1:handle_abort=0:color=never",
	"UBSAN_OPTIONS=print_stacktrace=1:color=never",
	"TSAN_OPTIONS=halt_on_error=1:color=never",
}

// ToolOptions are the host tool's options for a variant, as
// scripts/link-vmlinux.sh passes them.
func (w *Work) ToolOptions(v Variant) []string {
	var opts []string
	add := func(on bool, name string) {
		if on && w.hasOption(name) {
			opts = append(opts, "--"+name)
		}
	}
	add(v.AllSymbols, "all-symbols")
	add(v.AbsolutePercpu, "absolute-percpu")
	add(v.Bits == 64 || v.Relocatable, "pc-relative")
	return opts
}

// RunHostTool writes symbols as a map and returns the assembler text that the
// host tool makes of it.
func RunHostTool(ctx context.Context, tool string, options []string, symbols []model.Symbol) ([]byte, error) {
	f, err := os.CreateTemp("", "kgen-*.map")
	if err != nil {
		return nil, err
	}
	defer os.Remove(f.Name())
	_, err = f.Write(FormatMap(symbols))
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	if err != nil {
		return nil, err
	}
	var text bytes.Buffer
	_, err = RunHostToolOn(ctx, tool, options, f.Name(), &text)
	return text.Bytes(), err
}

// RunHostToolOn lets the host tool read a map from a file, and writes its text to
// out. It returns the time that the tool spent on a processor.
func RunHostToolOn(ctx context.Context, tool string, options []string, mapFile string, out io.Writer) (time.Duration, error) {
	ctx, cancel := context.WithTimeout(ctx, hostToolTimeout)
	defer cancel()
	var stderr bytes.Buffer
	cmd := exec.CommandContext(ctx, tool, slices.Concat(options, []string{mapFile})...)
	cmd.Env = append(os.Environ(), sanitizerEnv...)
	cmd.Stdout, cmd.Stderr = out, &stderr
	if err := cmd.Run(); err != nil {
		return 0, hostToolError(err, cmd.ProcessState.ExitCode(), stderr.Bytes())
	}
	return cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime(), nil
}

// hostToolError tells a refusal from all other ends that a run can come to.
func hostToolError(how error, exitCode int, stderr []byte) error {
	if text, ok := bytes.CutPrefix(stderr, []byte("kallsyms failure: ")); ok && exitCode == 1 {
		return fmt.Errorf("%w: %w: %s", ErrHostTool, ErrRefused, bytes.TrimSpace(text))
	}
	return fmt.Errorf("%w: %w: %s", ErrHostTool, how, sanitizerSummary(stderr))
}

// ErrRefused: the host tool ended the build in the words that are its own for a
// table it cannot write.
var ErrRefused = errors.New("refused")

// FormatMap writes symbols as nm does.
func FormatMap(symbols []model.Symbol) []byte {
	size := 0
	for i := range symbols {
		size += len("0123456789abcdef t \n") + len(symbols[i].Name)
	}
	b := make([]byte, 0, size)
	for i := range symbols {
		s := &symbols[i]
		for shift := 60; shift >= 0; shift -= 4 {
			b = append(b, "0123456789abcdef"[s.Addr>>shift&15])
		}
		b = append(b, ' ', s.Type, ' ')
		b = append(b, s.Name...)
		b = append(b, '\n')
	}
	return b
}

// sanitizerSummary is what a message for a person needs of a report: what
// happened and where in the code under test.
func sanitizerSummary(stderr []byte) string {
	var picked []string
	frames := 0
	for line := range strings.Lines(string(stderr)) {
		line = strings.TrimSpace(line)
		switch {
		case strings.Contains(line, "ERROR: AddressSanitizer"), strings.Contains(line, "runtime error:"),
			strings.Contains(line, "WARNING: ThreadSanitizer"),
			strings.Contains(line, "stand-in:"), strings.Contains(line, "kallsyms failure"):
			picked = append(picked, line)
		case strings.HasPrefix(line, "#") && strings.Contains(line, "tree/") && frames < 3:
			frames++
			picked = append(picked, line)
		}
	}
	if picked == nil {
		return firstLines(stderr, 3)
	}
	return strings.Join(picked, "; ")
}
