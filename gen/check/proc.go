// SPDX-License-Identifier: GPL-2.0-only

package check

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"time"
)

// proc is one run of another program.
type proc struct {
	name  string
	args  []string
	dir   string
	env   []string // added to baseEnv
	stdin []byte
	keep  []*os.File // open files that the program and its children inherit
}

// output is what a program left.
type output struct {
	stdout, stderr string
	code           int // exit code
}

// last is the last line that the program said, for one-line errors.
func (o output) last() string {
	text := strings.TrimSpace(o.stderr)
	if text == "" {
		text = strings.TrimSpace(o.stdout)
	}
	return text[strings.LastIndexByte(text, '\n')+1:]
}

// run starts the program in a process group of its own and waits for it. Only a
// program that could not be run is an error; its exit code is for the caller to
// judge. When ctx ends, the whole group is told to stop and then killed, so that
// no compiler outlives an interrupted check.
func (p proc) run(ctx context.Context) (output, error) {
	cmd := exec.CommandContext(ctx, p.name, p.args...)
	cmd.Dir = p.dir
	cmd.Env = append(baseEnv(), p.env...)
	cmd.ExtraFiles = p.keep
	if p.stdin != nil {
		cmd.Stdin = bytes.NewReader(p.stdin)
	}
	var out, msg bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &msg
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGTERM) }
	cmd.WaitDelay = 2 * time.Second // for make to remove half-written targets

	err := cmd.Run()
	if ctx.Err() != nil {
		if cmd.Process != nil {
			// What ignored the first signal goes now. ESRCH is the good case.
			_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
		}
		return output{}, ctx.Err()
	}
	var exit *exec.ExitError
	switch {
	case errors.As(err, &exit) && exit.Exited():
	case err != nil:
		return output{}, fmt.Errorf("%s: %w", p.name, err)
	}
	return output{stdout: out.String(), stderr: msg.String(), code: cmd.ProcessState.ExitCode()}, nil
}

// baseEnv is what every program sees. Everything else is dropped on purpose:
// kgen may run below a make whose MAKEFLAGS, ARCH or KCFLAGS must not reach the
// kernel's, below a git hook that exports GIT_DIR, or with a PERL5OPT.
func baseEnv() []string {
	env := []string{"LC_ALL=C", "TZ=UTC"}
	for _, name := range []string{"PATH", "HOME", "TMPDIR"} {
		if v, ok := os.LookupEnv(name); ok {
			env = append(env, name+"="+v)
		}
	}
	return env
}

// gitEnv makes git blind to the user's and the machine's settings: a
// commit.gpgSign or an am.threeWay there must not decide what applies.
func gitEnv() []string {
	const who, when = "kgen", "@0 +0000"
	return []string{
		"GIT_CONFIG_GLOBAL=" + os.DevNull, "GIT_CONFIG_NOSYSTEM=1", "GIT_ATTR_NOSYSTEM=1",
		"GIT_AUTHOR_NAME=" + who, "GIT_AUTHOR_EMAIL=" + who, "GIT_AUTHOR_DATE=" + when,
		"GIT_COMMITTER_NAME=" + who, "GIT_COMMITTER_EMAIL=" + who, "GIT_COMMITTER_DATE=" + when,
	}
}
