// SPDX-License-Identifier: GPL-2.0-only

package debian

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"time"
)

// Tools names the Debian package of every program that a fetch runs.
var Tools = map[string]string{
	"apt-get":   "apt",
	"apt-cache": "apt",
	"dpkg-deb":  "dpkg",
	"tar":       "tar",
	"xz":        "xz-utils",
}

// NeedTools reports the first program that is not installed.
func NeedTools(names ...string) error {
	for _, name := range names {
		if _, err := exec.LookPath(name); err != nil {
			return Missing(name, Tools[name])
		}
	}
	return nil
}

// Missing is the error for a program or file that a Debian package would bring.
func Missing(what, pkg string) error {
	return fmt.Errorf("%s is %w: install the package %s", what, ErrMissingTool, pkg)
}

// Command prepares a program whose messages are English, and which dies with all
// its children when ctx is done. Its own process group keeps a Ctrl-C from
// reaching it before kgen has decided what to clean up.
func Command(ctx context.Context, stderr *bytes.Buffer, name string, args ...string) *exec.Cmd {
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

// Remedies say what to do about each.
var Remedies = map[error]string{
	ErrNoSpace: "free some space, or set XDG_CACHE_HOME to a folder on a larger disk",
	ErrCorrupt: "it was thrown away; fetch again",
	ErrNetwork: "check the network and the apt sources (apt-get update), then fetch again",
}

// Diagnose turns the failure of a program into one line: what it was doing, the
// line of its messages that says why, and what to do.
func Diagnose(ctx context.Context, doing string, err error, messages string) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	all := strings.ToLower(messages + "\n" + err.Error())
	for _, sign := range signs {
		for _, text := range sign.texts {
			if strings.Contains(all, text) {
				return fmt.Errorf("%w: %s: %s; %s", sign.err, doing, Reason(messages, text, err), Remedies[sign.err])
			}
		}
	}
	return fmt.Errorf("%s: %w: %s", doing, err, Reason(messages, "", err))
}

// Reason is the first line with the text, and err's own where there is none.
func Reason(messages, text string, err error) string {
	for line := range strings.Lines(messages) {
		if line = strings.TrimSpace(line); line != "" && strings.Contains(strings.ToLower(line), text) {
			return strings.TrimPrefix(line, "E: ")
		}
	}
	return err.Error()
}

// WriteError is the error for the cache folder, which kgen could not write to.
func WriteError(err error) error {
	if errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT) {
		return fmt.Errorf("%w: %w; %s", ErrNoSpace, err, Remedies[ErrNoSpace])
	}
	return fmt.Errorf("cannot write to the cache: %w; set XDG_CACHE_HOME to a folder that you may write to", err)
}

// NeedSpace refuses to start what would fill the disk.
func NeedSpace(name, dir string, bytes int64) error {
	var st syscall.Statfs_t
	if err := syscall.Statfs(dir, &st); err != nil {
		return WriteError(&fs.PathError{Op: "statfs", Path: dir, Err: err})
	}
	free := int64(st.Bavail) * st.Bsize
	if free < bytes {
		return fmt.Errorf("%w: %s needs about %.1f GB in %s, where %.1f GB are free; %s",
			ErrNoSpace, name, float64(bytes)/1e9, dir, float64(free)/1e9, Remedies[ErrNoSpace])
	}
	return nil
}
