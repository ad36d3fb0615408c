// SPDX-License-Identifier: GPL-2.0-only

package realmap

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// download gets the package that a meta package stands for into dir, and
// returns its path. Apt compares it with the hash in the signed lists.
func download(ctx context.Context, meta, dir string, progress Progress) (string, error) {
	depends, err := run(ctx, dir, "apt-cache", "depends", "--important", meta)
	if err != nil {
		return "", fmt.Errorf("%w %s: %w; run apt-get update, or add Debian's bookworm-security to the apt sources",
			ErrFetch, meta, err)
	}
	name := dependency(depends, "linux-image-")
	if name == "" {
		return "", fmt.Errorf("%w %s: it depends on no kernel image; run apt-get update", ErrFetch, meta)
	}
	uris, err := run(ctx, dir, "apt-get", "download", "--print-uris", name)
	if err != nil {
		return "", fmt.Errorf("%w %s: %w; run apt-get update", ErrFetch, name, err)
	}
	size := announced(uris)
	stop := poll(func() { progress("downloading "+name, arrived(dir), size) })
	args := []string{"-q", "download", name}
	if os.Geteuid() == 0 { // the user _apt may not write below another's home
		args = append([]string{"-oAPT::Sandbox::User=root"}, args...)
	}
	_, err = run(ctx, dir, "apt-get", args...)
	stop()
	if err != nil {
		return "", fmt.Errorf("%w %s: %w; look at the network, or run apt-get update", ErrFetch, name, err)
	}
	debs, err := filepath.Glob(filepath.Join(dir, "*.deb"))
	if err != nil || len(debs) != 1 {
		return "", fmt.Errorf("%w %s: apt-get left %d packages, expected 1", ErrFetch, name, len(debs))
	}
	progress("downloading "+name, size, size)
	return debs[0], nil
}

// run runs a program in dir and returns its stdout; its last complaint is the
// error.
func run(ctx context.Context, dir, name string, args ...string) (string, error) {
	var stdout, stderr bytes.Buffer
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "LC_ALL=C")
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Run(); err != nil {
		if ctx.Err() != nil {
			return "", ctx.Err()
		}
		lines := strings.Split(strings.TrimSpace(stderr.String()), "\n")
		return "", fmt.Errorf("%s: %w: %s", name, err, lines[len(lines)-1])
	}
	return stdout.String(), nil
}

// dependency finds the first dependency with a prefix in what apt-cache depends
// says.
func dependency(depends, prefix string) string {
	for line := range strings.Lines(depends) {
		name, found := strings.CutPrefix(strings.TrimSpace(line), "Depends: ")
		if found && strings.HasPrefix(name, prefix) {
			return name
		}
	}
	return ""
}

// announced reads the size in "'address' file size hash", 0 if there is none.
func announced(uris string) int64 {
	fields := strings.Fields(uris)
	if len(fields) < 3 {
		return 0
	}
	size, err := strconv.ParseInt(fields[2], 10, 64)
	if err != nil {
		return 0
	}
	return size
}

// arrived is how many bytes there are in dir, in whatever file apt puts them.
func arrived(dir string) int64 {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return 0
	}
	sum := int64(0)
	for _, e := range entries {
		if info, err := e.Info(); err == nil { // files come and go
			sum += info.Size()
		}
	}
	return sum
}

// poll calls f a few times a second until stop is called.
func poll(f func()) (stop func()) {
	quit, done := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		tick := time.NewTicker(200 * time.Millisecond)
		defer tick.Stop()
		for {
			select {
			case <-quit:
				return
			case <-tick.C:
				f()
			}
		}
	}()
	return func() { close(quit); <-done }
}
