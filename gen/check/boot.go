// SPDX-License-Identifier: GPL-2.0-only

package check

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"runtime"
	"strings"

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
	w, err := openWorkspace(ctx, o, "-boot")
	if err != nil {
		return nil, err
	}
	defer w.close()
	gcc, err := proc{name: "gcc", args: []string{"--version"}}.run(ctx)
	if err != nil {
		return nil, err
	}
	stamp, err := stampOf(o, w.view.name(), gcc.stdout+strings.Join(bootConfig, " "))
	if err != nil {
		return nil, err
	}
	fresh, err := w.begin(stamp)
	if err != nil {
		return nil, err
	}
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
	base, err := k.boot(ctx, states[0], "the tree without the series")
	if errors.Is(err, errKernel) {
		return nil, fmt.Errorf("%s: %w: %w", o.Tree.Dir, ErrBase, err)
	}
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

// boot builds the kernel of one prefix and runs it.
func (k *kernels) boot(ctx context.Context, s state, what string) (*guestLog, error) {
	if err := k.build(ctx, s, what); err != nil {
		return nil, err
	}
	if err := k.pack(ctx); err != nil {
		return nil, err
	}
	k.o.Progress("boot: running " + what)
	return k.run(ctx)
}

func (k *kernels) build(ctx context.Context, s state, what string) error {
	if err := k.w.show(k.o.Tree.Dir, k.touched, s); err != nil {
		return err
	}
	read := k.reader(s)
	p := newPlan(read, k.lister(s), k.touched)
	k.symbols = bootConfig
	for _, t := range p.targets {
		k.symbols = append(k.symbols, t.symbols...)
	}
	k.o.Progress("boot: building " + what)
	out, err := k.w.configure(ctx, read, s, k.symbols)
	if err != nil {
		return err
	}
	if out.code != 0 {
		return fmt.Errorf("%w: make allnoconfig: %s; see %s", errKernel, out.last(), k.w.path("log"))
	}
	// Kbuild links the tables in once more only if an object has changed, not if
	// the program that writes them has.
	for _, name := range []string{"vmlinux", "vmlinux.unstripped"} {
		if err := os.Remove(k.w.path("out/" + name)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return cacheError(err)
		}
	}
	out, err = k.w.make(ctx, fmt.Sprintf("-j%d", runtime.NumCPU()), "vmlinux", "modules")
	if err != nil {
		return err
	}
	if out.code != 0 {
		why := whyStopped(diagnostics(out, k.w.path("tree")), out)
		return fmt.Errorf("%w: %s; see %s", errKernel, why, k.w.path("log"))
	}
	k.state = s
	return nil
}
