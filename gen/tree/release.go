// SPDX-License-Identifier: GPL-2.0-only

package tree

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// Release is a kernel tree that Fetch can get.
type Release struct {
	Name     string   // what the user calls it
	Package  string   // Debian's package
	Suites   []string // the Debian suites to look in, where the package is newest in any
	Download int64    // about how many bytes are downloaded
	Unpacked int64    // about how many bytes the tree takes on disk
}

// Releases are the trees that Fetch knows, newest first.
var Releases = []Release{
	{"7.3", "linux-source-7.3", []string{"trixie-backports"}, 167e6, 1900e6},
	{"6.12", "linux-source-6.12", []string{"bookworm", "bookworm-updates", "bookworm-security"}, 153e6, 1700e6},
	{"6.1", "linux-source-6.1", []string{"bookworm", "bookworm-updates", "bookworm-security"}, 139e6, 1500e6},
}

// FindRelease gives the release of a name, or ErrUnknownRelease.
func FindRelease(name string) (Release, error) {
	for _, r := range Releases {
		if r.Name == name {
			return r, nil
		}
	}
	return Release{}, fmt.Errorf("%w: %q; expected %s, or use a tree of your own with --tree DIR", ErrUnknownRelease, name, releaseNames())
}

// releaseNames is "7.3, 6.12 or 6.1".
func releaseNames() string {
	var names []string
	for _, r := range Releases {
		names = append(names, r.Name)
	}
	last := len(names) - 1
	return strings.Join(names[:last], ", ") + " or " + names[last]
}

// CacheDir is kgen's folder in the user's cache. It may not exist yet.
func CacheDir() (string, error) {
	dir, err := os.UserCacheDir()
	if err != nil {
		return "", fmt.Errorf("no cache folder: %w; set HOME or XDG_CACHE_HOME", err)
	}
	return filepath.Join(dir, "kgen"), nil
}

// FetchedDir is where Fetch puts the tree of a release. It may not exist yet.
func FetchedDir(name string) (string, error) {
	cache, err := CacheDir()
	if err != nil {
		return "", err
	}
	return filepath.Join(cache, "trees", name), nil
}

// Record says what a fetched tree was made from. It is kept beside the tree.
type Record struct {
	Package string    `json:"package"` // linux-source-7.3
	Version string    `json:"version"` // of the package: 7.3.4-1~bpo13+1
	Date    time.Time `json:"date"`    // Tree.Date
}

// Listed is a release and what is in the cache of it.
type Listed struct {
	Release Release
	Dir     string  // where it is; "" while it is not fetched
	Record  *Record // nil while it is not fetched, or when its record is lost
}

// List gives every release, in the order of Releases.
func List() ([]Listed, error) {
	var all []Listed
	for _, r := range Releases {
		l := Listed{Release: r}
		dir, err := FetchedDir(r.Name)
		if err != nil {
			return nil, err
		}
		switch _, err := os.Stat(dir); {
		case err == nil:
			l.Dir = dir
			if l.Record, err = readRecord(dir); err != nil {
				return nil, err
			}
		case !errors.Is(err, fs.ErrNotExist):
			return nil, cacheError(err)
		}
		all = append(all, l)
	}
	return all, nil
}

func recordFile(dir string) string { return dir + ".json" }

func readRecord(dir string) (*Record, error) {
	data, err := os.ReadFile(recordFile(dir))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, cacheError(err)
	}
	r := new(Record)
	if err := json.Unmarshal(data, r); err != nil {
		return nil, fmt.Errorf("%s: %w; remove it and %s, and fetch the tree again", recordFile(dir), err, dir)
	}
	return r, nil
}
