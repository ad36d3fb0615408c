// SPDX-License-Identifier: GPL-2.0-only

package check

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// What runs kgen must not decide how the kernel is built or git works.
func TestProcEnvironment(t *testing.T) {
	hidden := []string{"MAKEFLAGS", "ARCH", "CROSS_COMPILE", "KCFLAGS", "KBUILD_OUTPUT", "GIT_DIR", "PERL5OPT"}
	for _, name := range hidden {
		t.Setenv(name, "x")
	}
	out, err := proc{name: "env"}.run(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(out.stdout) {
		for _, name := range hidden {
			if strings.HasPrefix(line, name+"=") {
				t.Errorf("%s is passed on", name)
			}
		}
	}
}

// An interrupted run ends what it started, also a grandchild that ignores the
// signal to stop. The grandchild holds a lock for as long as it lives.
func TestProcKillsTheGroup(t *testing.T) {
	name := filepath.Join(t.TempDir(), "lock")
	lock, err := os.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	if err := syscall.Flock(int(lock.Fd()), syscall.LOCK_EX); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
	defer cancel()
	script := `(trap "" TERM; while :; do sleep 0.1; done) & wait`
	_, err = proc{name: "sh", args: []string{"-c", script}, keep: []*os.File{lock}}.run(ctx)
	if !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("error %v, want the one of the context", err)
	}
	lock.Close()
	other, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	for range 50 { // the kernel takes a moment to bury the dead
		if err = syscall.Flock(int(other.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err == nil {
			return
		}
		time.Sleep(20 * time.Millisecond)
	}
	t.Error("a program is left that has the lock")
}
