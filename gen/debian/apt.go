// SPDX-License-Identifier: GPL-2.0-only

package debian

import (
	"bytes"
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// keyring has the keys of every Debian release that is still in use.
const keyring = "/usr/share/keyrings/debian-archive-keyring.gpg"

// aptConf keeps the machine's hooks from running after an update of lists that
// are not the machine's: they write where only root may.
const aptConf = `#clear APT::Update::Pre-Invoke;
#clear APT::Update::Post-Invoke;
#clear APT::Update::Post-Invoke-Success;
`

// EtcApt is where a machine's apt sources are.
const EtcApt = "/etc/apt"

// Apt is a package manager of our own for one download: the machine's mirrors,
// proxies and keys, but sources, lists and cache in a folder of ours. So any user
// may run it, it does not matter how old the machine's lists are or whether there
// are any, and the machine's choice of packages is left alone.
type Apt struct {
	dir      string // removed by Close
	progress Progress
}

// Open reads the package lists of some suites into a folder, which it makes anew.
// The machine's mirrors are those that a folder like /etc/apt names.
func Open(ctx context.Context, dir, etcApt string, suites []string, progress Progress) (*Apt, error) {
	m, err := readMirrors(etcApt)
	if err != nil {
		return nil, err
	}
	if _, err := os.Stat(keyring); err != nil {
		return nil, Missing(keyring, "debian-archive-keyring")
	}
	if err := os.RemoveAll(dir); err != nil { // of a fetch that was killed
		return nil, WriteError(err)
	}
	a := &Apt{dir, progress}
	if err := a.prepare(m.sourcesList(suites)); err != nil {
		a.Close()
		return nil, err
	}
	const doing = "reading package lists"
	progress(doing, 0, 0)
	if _, err := a.run(ctx, doing, "apt-get", "update"); err != nil {
		a.Close()
		return nil, err
	}
	return a, nil
}

// prepare makes the folders and files that apt wants.
func (a *Apt) prepare(sources string) error {
	for _, sub := range []string{"lists/partial", "cache/archives/partial", "deb"} {
		if err := os.MkdirAll(filepath.Join(a.dir, sub), 0o755); err != nil {
			return WriteError(err)
		}
	}
	for name, text := range map[string]string{"sources.list": sources, "apt.conf": aptConf} {
		if err := os.WriteFile(filepath.Join(a.dir, name), []byte(text), 0o644); err != nil {
			return WriteError(err)
		}
	}
	return nil
}

// Close removes the folder.
func (a *Apt) Close() { os.RemoveAll(a.dir) }

// run runs a program of apt and gives its stdout.
func (a *Apt) run(ctx context.Context, doing, program string, args ...string) (string, error) {
	options := []string{
		"-qq",
		"-c=" + filepath.Join(a.dir, "apt.conf"),
		"-oDir::Etc::sourcelist=" + filepath.Join(a.dir, "sources.list"),
		"-oDir::Etc::sourceparts=/dev/null/none",
		"-oDir::Etc::preferences=/dev/null/none",
		"-oDir::Etc::preferencesparts=/dev/null/none",
		"-oDir::State::lists=" + filepath.Join(a.dir, "lists") + "/",
		"-oDir::Cache=" + filepath.Join(a.dir, "cache") + "/",
		"-oAPT::Update::Error-Mode=any", // a list that did not arrive is an error
	}
	if os.Geteuid() == 0 { // the user _apt may not write below another's home
		options = append(options, "-oAPT::Sandbox::User=root")
	}
	var stdout, stderr bytes.Buffer
	cmd := Command(ctx, &stderr, program, append(options, args...)...)
	cmd.Dir = filepath.Join(a.dir, "deb")
	cmd.Stdout = &stdout
	if err := cmd.Run(); err != nil {
		return "", Diagnose(ctx, doing, err, stderr.String())
	}
	return stdout.String(), nil
}

// Dependency gives the package with a prefix that a package depends on. Debian's
// packages without a version in their name depend on the newest one that has.
func (a *Apt) Dependency(ctx context.Context, pkg, prefix string) (string, error) {
	doing := "looking up " + pkg
	says, err := a.run(ctx, doing, "apt-cache", "depends", "--important", pkg)
	if err != nil {
		return "", err
	}
	for line := range strings.Lines(says) {
		name, found := strings.CutPrefix(strings.TrimSpace(line), "Depends: ")
		if found && strings.HasPrefix(name, prefix) {
			return name, nil
		}
	}
	return "", fmt.Errorf("%w: %s: it depends on no %s*; %s", ErrNetwork, doing, prefix, Remedies[ErrNetwork])
}

// Download gets the newest package of a name into the folder to and gives its
// path. Apt compares it with the hash in the signed lists.
func (a *Apt) Download(ctx context.Context, pkg, to string) (string, error) {
	doing := "downloading " + pkg
	uris, err := a.run(ctx, doing, "apt-get", "download", "--print-uris", pkg)
	if err != nil {
		return "", err
	}
	file, size, err := parseURI(uris)
	if err != nil {
		return "", fmt.Errorf("%s: %w", doing, err)
	}
	stop := Poll(func() { a.progress(doing, a.arrived(), size) })
	_, err = a.run(ctx, doing, "apt-get", "download", pkg)
	stop()
	if err != nil {
		return "", err
	}
	debs, err := filepath.Glob(filepath.Join(a.dir, "deb", pkg+"_*.deb"))
	if err != nil || len(debs) != 1 {
		return "", fmt.Errorf("%w: %s: apt-get left no %s; %s", ErrCorrupt, doing, file, Remedies[ErrCorrupt])
	}
	info, err := os.Stat(debs[0])
	if err != nil {
		return "", WriteError(err)
	}
	if info.Size() != size {
		return "", fmt.Errorf("%w: %s has %d bytes, expected %d; %s", ErrCorrupt, file, info.Size(), size, Remedies[ErrCorrupt])
	}
	a.progress(doing, size, size)
	deb := filepath.Join(to, filepath.Base(debs[0]))
	if err := os.Rename(debs[0], deb); err != nil {
		return "", WriteError(err)
	}
	return deb, nil
}

// parseURI reads what apt-get download --print-uris says: "'address' file size
// hash".
func parseURI(line string) (file string, size int64, err error) {
	fields := strings.Fields(line)
	if len(fields) < 3 {
		return "", 0, fmt.Errorf("apt-get --print-uris said %q, expected an address, a file and its size", line)
	}
	size, err = strconv.ParseInt(fields[2], 10, 64)
	if err != nil || size <= 0 {
		return "", 0, fmt.Errorf("apt-get --print-uris gave the size %q of %s, expected a number of bytes", fields[2], fields[1])
	}
	return fields[1], size, nil
}

// arrived is the number of bytes downloaded so far, in whatever file apt puts them.
func (a *Apt) arrived() int64 {
	var sum int64
	for _, sub := range []string{"deb", "cache/archives"} {
		filepath.WalkDir(filepath.Join(a.dir, sub), func(_ string, d fs.DirEntry, err error) error {
			if err != nil || !d.Type().IsRegular() {
				return nil // files come and go
			}
			if info, err := d.Info(); err == nil {
				sum += info.Size()
			}
			return nil
		})
	}
	return sum
}

// Poll calls f a few times a second until stop is called; f does not run after
// stop has returned.
func Poll(f func()) (stop func()) {
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
