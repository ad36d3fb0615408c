// SPDX-License-Identifier: GPL-2.0-only

package check

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"time"
)

// guestInit is the program that the guest runs.
//
//go:embed guest/init.c
var guestInit []byte

// How long a guest may take. A guest that KVM lets hang is given up early, for
// the emulator to try.
const (
	kvmTime = 45 * time.Second
	tcgTime = 6 * time.Minute
)

// buildInit compiles the guest's program. It is linked statically, since the
// guest has no library.
func (k *kernels) buildInit(ctx context.Context) error {
	if err := os.WriteFile(k.w.path("init.c"), guestInit, 0o644); err != nil {
		return cacheError(err)
	}
	out, err := proc{
		name: "gcc", dir: k.w.dir,
		args: []string{"-static", "-O1", "-Wall", `-DMODULE="` + bootModule + `"`, "init.c", "-o", "init"},
	}.run(ctx)
	if err != nil {
		return err
	}
	if out.code != 0 {
		return fmt.Errorf("%w: gcc -static: %s; install it with: apt-get install libc6-dev", ErrTool, out.last())
	}
	return nil
}

// pack writes the guest's files into an archive, by the program that kbuild has
// for that.
func (k *kernels) pack(ctx context.Context) error {
	list := "dir /proc 0755 0 0\ndir /sys 0755 0 0\ndir /dev 0755 0 0\nnod /dev/console 0600 0 0 c 5 1\n" +
		"file /init " + k.w.path("init") + " 0755 0 0\n" +
		"file /module.ko " + k.w.path("out/"+bootModuleFile) + " 0644 0 0\n"
	if err := os.WriteFile(k.w.path("files"), []byte(list), 0o644); err != nil {
		return cacheError(err)
	}
	out, err := proc{name: k.w.path("out/usr/gen_init_cpio"), args: []string{"files"}, dir: k.w.dir, keep: []*os.File{k.w.lock}}.run(ctx)
	if err != nil {
		return err
	}
	if out.code != 0 {
		return fmt.Errorf("%w: usr/gen_init_cpio: %s", ErrBase, out.last())
	}
	return cacheError(os.WriteFile(k.w.path("initrd"), []byte(out.stdout), 0o644))
}

// run boots what was built. KVM may be there and yet run no guest, as inside
// some virtual machines: then, and without it, QEMU emulates. A guest that did
// not end under KVM is kept in mind until the workspace is made anew.
func (k *kernels) run(ctx context.Context) (*guestLog, error) {
	noKVM := k.w.path("no-kvm")
	if _, err := os.Stat(noKVM); err != nil && kvmOpens() {
		log, err := k.qemu(ctx, "kvm", "host", kvmTime)
		if err != nil || log.ended {
			return log, err
		}
		k.o.Progress("boot: no guest runs under KVM here; emulating")
		if err := os.WriteFile(noKVM, nil, 0o644); err != nil {
			return nil, cacheError(err)
		}
	}
	return k.qemu(ctx, "tcg,thread=multi", "max", tcgTime)
}

func kvmOpens() bool {
	f, err := os.OpenFile("/dev/kvm", os.O_RDWR, 0)
	if err != nil {
		return false
	}
	f.Close()
	return true
}

func (k *kernels) qemu(ctx context.Context, accel, cpu string, limit time.Duration) (*guestLog, error) {
	serial := k.w.path("serial")
	if err := os.Remove(serial); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, cacheError(err)
	}
	timed, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	out, err := proc{name: "qemu-system-x86_64", dir: k.w.dir, keep: []*os.File{k.w.lock}, args: []string{
		"-accel", accel, "-cpu", cpu, "-smp", "2", "-M", "microvm", "-m", "512", "-nodefaults", "-no-user-config",
		"-display", "none", "-serial", "file:serial", "-no-reboot", "-kernel", "out/vmlinux", "-initrd", "initrd",
		// num_iters suits an emulator: what the test prints there is no measurement.
		"-append", "console=ttyS0 panic=-1 reboot=t test_kallsyms_perf.num_iters=500",
	}}.run(timed)
	hung := err != nil && ctx.Err() == nil && errors.Is(err, context.DeadlineExceeded)
	// QEMU aborts where KVM refuses what it takes for granted. What else ends it, as
	// a lack of memory does, is no fault of the guest's.
	var exit *exec.ExitError
	aborted := accel == "kvm" && errors.As(err, &exit) && exit.Sys().(syscall.WaitStatus).Signal() == syscall.SIGABRT
	if err != nil && !hung && !aborted {
		return nil, err
	}
	text, err := os.ReadFile(serial)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, cacheError(err)
	}
	log := readGuest(string(text))
	log.accel, log.serial = accel, serial
	switch {
	case hung:
		log.died = fmt.Sprintf("did not end within %v", limit)
	case aborted:
		log.died = "QEMU: " + exit.Error()
	case out.code != 0:
		log.died = "QEMU: " + strings.TrimSpace(out.last())
	case !log.ended:
		log.died = "ended before its init did"
	}
	return log, nil
}
