// SPDX-License-Identifier: GPL-2.0-only

package harness

import (
	"context"
	"debug/elf"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"sync"
)

// emulator runs 32-bit programs of x86 where the kernel does not: not every
// virtual machine can.
const emulator = "qemu-i386"

// emulatedSlowdown is how much longer than others an emulated program may take
// before it is taken to hang.
const emulatedSlowdown = 20

// runs32 tells whether this machine runs 32-bit programs by itself. One that
// needs no library is tried.
var runs32 = sync.OnceValue(func() bool {
	dir, err := os.MkdirTemp("", "kgen-try-*")
	if err != nil {
		return true // compiling what is wanted will say why
	}
	defer os.RemoveAll(dir)
	program := filepath.Join(dir, "try")
	if err := writeFile(program+".c", []byte(`void _start(void) { __asm__("int $0x80" : : "a"(1), "b"(0)); }`)); err != nil {
		return true
	}
	compile := run(context.Background(), dir, "gcc", []string{"-m32", "-nostdlib", "-static", "try.c", "-o", "try"})
	return compile != nil || exec.Command(program).Run() == nil
})

// SanitizedFor is Sanitized as far as programs of so many bits can have it here.
// ASan finds no room for its shadow memory in the emulator's address space: it
// ends after some hundred tables, at a check of itself.
func SanitizedFor(bits int) Profile {
	if bits == 64 || runs32() {
		return Sanitized
	}
	p := slices.Clone(Sanitized)
	p[slices.Index(p, "-fsanitize=address,undefined")] = "-fsanitize=undefined"
	return p
}

// EmulationNote is what an outcome has to say where programs of 32 bits ran: nothing
// where this machine runs them itself.
func EmulationNote(bits32 bool) string {
	if !bits32 || runs32() {
		return ""
	}
	return "; those of 32 bits emulated, without ASan"
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
	if class == elf.ELFCLASS64 || runs32() {
		return []string{program}, 1, nil
	}
	path, err := exec.LookPath(emulator)
	if err != nil {
		return nil, 0, fmt.Errorf("%w: this machine does not run 32-bit programs, and %s is not there to run them; install it (on Debian: apt install qemu-user)", ErrMissingTool, emulator)
	}
	return []string{path, program}, emulatedSlowdown, nil
}
