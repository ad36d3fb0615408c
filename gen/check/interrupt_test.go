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

	"kgen/gen/tree/treetest"
)

// oneComment is a check of a series that adds a comment to kernel/kallsyms.c.
func oneComment(t *testing.T, cache string) Options {
	dir := treetest.Dir(t, "7.3")
	s := load(t, makePatches(t, dir, []string{kallsymsC}, []edit{{"A comment", add(kallsymsC, "\n/* nothing */\n")}}))
	o := options(t, s, dir, Build)
	o.Cache = cache
	return o
}

// An interrupted build leaves no program behind, not even a compiler that ignores
// the first signal, and the next run starts from nothing.
func TestInterrupted(t *testing.T) {
	o := oneComment(t, t.TempDir())
	states, _, err := applyRung(t.Context(), progressless(o))
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	o.Progress = func(text string) {
		if strings.Contains(text, "the tree without the series") {
			time.AfterFunc(500*time.Millisecond, cancel)
		}
	}
	if _, err := buildRung(ctx, o, states); !errors.Is(err, context.Canceled) {
		t.Fatalf("error %v, want context.Canceled", err)
	}

	left, err := filepath.Glob(filepath.Join(o.Cache, "*"))
	if err != nil || len(left) != 1 {
		t.Fatalf("workspaces %q, %v; want one", left, err)
	}
	// Every program that the run started has the lock open.
	f, err := os.Open(filepath.Join(left[0], "lock"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	// A killed program closes its files a moment later, on a busy machine.
	locked := func() bool { return syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) != nil }
	for deadline := time.Now().Add(5 * time.Second); locked(); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("the workspace is still locked: a program of the build is left")
		}
	}

	// A half-written object is what the next run must not trust.
	w := &workspace{dir: left[0]}
	stamp, err := os.ReadFile(w.path("stamp"))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		reason, stamp string
		ends          bool // the run before came to its end
		fresh         bool
	}{
		{"the run before was interrupted", string(stamp), false, true},
		{"the run before was whole", string(stamp), true, false},
		{"another compiler", "another", true, true},
	} {
		if c.ends {
			if err := w.end(); err != nil {
				t.Fatal(err)
			}
		}
		writeFile(t, w.path("out/left.o"), "x")
		fresh, err := w.begin(c.stamp)
		if err != nil {
			t.Fatal(err)
		}
		_, err = os.Stat(w.path("out/left.o"))
		if gone := err != nil; fresh != c.fresh || gone != c.fresh {
			t.Errorf("%s: fresh %v, old objects gone %v; want %v", c.reason, fresh, gone, c.fresh)
		}
	}
}

// Two checks of one tree share a workspace: the second waits, and can be
// interrupted while it does.
func TestWorkspaceIsLocked(t *testing.T) {
	o := progressless(oneComment(t, t.TempDir()))
	w, err := openWorkspace(t.Context(), o, "")
	if err != nil {
		t.Fatal(err)
	}
	waiting := make(chan string, 1)
	o.Progress = func(text string) { waiting <- text }
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error)
	go func() {
		_, err := openWorkspace(ctx, o, "")
		done <- err
	}()
	if text := <-waiting; !strings.Contains(text, "waiting for another check") {
		t.Errorf("progress %q", text)
	}
	cancel()
	if err := <-done; !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want context.Canceled", err)
	}
	w.close()
	w, err = openWorkspace(t.Context(), progressless(o), "")
	if err != nil {
		t.Fatalf("after the first has left: %v", err)
	}
	w.close()
}

func TestCacheRefused(t *testing.T) {
	mine := treetest.Copy(t, "7.3")
	s := load(t, makePatches(t, mine, []string{kallsymsC}, []edit{{"A comment", add(kallsymsC, "\n/* nothing */\n")}}))
	for _, c := range []struct{ name, cache, says string }{
		{"inside the tree", filepath.Join(mine, "cache"), "inside the kernel tree"},
		{"a space", filepath.Join(t.TempDir(), "a b"), "no path with a space"},
		{"below a file", filepath.Join(mine, "Makefile", "x"), "set XDG_CACHE_HOME"},
	} {
		o := progressless(options(t, s, mine, Build))
		o.Cache = c.cache
		_, err := openWorkspace(t.Context(), o, "")
		if !errors.Is(err, ErrCache) || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: error %v, want ErrCache and %q", c.name, err, c.says)
		}
	}
}
