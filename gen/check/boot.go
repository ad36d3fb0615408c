// SPDX-License-Identifier: GPL-2.0-only

package check

import (
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"kgen/gen/manifest"
)

// bootModule is loaded in the guest: a module of some size that every tree has
// and that needs no other.
const bootModule = "configfs"

const bootModuleFile = "fs/configfs/configfs.ko"

// bootConfig is what the kernel that is booted has on beyond coreConfig: the
// module, and what makes a kernel say that locks or RCU are misused.
var bootConfig = []string{"CONFIGFS_FS=m", "PROVE_LOCKING", "DEBUG_ATOMIC_SLEEP"}

// bootRung builds whole kernels, without the series and with all of it, boots
// both, and has the kernel's own selftest judge.
//
// Its objects differ from those of the rung build, so it has a workspace of its
// own.
func bootRung(ctx context.Context, o Options, states []state) ([]manifest.Result, error) {
	w, fresh, err := beginWorkspace(ctx, o, "-boot", strings.Join(bootConfig, " "))
	if err != nil {
		return nil, err
	}
	defer w.close()
	if fresh {
		o.Progress("boot: the first kernel of a tree takes some minutes to build")
	}
	if err := w.view.prepare(ctx); err != nil {
		return nil, err
	}
	k := &kernels{builder{o: o, w: w, touched: o.Series.touches()}}
	if err := k.buildInit(ctx); err != nil {
		return nil, err
	}
	var results []manifest.Result
	for _, p := range o.Series.Patches[:len(o.Series.Patches)-1] {
		results = append(results, manifest.Result{Patch: p.Name, OK: true, Summary: "with the last"})
	}
	last := manifest.Result{Patch: o.Series.Patches[len(o.Series.Patches)-1].Name}
	base, err := k.base(ctx, states[0])
	if err != nil {
		return nil, err
	}
	patched, err := k.boot(ctx, states[len(states)-1], "the tree with the series")
	switch {
	case errors.Is(err, errKernel):
		last.Summary, last.Messages = "failed", []string{err.Error()}
	case err != nil:
		return nil, err
	default:
		judgeBoot(&last, base, patched)
	}
	return append(results, last), w.end()
}

// errKernel says that a kernel does not build, for a reason in its code.
var errKernel = errors.New("the kernel does not build")

// kernels builds and boots kernels of one tree.
type kernels struct{ builder }

// base boots the tree without the series, or remembers what it said: it says the
// same as long as the tree, the compiler and the configuration are what they were.
func (k *kernels) base(ctx context.Context, s state) (*guestLog, error) {
	const what = "the tree without the series"
	if err := k.configureFor(ctx, s); err != nil {
		return nil, baseError(k.o, err)
	}
	config, err := os.ReadFile(k.w.path("out/.config"))
	if err != nil {
		return nil, cacheError(err)
	}
	newest, err := newestFile(ctx, k.o.Tree.Dir)
	if err != nil {
		return nil, err
	}
	kept := k.w.path(fmt.Sprintf("bases/%x", sha256.Sum256(fmt.Appendf(config, "%v", newest.UnixNano()))))
	if text, err := os.ReadFile(kept); err == nil {
		log := readGuest(string(text))
		log.serial = kept
		return log, nil
	}
	log, err := k.boot(ctx, s, what)
	if err != nil {
		return nil, baseError(k.o, err)
	}
	if !log.ended {
		if err := k.w.end(); err != nil {
			return nil, err
		}
		return nil, fmt.Errorf("%s: %w: the guest %s; see %s", k.o.Tree.Dir, ErrBase, log.died, log.serial)
	}
	text, err := os.ReadFile(log.serial)
	if err == nil {
		err = os.WriteFile(kept, text, 0o644) // in a folder that begin has made
	}
	return log, cacheError(err)
}

// newestFile is when a file of the tree was last changed.
func newestFile(ctx context.Context, dir string) (newest time.Time, err error) {
	real, err := filepath.EvalSymlinks(dir)
	if err != nil {
		return newest, err
	}
	err = filepath.WalkDir(real, func(_ string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return cmp.Or(err, ctx.Err())
		}
		info, err := d.Info()
		if err == nil && info.ModTime().After(newest) {
			newest = info.ModTime()
		}
		return err
	})
	return newest, err
}

func baseError(o Options, err error) error {
	if errors.Is(err, errKernel) {
		return fmt.Errorf("%s: %w: %w", o.Tree.Dir, ErrBase, err)
	}
	return err
}

// boot builds the kernel of one prefix and runs it.
func (k *kernels) boot(ctx context.Context, s state, what string) (*guestLog, error) {
	if err := k.build(ctx, s, what); err != nil {
		return nil, err
	}
	if err := k.pack(ctx); err != nil {
		return nil, err
	}
	k.o.Progress("boot: running " + what)
	return k.guest(ctx)
}

// guest runs what was built. That changes nothing of it, so what is there can be
// trusted also when the guest is interrupted.
func (k *kernels) guest(ctx context.Context) (*guestLog, error) {
	if err := k.w.end(); err != nil {
		return nil, err
	}
	log, err := k.run(ctx)
	if err != nil {
		return nil, err
	}
	return log, k.w.resume()
}

// configureFor lays the prefix over the tree, and writes its configuration.
func (k *kernels) configureFor(ctx context.Context, s state) error {
	if err := k.w.show(k.o.Tree.Dir, k.touched, s); err != nil {
		return err
	}
	read := k.reader(s)
	p := newPlan(read, k.lister(s), k.touched)
	k.symbols = bootConfig
	for _, t := range p.targets {
		k.symbols = append(k.symbols, t.symbols...)
	}
	out, err := k.w.configure(ctx, read, s, k.symbols)
	if err != nil {
		return err
	}
	if out.code != 0 {
		return fmt.Errorf("%w: make allnoconfig: %s; see %s", errKernel, out.last(), k.w.path("log"))
	}
	return nil
}

func (k *kernels) build(ctx context.Context, s state, what string) error {
	k.o.Progress("boot: building " + what)
	if err := k.configureFor(ctx, s); err != nil {
		return err
	}
	// Kbuild links the tables in once more only if an object has changed, not if
	// the program that writes them has.
	for _, name := range []string{"vmlinux", "vmlinux.unstripped"} {
		if err := os.Remove(k.w.path("out/" + name)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return cacheError(err)
		}
	}
	out, err := k.w.make(ctx, fmt.Sprintf("-j%d", runtime.NumCPU()), "vmlinux", "modules")
	if err != nil {
		return err
	}
	if out.code != 0 {
		why := whyStopped(diagnostics(out, k.w.path("tree")), out)
		return fmt.Errorf("%w: %s; see %s", errKernel, why, k.w.path("log"))
	}
	return nil
}
