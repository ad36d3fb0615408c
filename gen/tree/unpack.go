// SPDX-License-Identifier: GPL-2.0-only

package tree

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync/atomic"
	"syscall"

	"kgen/gen/debian"
)

// packageVersion reads the version of a Debian package file.
func packageVersion(ctx context.Context, deb string) (string, error) {
	var stderr bytes.Buffer
	out, err := debian.Command(ctx, &stderr, "dpkg-deb", "--field", deb, "Version").Output()
	if err != nil {
		if ctx.Err() != nil {
			return "", ctx.Err()
		}
		return "", fmt.Errorf("%w: %s: %s; %s", ErrCorrupt, deb, debian.Reason(stderr.String(), "", err), debian.Remedies[ErrCorrupt])
	}
	return strings.TrimSpace(string(out)), nil
}

// unpack puts the kernel tree in a linux-source package into the folder to, which
// is empty. The archive in the package is never on disk by itself:
//
//	dpkg-deb ──package's tar──▶ tar ──tar.xz──▶ (counted) ──▶ xz ──tar──▶ tar ──▶ files
func unpack(ctx context.Context, deb, to string, progress Progress) error {
	info, err := os.Stat(deb)
	if err != nil {
		return unreadable(err)
	}
	// One stage that fails must stop the others.
	running, cancel := context.WithCancel(ctx)
	defer cancel()
	stages := [][]string{
		{"dpkg-deb", "--fsys-tarfile", deb},
		{"tar", "-x", "-f", "-", "--to-stdout", "--wildcards", "./usr/src/linux-source-*.tar.xz"},
		{"xz", "--decompress", "--stdout", "--threads=0"},
		{"tar", "-x", "-f", "-", "--no-same-owner", "--strip-components=1", "-C", to},
	}
	const counted = 2 // the stage that is fed by us
	cmds := make([]*exec.Cmd, len(stages))
	messages := make([]bytes.Buffer, len(stages))
	for i, args := range stages {
		cmds[i] = debian.Command(running, &messages[i], args[0], args[1:]...)
	}
	var done atomic.Int64
	var ends []*os.File // pipe ends that belong to the children once they run
	for i := 1; i < len(cmds); i++ {
		r, w, err := os.Pipe()
		if err != nil {
			closeAll(ends)
			return fmt.Errorf("unpacking %s: %w", deb, err)
		}
		ends = append(ends, r, w)
		cmds[i-1].Stdout, cmds[i].Stdin = w, r
		if i == counted {
			// Not an *os.File, so that exec copies through it.
			cmds[i].Stdin = &counter{r, &done}
		}
	}
	feed := cmds[counted].Stdin.(*counter).from.(*os.File)
	stop := debian.Poll(func() { progress("unpacking", done.Load(), info.Size()) })
	defer stop()
	for i, cmd := range cmds {
		if err := cmd.Start(); err != nil {
			cancel()
			closeAll(ends)
			for _, started := range cmds[:i] {
				started.Wait()
			}
			return debian.Diagnose(ctx, "unpacking "+deb, err, "")
		}
	}
	for _, end := range ends {
		if end != feed {
			end.Close()
		}
	}
	failures := make([]error, len(cmds))
	for i := len(cmds) - 1; i >= 0; i-- { // a stage ends after those it feeds on
		failures[i] = cmds[i].Wait()
		if i == counted {
			feed.Close() // its writer must not wait for a reader that is gone
		}
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err := cause(failures, messages); err != nil {
		return debian.Diagnose(ctx, "unpacking "+deb, err, complaints(messages))
	}
	return nil
}

// cause is the failure of the first stage that did not just lose its reader: the
// later ones got half of their input. dpkg-deb says so of a program of its own, and
// is not ended by the signal itself.
func cause(failures []error, messages []bytes.Buffer) error {
	for i, err := range failures {
		var exit *exec.ExitError
		if errors.As(err, &exit) && exit.Sys().(syscall.WaitStatus).Signal() == syscall.SIGPIPE {
			continue
		}
		if err != nil && bytes.Contains(messages[i].Bytes(), []byte("Broken pipe")) {
			continue
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// complaints are the messages of all stages but those of a lost reader, in order.
func complaints(messages []bytes.Buffer) string {
	var b strings.Builder
	for i := range messages {
		for line := range strings.Lines(messages[i].String()) {
			if !strings.Contains(line, "Broken pipe") {
				b.WriteString(line)
			}
		}
	}
	return b.String()
}

// counter counts what is read through it.
type counter struct {
	from io.Reader
	n    *atomic.Int64
}

func (c *counter) Read(p []byte) (int, error) {
	n, err := c.from.Read(p)
	c.n.Add(int64(n))
	return n, err
}

func closeAll(files []*os.File) {
	for _, f := range files {
		f.Close()
	}
}
