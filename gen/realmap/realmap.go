// SPDX-License-Identifier: GPL-2.0-only

// Package realmap keeps the real symbols that tests and measurements run on: the
// System.map of a distribution kernel, and some modules of it. They come from
// Debian's packages, once, into the cache:
//
//	package debian ──.deb──▶ dpkg-deb ──tar──▶ its files ──(xz)──▶ ~/.cache/kgen/
//
// A package is downloaded once for all files of it that are not there, and read
// once from its start to the last of them. The packages are many times the size of
// what is kept of them, and are removed as soon as it is.
package realmap

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"strings"

	"kgen/gen/debian"
)

// ErrMissing: a file is not in the cache.
var ErrMissing = errors.New("not fetched")

// File is one file in the cache and where it comes from.
type File struct {
	path    string // below the cache folder
	from    source
	pattern string // of the file's path in the package, as path.Match takes it, without .xz
}

// source is a package.
type source struct {
	meta string // the package that depends on the newest one
	need int64  // bytes of disk that a fetch takes for a while
}

// suites have the packages, the newest in any.
var suites = []string{"bookworm", "bookworm-updates", "bookworm-security"}

var (
	debugPackage = source{"linux-image-6.12-amd64-dbg", 1300e6}
	imagePackage = source{"linux-image-6.12-amd64", 300e6}
)

var (
	// SystemMap lists the 163 thousand symbols of a distribution's 6.12 kernel.
	SystemMap = File{"maps/System.map-6.12-amd64", debugPackage, "usr/lib/debug/boot/System.map-*"}
	// Amdgpu is the module with the most symbols in that kernel.
	Amdgpu = module("drivers/gpu/drm/amd/amdgpu/amdgpu.ko")
	// Modules are of that kernel too, uncompressed, largest symbol table first.
	Modules = []File{
		Amdgpu,
		module("drivers/gpu/drm/i915/i915.ko"), // a hundred names that stand for several symbols
		module("fs/xfs/xfs.ko"),                // hundreds of tracepoints, each several symbols
		module("arch/x86/kvm/kvm.ko"),          // several text sections
		module("drivers/net/ethernet/intel/e1000e/e1000e.ko"), // a middling driver
		module("drivers/md/dm-mod.ko"),                        // a hyphen: the kernel calls it dm_mod
		module("fs/nls/nls_ucs2_utils.ko"),                    // data only: its text is empty
		module("lib/crc16.ko"),                                // no init section and nothing to trace
	}
	// Files are all there are.
	Files = append([]File{SystemMap}, Modules...)
)

// module is the file of a module, given its path below lib/modules/*/kernel.
func module(in string) File {
	return File{"modules/" + path.Base(in), imagePackage, "lib/modules/*/kernel/" + in}
}

// Name is the file's name without a suffix: "dm-mod" for a module.
func (f File) Name() string { return strings.TrimSuffix(path.Base(f.path), ".ko") }

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
//
// Errors are those of package debian, ctx's own, and those of the file system.
func Fetch(ctx context.Context, progress debian.Progress) error {
	cache, err := cacheDir()
	if err != nil {
		return err
	}
	return fetchAll(ctx, cache, Files, progress)
}

func cacheDir() (string, error) {
	dir, err := os.UserCacheDir()
	if err != nil {
		return "", fmt.Errorf("finding the cache folder: %w; set HOME or XDG_CACHE_HOME", err)
	}
	return filepath.Join(dir, "kgen"), nil
}
