// SPDX-License-Identifier: GPL-2.0-only

package realmap

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"time"
)

// fetch puts one file into the cache. Everything that is not whole yet lives in
// a folder of its own beside the target, so that the last step is a rename.
func (f File) fetch(ctx context.Context, cache string, progress Progress) error {
	to := filepath.Join(cache, f.path)
	if exists(to) {
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
		return err
	}
	unlock, err := lock(ctx, to+".lock", func() { progress("waiting for another fetch of "+f.path, 0, 0) })
	if err != nil {
		return err
	}
	defer unlock()
	if exists(to) { // the other fetch made it
		return nil
	}
	for _, tool := range []string{"apt-get", "apt-cache", "dpkg-deb", "xz"} {
		if _, err := exec.LookPath(tool); err != nil {
			return fmt.Errorf("%w %s: needs %s, which is not installed; use a Debian machine, or put the file at %s yourself",
				ErrFetch, f.path, tool, to)
		}
	}
	if err := f.checkSpace(to); err != nil {
		return err
	}
	work := to + ".part"
	defer os.RemoveAll(work)
	if err := os.RemoveAll(work); err != nil { // of a fetch that was killed
		return err
	}
	if err := os.Mkdir(work, 0o755); err != nil {
		return err
	}
	deb, err := download(ctx, f.meta, work, progress)
	if err != nil {
		return err
	}
	progress("unpacking "+filepath.Base(to), 0, 0)
	file, err := extract(ctx, deb, f.pattern, work)
	if err != nil {
		return err
	}
	return os.Rename(file, to)
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

func (f File) checkSpace(to string) error {
	var st syscall.Statfs_t
	if err := syscall.Statfs(filepath.Dir(to), &st); err != nil {
		return fmt.Errorf("looking for space in %s: %w", filepath.Dir(to), err)
	}
	if free := int64(st.Bavail) * st.Bsize; free < f.need {
		return fmt.Errorf("%w %s: needs %d MB for a while, %s has %d MB free; make room or set XDG_CACHE_HOME",
			ErrFetch, f.path, f.need/1e6, filepath.Dir(to), free/1e6)
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
