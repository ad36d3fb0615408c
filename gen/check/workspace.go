// SPDX-License-Identifier: GPL-2.0-only

package check

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

// workspace is the folder in the cache where one tree is built. It outlives the
// run: what the series does not touch need not be compiled again.
//
//	lower    a link to the user's tree
//	upper    files laid over it
//	tree     where the two are seen as one, for as long as make runs
//	out      kbuild's O=
//	configs  configurations made before
//	bases    what kernels without a series said when they were booted
//	no-kvm   there if a guest did not run under KVM
//	written  every path that was ever laid over the tree
//	stamp    what out was made with; another stamp means to start from nothing
//	running  there while a build runs; if it is there before, one was interrupted
//	lock     held by the run, and by every program it starts
//	log      all that make said in the last run
type workspace struct {
	dir  string
	lock *os.File
	view view
}

func (w *workspace) path(name string) string { return filepath.Join(w.dir, name) }

// openWorkspace takes the workspace of the tree, waits for another run to leave
// it, and empties it when what is there cannot be trusted. The suffix keeps apart
// what is built in another way.
func openWorkspace(ctx context.Context, o Options, suffix string) (_ *workspace, err error) {
	cache, err := o.cacheDir()
	if err != nil {
		return nil, err
	}
	real, err := filepath.EvalSymlinks(o.Tree.Dir)
	if err != nil {
		return nil, err
	}
	w := &workspace{dir: filepath.Join(cache, workspaceName(real, o.Tree.Version)+suffix)}
	if rel, err := filepath.Rel(real, w.dir); err == nil && filepath.IsLocal(rel) {
		return nil, fmt.Errorf("%w: %s is inside the kernel tree; set XDG_CACHE_HOME to a folder outside it", ErrCache, w.dir)
	}
	if strings.ContainsAny(w.dir, " \t:#") {
		return nil, fmt.Errorf("%w: %s: kbuild takes no path with a space or a colon; set XDG_CACHE_HOME to another folder", ErrCache, w.dir)
	}
	if err := os.MkdirAll(w.dir, 0o755); err != nil {
		return nil, cacheError(err)
	}
	if err := w.take(ctx, o); err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			w.close()
		}
	}()
	if w.view, err = w.chooseView(ctx, real, o); err != nil {
		return nil, err
	}
	return w, nil
}

// workspaceName is the same for the same tree, since kbuild compares the paths in
// its command lines, and compiles everything again when they differ.
func workspaceName(tree, version string) string {
	sum := sha256.Sum256([]byte(tree))
	return fmt.Sprintf("%s-%x", version, sum[:6])
}

// take locks the workspace. The lock is inherited by the programs that the run
// starts, so that a killed kgen's compilers are waited for as well.
func (w *workspace) take(ctx context.Context, o Options) error {
	f, err := os.OpenFile(w.path("lock"), os.O_CREATE|os.O_RDWR, 0o644)
	if err != nil {
		return cacheError(err)
	}
	for told := false; ; told = true {
		err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
		if err == nil {
			w.lock = f
			return nil
		}
		if !errors.Is(err, syscall.EWOULDBLOCK) {
			f.Close()
			return cacheError(fmt.Errorf("%s: %w", f.Name(), err))
		}
		if !told {
			o.Progress("build: waiting for another check of this tree to end")
		}
		select {
		case <-ctx.Done():
			f.Close()
			return ctx.Err()
		case <-time.After(100 * time.Millisecond):
		}
	}
}

func (w *workspace) close() { w.lock.Close() }

// begin prepares for a build with what stamp describes, from nothing unless the
// last one was made the same way and came to its end. It tells which.
func (w *workspace) begin(stamp string) (fresh bool, err error) {
	old, err := os.ReadFile(w.path("stamp"))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return false, cacheError(err)
	}
	_, interrupted := os.Lstat(w.path("running"))
	fresh = string(old) != stamp || interrupted == nil
	if fresh {
		for _, name := range []string{"stamp", "out", "upper", "work", "configs", "written", "tree", "bases", "no-kvm"} {
			if err := os.RemoveAll(w.path(name)); err != nil {
				return false, cacheError(err)
			}
		}
	}
	for _, name := range []string{"out", "upper", "work", "tree", "bases"} {
		if err := os.MkdirAll(w.path(name), 0o755); err != nil {
			return false, cacheError(err)
		}
	}
	if err := w.resume(); err != nil {
		return false, err
	}
	for name, text := range map[string]string{"stamp": stamp, "log": ""} {
		if err := os.WriteFile(w.path(name), []byte(text), 0o644); err != nil {
			return false, cacheError(err)
		}
	}
	return fresh, nil
}

// resume says that what is built cannot be trusted until the next end.
func (w *workspace) resume() error {
	return cacheError(os.WriteFile(w.path("running"), nil, 0o644))
}

// end says that the build was not interrupted, whatever it showed.
func (w *workspace) end() error { return cacheError(os.Remove(w.path("running"))) }

// logged adds to the log what a program said.
func (w *workspace) logged(args []string, out output) error {
	f, err := os.OpenFile(w.path("log"), os.O_APPEND|os.O_WRONLY|os.O_CREATE, 0o644)
	if err != nil {
		return cacheError(err)
	}
	_, err = fmt.Fprintf(f, "$ %s\n%s%s", strings.Join(args, " "), out.stdout, out.stderr)
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	return cacheError(err)
}

// cacheError gives file errors in the cache their remedy.
func cacheError(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%w: %w; make room there, or set XDG_CACHE_HOME to another folder", ErrCache, err)
}
