// SPDX-License-Identifier: GPL-2.0-only

package tree

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

// apt is a package manager of our own for one download: the machine's mirrors,
// proxies and keys, but sources, lists and cache in a folder of ours. So any user
// may run it, it does not matter how old the machine's lists are, and the machine's
// choice of packages is left alone.
type apt struct {
	dir string // removed by close
}

func newApt(dir string, suites []string) (*apt, error) {
	m, err := readMirrors(etcApt)
	if err != nil {
		return nil, err
	}
	if _, err := os.Stat(keyring); err != nil {
		return nil, missing(keyring, "debian-archive-keyring")
	}
	if err := os.RemoveAll(dir); err != nil { // of a fetch that was killed
		return nil, writeError(err)
	}
	a := &apt{dir}
	for _, sub := range []string{"lists/partial", "cache/archives/partial", "deb"} {
		if err := os.MkdirAll(filepath.Join(dir, sub), 0o755); err != nil {
			return nil, writeError(err)
		}
	}
	for name, text := range map[string]string{"sources.list": m.sourcesList(suites), "apt.conf": aptConf} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			return nil, writeError(err)
		}
	}
	return a, nil
}

// etcApt is where the machine's apt sources are.
var etcApt = "/etc/apt"

func (a *apt) close() { os.RemoveAll(a.dir) }

// run runs apt-get and gives its stdout.
func (a *apt) run(ctx context.Context, doing string, args ...string) (string, error) {
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
	cmd := command(ctx, &stderr, "apt-get", append(options, args...)...)
	cmd.Dir = filepath.Join(a.dir, "deb")
	cmd.Stdout = &stdout
	if err := cmd.Run(); err != nil {
		return "", diagnose(ctx, doing, err, stderr.String())
	}
	return stdout.String(), nil
}

// download gets the newest package of a release into the folder to and gives its
// path. Apt compares it with the hash in the signed lists.
func download(ctx context.Context, r Release, to string, progress Progress) (string, error) {
	a, err := newApt(filepath.Join(to, ".apt-"+r.Name), r.Suites)
	if err != nil {
		return "", err
	}
	defer a.close()
	progress("reading package lists", 0, 0)
	if _, err := a.run(ctx, "reading package lists", "update"); err != nil {
		return "", err
	}
	doing := "downloading " + r.Package
	uris, err := a.run(ctx, doing, "download", "--print-uris", r.Package)
	if err != nil {
		return "", err
	}
	file, size, err := parseURI(uris)
	if err != nil {
		return "", fmt.Errorf("%s: %w", doing, err)
	}
	stop := poll(func() { progress(doing, a.arrived(), size) })
	_, err = a.run(ctx, doing, "download", r.Package)
	stop()
	if err != nil {
		return "", err
	}
	debs, err := filepath.Glob(filepath.Join(a.dir, "deb", r.Package+"_*.deb"))
	if err != nil || len(debs) != 1 {
		return "", fmt.Errorf("%w: %s: apt-get left no %s; %s", ErrCorrupt, doing, file, remedies[ErrCorrupt])
	}
	info, err := os.Stat(debs[0])
	if err != nil {
		return "", writeError(err)
	}
	if info.Size() != size {
		return "", fmt.Errorf("%w: %s has %d bytes, expected %d; %s", ErrCorrupt, file, info.Size(), size, remedies[ErrCorrupt])
	}
	progress(doing, size, size)
	deb := filepath.Join(to, filepath.Base(debs[0]))
	if err := os.Rename(debs[0], deb); err != nil {
		return "", writeError(err)
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
func (a *apt) arrived() int64 {
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

// poll calls f a few times a second until stop is called; f does not run after
// stop has returned.
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
