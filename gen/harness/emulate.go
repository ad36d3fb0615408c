// SPDX-License-Identifier: GPL-2.0-only

package harness

import (
	"debug/elf"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"sync"
	"syscall"
)

// emulator runs 32-bit programs of x86 where the kernel does not: not every
// virtual machine can.
const emulator = "qemu-i386"

// emulatedSlowdown is how much longer than others an emulated program may take
// before it is taken to hang.
const emulatedSlowdown = 20

// runsByItself tells of each class of program whether the machine runs it. The
// first of a class to be started is the one that is tried.
var runsByItself = map[elf.Class]func(program string) bool{
	elf.ELFCLASS32: tryOnce(),
	elf.ELFCLASS64: func(string) bool { return true },
}

func tryOnce() func(program string) bool {
	var once sync.Once
	var runs bool
	return func(program string) bool {
		once.Do(func() {
			cmd := exec.Command(program)
			cmd.Env = append(os.Environ(), sanitizerEnv...)
			runs = !errors.Is(cmd.Run(), syscall.ENOEXEC)
		})
		return runs
	}
}

// commandFor is what starts a program of BuildChild on this machine, and how many
// times longer than usual it may take. The error wraps ErrMissingTool.
func commandFor(program string) (command []string, slowdown int, err error) {
	f, err := elf.Open(program)
	if err != nil {
		return nil, 0, err
	}
	class := f.Class
	if err := f.Close(); err != nil {
		return nil, 0, err
	}
	if runsByItself[class](program) {
		return []string{program}, 1, nil
	}
	path, err := exec.LookPath(emulator)
	if err != nil {
		return nil, 0, fmt.Errorf("%w: this machine does not run 32-bit programs, and %s is not there to run them; install it (on Debian: apt install qemu-user)", ErrMissingTool, emulator)
	}
	return []string{path, program}, emulatedSlowdown, nil
}
