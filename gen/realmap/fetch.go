// SPDX-License-Identifier: GPL-2.0-only

package realmap

import (
	"context"
	"os"
	"path/filepath"
	"slices"

	"kgen/gen/debian"
)

// fetchAll puts files into a cache.
func fetchAll(ctx context.Context, cache string, files []File, progress debian.Progress) error {
	var sources []source
	for _, f := range files {
		if !slices.Contains(sources, f.from) {
			sources = append(sources, f.from)
		}
	}
	for _, s := range sources {
		if err := s.fetch(ctx, cache, files, progress); err != nil {
			return err
		}
	}
	return nil
}

// missing are the files of a package that are not in the cache.
func (s source) missing(cache string, files []File) []File {
	return slices.DeleteFunc(slices.Clone(files), func(f File) bool {
		return f.from != s || exists(filepath.Join(cache, f.path))
	})
}

// fetch puts those of the files into the cache that come from a package and are
// not there. Everything that is not whole yet lives in a folder of its own in the
// cache, so that the last step is a rename.
func (s source) fetch(ctx context.Context, cache string, files []File, progress debian.Progress) error {
	if len(s.missing(cache, files)) == 0 {
		return nil
	}
	downloads := filepath.Join(cache, "downloads")
	if err := os.MkdirAll(downloads, 0o755); err != nil {
		return debian.WriteError(err)
	}
	unlock, err := debian.Lock(ctx, filepath.Join(downloads, "."+s.meta+".lock"), func() {
		progress("waiting for another fetch of "+s.meta, 0, 0)
	})
	if err != nil {
		return err
	}
	defer unlock()
	wanted := s.missing(cache, files) // the other fetch made some
	if len(wanted) == 0 {
		return nil
	}
	if err := debian.NeedTools("apt-get", "apt-cache", "dpkg-deb", "xz"); err != nil {
		return err
	}
	if err := debian.NeedSpace(s.meta, downloads, s.need); err != nil {
		return err
	}
	work := filepath.Join(downloads, "."+s.meta+".part")
	defer os.RemoveAll(work)
	if err := os.RemoveAll(work); err != nil { // of a fetch that was killed
		return debian.WriteError(err)
	}
	if err := os.Mkdir(work, 0o755); err != nil {
		return debian.WriteError(err)
	}
	return s.fetchInto(ctx, cache, wanted, work, progress)
}

// fetchInto does what fetch says, in an empty folder that fetch removes.
func (s source) fetchInto(ctx context.Context, cache string, wanted []File, work string, progress debian.Progress) error {
	deb, err := s.download(ctx, work, progress)
	if err != nil {
		return err
	}
	progress("unpacking "+filepath.Base(deb), 0, 0)
	patterns := make([]string, len(wanted))
	for i, f := range wanted {
		patterns[i] = f.pattern
	}
	made, err := extract(ctx, deb, patterns, work)
	if err != nil {
		return err
	}
	for i, f := range wanted {
		to := filepath.Join(cache, f.path)
		if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
			return debian.WriteError(err)
		}
		if err := os.Rename(made[i], to); err != nil {
			return debian.WriteError(err)
		}
	}
	return nil
}

// download gets the newest package that the meta package stands for into a folder.
func (s source) download(ctx context.Context, to string, progress debian.Progress) (deb string, err error) {
	apt, err := debian.Open(ctx, filepath.Join(to, "apt"), etcApt, suites, progress)
	if err != nil {
		return "", err
	}
	defer apt.Close()
	pkg, err := apt.Dependency(ctx, s.meta, "linux-image-")
	if err != nil {
		return "", err
	}
	return apt.Download(ctx, pkg, to)
}

// etcApt is where the mirrors are named; tests have their own.
var etcApt = debian.EtcApt

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}
