// SPDX-License-Identifier: GPL-2.0-only

package tree

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"kgen/gen/debian"
)

// Progress is told how a fetch goes on.
type Progress = debian.Progress

// Fetch makes sure that the tree of a release is in the cache, and opens it. A tree
// that is there is not fetched again. Fetches of one tree at the same time take
// turns, and the later ones find it done. When Fetch fails or ctx ends, nothing
// half-made is left, but a whole package that was downloaded stays for the next
// fetch.
//
// Errors are those of this package, ctx's own, and those of the file system.
func Fetch(ctx context.Context, name string, progress Progress) (*Tree, error) {
	r, err := FindRelease(name)
	if err != nil {
		return nil, err
	}
	dir, err := FetchedDir(name)
	if err != nil {
		return nil, err
	}
	if there(dir) {
		return Open(name)
	}
	if err := debian.NeedTools(fetchTools...); err != nil {
		return nil, err
	}
	trees := filepath.Dir(dir)
	downloads := filepath.Join(filepath.Dir(trees), "downloads")
	for _, folder := range []string{trees, downloads} {
		if err := os.MkdirAll(folder, 0o755); err != nil {
			return nil, debian.WriteError(err)
		}
	}
	unlock, err := debian.Lock(ctx, filepath.Join(trees, "."+name+".lock"), func() {
		progress("waiting for another fetch of "+name, 0, 0)
	})
	if err != nil {
		return nil, err
	}
	defer unlock()
	if there(dir) {
		return Open(name)
	}
	if err := fetch(ctx, r, dir, downloads, progress); err != nil {
		return nil, err
	}
	return Open(name)
}

// fetchTools are the programs that a fetch runs.
var fetchTools = []string{"apt-get", "dpkg-deb", "tar", "xz"}

// there tells whether a path exists. One that cannot be looked at does not; making
// it will say why.
func there(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

// fetch makes dir. The caller has the lock.
func fetch(ctx context.Context, r Release, dir, downloads string, progress Progress) error {
	deb, err := leftover(r, downloads)
	if err != nil {
		return err
	}
	if deb != "" {
		err := install(ctx, deb, r, dir, progress)
		if !errors.Is(err, ErrCorrupt) {
			return err
		}
		progress("throwing away "+filepath.Base(deb)+", which is broken", 0, 0)
	}
	if err := debian.NeedSpace(r.Name, downloads, r.Download+r.Unpacked); err != nil {
		return err
	}
	if deb, err = download(ctx, r, downloads, progress); err != nil {
		return err
	}
	return install(ctx, deb, r, dir, progress)
}

// etcApt is where the mirrors are named; tests have their own.
var etcApt = debian.EtcApt

// download gets the newest package of a release into a folder and gives its path.
func download(ctx context.Context, r Release, to string, progress Progress) (string, error) {
	apt, err := debian.Open(ctx, filepath.Join(to, ".apt-"+r.Name), etcApt, r.Suites, progress)
	if errors.Is(err, ErrNoMirror) {
		return "", fmt.Errorf("%w, or get a kernel tree by other means and name it with --tree DIR", err)
	}
	if err != nil {
		return "", err
	}
	defer apt.Close()
	return apt.Download(ctx, r.Package, to)
}

// leftover is the package that an earlier fetch downloaded but could not unpack,
// or "".
func leftover(r Release, downloads string) (string, error) {
	debs, err := filepath.Glob(filepath.Join(downloads, r.Package+"_*.deb"))
	if err != nil || len(debs) == 0 {
		return "", err
	}
	return slices.Max(debs), nil
}

// install unpacks a package beside dir, writes the record, moves the tree to dir
// and removes the package, which is not needed any more. A broken package is
// removed too.
func install(ctx context.Context, deb string, r Release, dir string, progress Progress) error {
	if err := debian.NeedSpace(r.Name, filepath.Dir(dir), r.Unpacked); err != nil {
		return err
	}
	part := filepath.Join(filepath.Dir(dir), "."+r.Name+".part")
	defer os.RemoveAll(part) // nothing, once it is renamed
	if err := os.RemoveAll(part); err != nil {
		return debian.WriteError(err)
	}
	if err := os.Mkdir(part, 0o755); err != nil {
		return debian.WriteError(err)
	}
	record, err := unpackAndDescribe(ctx, deb, r, part, progress)
	if errors.Is(err, ErrCorrupt) {
		os.Remove(deb)
	}
	if err != nil {
		return err
	}
	if err := writeRecord(dir, record); err != nil {
		return err
	}
	if err := os.Rename(part, dir); err != nil {
		return debian.WriteError(err)
	}
	os.Remove(deb)
	return nil
}

func unpackAndDescribe(ctx context.Context, deb string, r Release, part string, progress Progress) (*Record, error) {
	version, err := packageVersion(ctx, deb)
	if err != nil {
		return nil, err
	}
	if err := unpack(ctx, deb, part, progress); err != nil {
		return nil, err
	}
	t, err := Open(part)
	if err != nil {
		return nil, fmt.Errorf("%w: what %s has is %w; %s", ErrCorrupt, deb, err, debian.Remedies[ErrCorrupt])
	}
	date, err := t.Date()
	if err != nil {
		return nil, err
	}
	return &Record{Package: r.Package, Version: version, Date: date}, nil
}

func writeRecord(dir string, r *Record) error {
	data, err := json.MarshalIndent(r, "", "  ")
	if err != nil {
		return err
	}
	if err := os.WriteFile(recordFile(dir), append(data, '\n'), 0o644); err != nil {
		return debian.WriteError(err)
	}
	return nil
}
