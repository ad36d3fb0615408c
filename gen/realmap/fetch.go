// SPDX-License-Identifier: GPL-2.0-only

package realmap

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"syscall"
	"time"
)

// fetchAll puts files into a cache.
func fetchAll(ctx context.Context, cache string, files []File, progress Progress) error {
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
func (s source) fetch(ctx context.Context, cache string, files []File, progress Progress) error {
	if len(s.missing(cache, files)) == 0 {
		return nil
	}
	downloads := filepath.Join(cache, "downloads")
	if err := os.MkdirAll(downloads, 0o755); err != nil {
		return err
	}
	unlock, err := lock(ctx, filepath.Join(downloads, "."+s.meta+".lock"), func() {
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
	for _, tool := range []string{"apt-get", "apt-cache", "dpkg-deb", "xz"} {
		if _, err := exec.LookPath(tool); err != nil {
			return fmt.Errorf("%w %s: needs %s, which is not installed; use a Debian machine, or put the file at %s yourself",
				ErrFetch, wanted[0].path, tool, filepath.Join(cache, wanted[0].path))
		}
	}
	if err := s.checkSpace(downloads); err != nil {
		return err
	}
	work := filepath.Join(downloads, "."+s.meta+".part")
	defer os.RemoveAll(work)
	if err := os.RemoveAll(work); err != nil { // of a fetch that was killed
		return err
	}
	if err := os.Mkdir(work, 0o755); err != nil {
		return err
	}
	return s.fetchInto(ctx, cache, wanted, work, progress)
}

// fetchInto does what fetch says, in an empty folder that fetch removes.
func (s source) fetchInto(ctx context.Context, cache string, wanted []File, work string, progress Progress) error {
	deb, err := download(ctx, s.meta, work, progress)
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
			return err
		}
		if err := os.Rename(made[i], to); err != nil {
			return err
		}
	}
	return nil
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

func (s source) checkSpace(dir string) error {
	var st syscall.Statfs_t
	if err := syscall.Statfs(dir, &st); err != nil {
		return fmt.Errorf("looking for space in %s: %w", dir, err)
	}
	if free := int64(st.Bavail) * st.Bsize; free < s.need {
		return fmt.Errorf("%w %s: needs %d MB for a while, %s has %d MB free; make room or set XDG_CACHE_HOME",
			ErrFetch, s.meta, s.need/1e6, dir, free/1e6)
	}
	return nil
}

// lock takes an exclusive lock on a file, which the system drops when its
// holder dies. The file stays: removing it would let two processes hold locks
// on two files of one name.
func lock(ctx context.Context, path string, waiting func()) (unlock func(), err error) {
	file, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o644)
	if err != nil {
		return nil, err
	}
	for told := false; ; {
		err := syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
		if err == nil {
			return func() { file.Close() }, nil
		}
		if !errors.Is(err, syscall.EWOULDBLOCK) && !errors.Is(err, syscall.EINTR) {
			file.Close()
			return nil, fmt.Errorf("locking %s: %w", path, err)
		}
		if !told {
			waiting()
			told = true
		}
		select {
		case <-ctx.Done():
			file.Close()
			return nil, ctx.Err()
		case <-time.After(100 * time.Millisecond):
		}
	}
}
