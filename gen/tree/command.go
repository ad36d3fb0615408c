// SPDX-License-Identifier: GPL-2.0-only

package tree

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

// toolPackages names the Debian package of every program that a fetch runs.
var toolPackages = map[string]string{
	"apt-get":  "apt",
	"dpkg-deb": "dpkg",
	"tar":      "tar",
	"xz":       "xz-utils",
}

// needTools reports the first program that is not installed.
func needTools(names ...string) error {
	for _, name := range names {
		if _, err := exec.LookPath(name); err != nil {
			return missing(name, toolPackages[name])
		}
	}
	return nil
}

// command prepares a program whose messages are English, and which dies with all
// its children when ctx is done. Its own process group keeps a Ctrl-C from
// reaching it before kgen has decided what to clean up.
func command(ctx context.Context, stderr *bytes.Buffer, name string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Env = append(os.Environ(), "LC_ALL=C", "DEBIAN_FRONTEND=noninteractive", "TAR_OPTIONS=", "XZ_OPT=", "XZ_DEFAULTS=")
	cmd.Stderr = stderr
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGTERM) }
	cmd.WaitDelay = 5 * time.Second
	return cmd
}

// signs of what went wrong, in the messages of apt and tar and in errors of the
// system. Sorted by what is certain: a full disk also looks like a broken download.
var signs = []struct {
	err   error
	texts []string
}{
	{ErrNoSpace, []string{"no space left", "disk quota exceeded", "enough free space"}},
	{ErrCorrupt, []string{"hash sum mismatch", "unexpected size", "mismatch)", "unexpected end of", "file is corrupt", "unexpected eof", "not a debian format", "compressed data is corrupt", "truncated"}},
	{ErrNetwork, []string{"failed to fetch", "could not resolve", "could not connect", "temporary failure", "unreachable", "timed out", "unable to connect", "no longer has a release file", "does not have a release file", "is not signed", "unable to locate package", "no installation candidate"}},
}

// remedies say what to do about each.
var remedies = map[error]string{
	ErrNoSpace: "free some space, or set XDG_CACHE_HOME to a folder on a larger disk",
	ErrCorrupt: "it was thrown away; fetch again",
	ErrNetwork: "check the network and the apt sources (apt-get update), then fetch again",
}

// diagnose turns the failure of a program into one line: what it was doing, the
// line of its messages that says why, and what to do.
func diagnose(ctx context.Context, doing string, err error, messages string) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	all := strings.ToLower(messages + "\n" + err.Error())
	for _, sign := range signs {
		for _, text := range sign.texts {
			if strings.Contains(all, text) {
				return fmt.Errorf("%w: %s: %s; %s", sign.err, doing, reason(messages, text, err), remedies[sign.err])
			}
		}
	}
	return fmt.Errorf("%s: %w: %s", doing, err, reason(messages, "", err))
}

// reason is the first line with the text, and err's own where there is none.
func reason(messages, text string, err error) string {
	for line := range strings.Lines(messages) {
		if line = strings.TrimSpace(line); line != "" && strings.Contains(strings.ToLower(line), text) {
			return strings.TrimPrefix(line, "E: ")
		}
	}
	return err.Error()
}

// writeError is the error for the cache folder, which kgen could not write to.
func writeError(err error) error {
	if errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT) {
		return fmt.Errorf("%w: %w; %s", ErrNoSpace, err, remedies[ErrNoSpace])
	}
	return fmt.Errorf("cannot write to the cache: %w; set XDG_CACHE_HOME to a folder that you may write to", err)
}
