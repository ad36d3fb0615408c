// SPDX-License-Identifier: GPL-2.0-only

package tree

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"syscall"
)

// Progress is told how a fetch goes on: what is being done, and how many of how
// many bytes of it are done (total is 0 where that is not known). Calls never
// overlap.
type Progress func(doing string, done, total int64)

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
	if err := needTools("apt-get", "dpkg-deb", "tar", "xz"); err != nil {
		return nil, err
	}
	trees := filepath.Dir(dir)
	downloads := filepath.Join(filepath.Dir(trees), "downloads")
	for _, folder := range []string{trees, downloads} {
		if err := os.MkdirAll(folder, 0o755); err != nil {
			return nil, writeError(err)
		}
	}
	unlock, err := lock(ctx, filepath.Join(trees, "."+name+".lock"), func() {
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
	if err := needSpace(r.Name, downloads, r.Download+r.Unpacked); err != nil {
		return err
	}
	if deb, err = download(ctx, r, downloads, progress); err != nil {
		return err
	}
	return install(ctx, deb, r, dir, progress)
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
	if err := needSpace(r.Name, filepath.Dir(dir), r.Unpacked); err != nil {
		return err
	}
	part := filepath.Join(filepath.Dir(dir), "."+r.Name+".part")
	defer os.RemoveAll(part) // nothing, once it is renamed
	if err := os.RemoveAll(part); err != nil {
		return writeError(err)
	}
	if err := os.Mkdir(part, 0o755); err != nil {
		return writeError(err)
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
		return writeError(err)
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
		return nil, fmt.Errorf("%w: what %s has is %w; %s", ErrCorrupt, deb, err, remedies[ErrCorrupt])
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
		return writeError(err)
	}
	return nil
}

// needSpace refuses to start what would fill the disk.
func needSpace(name, dir string, bytes int64) error {
	var st syscall.Statfs_t
	if err := syscall.Statfs(dir, &st); err != nil {
		return writeError(&fs.PathError{Op: "statfs", Path: dir, Err: err})
	}
	free := int64(st.Bavail) * st.Bsize
	if free < bytes {
		return fmt.Errorf("%w: %s needs about %.1f GB in %s, where %.1f GB are free; %s",
			ErrNoSpace, name, float64(bytes)/1e9, dir, float64(free)/1e9, remedies[ErrNoSpace])
	}
	return nil
}
