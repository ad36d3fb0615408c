// SPDX-License-Identifier: GPL-2.0-only

// Package realmap keeps the real symbols that tests and measurements run on: the
// System.map of a distribution kernel, and one large module of it. They come
// from Debian's packages, once, into the cache:
//
//	apt-get ──package──▶ dpkg-deb ──tar──▶ one file ──(xz)──▶ ~/.cache/kgen/...
//
// The packages are a thousand times the size of what is kept of them, and are
// removed as soon as it is.
package realmap

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

var (
	// ErrMissing: a file is not in the cache.
	ErrMissing = errors.New("not fetched")
	// ErrFetch: a package could not be had or does not hold what it should.
	ErrFetch = errors.New("cannot fetch")
)

// Progress is told what is being done, and how many of how many bytes of it are
// done; total is 0 where that is not known.
type Progress func(doing string, done, total int64)

// File is one file in the cache and where it comes from.
type File struct {
	path    string // below the cache folder
	meta    string // the package that depends on the newest one
	pattern string // of the file's path in the package, as path.Match takes it
	need    int64  // bytes of disk that a fetch takes for a while
}

var (
	// SystemMap lists the 163 thousand symbols of a distribution's 6.12 kernel.
	SystemMap = File{
		path:    "maps/System.map-6.12-amd64",
		meta:    "linux-image-6.12-amd64-dbg",
		pattern: "usr/lib/debug/boot/System.map-*",
		need:    1300e6,
	}
	// Amdgpu is the module with the most symbols in that kernel, uncompressed.
	Amdgpu = File{
		path:    "modules/amdgpu.ko",
		meta:    "linux-image-6.12-amd64",
		pattern: "lib/modules/*/kernel/drivers/gpu/drm/amd/amdgpu/amdgpu.ko*",
		need:    300e6,
	}
	// Files are all there are.
	Files = []File{SystemMap, Amdgpu}
)

// Path returns where the file is, or ErrMissing with the remedy.
func (f File) Path() (string, error) {
	cache, err := cacheDir()
	if err != nil {
		return "", err
	}
	path := filepath.Join(cache, f.path)
	if _, err := os.Stat(path); err != nil {
		return "", fmt.Errorf("%w: %s; run `make maps`, which fetches it", ErrMissing, path)
	}
	return path, nil
}

// Fetch makes sure that every file is in the cache. A file that is there is not
// fetched again, and concurrent fetches take turns. When Fetch fails or ctx
// ends, no part of a file is left.
func Fetch(ctx context.Context, progress Progress) error {
	cache, err := cacheDir()
	if err != nil {
		return err
	}
	for _, f := range Files {
		if err := f.fetch(ctx, cache, progress); err != nil {
			return err
		}
	}
	return nil
}

func cacheDir() (string, error) {
	dir, err := os.UserCacheDir()
	if err != nil {
		return "", fmt.Errorf("finding the cache folder: %w; set HOME or XDG_CACHE_HOME", err)
	}
	return filepath.Join(dir, "kgen"), nil
}
