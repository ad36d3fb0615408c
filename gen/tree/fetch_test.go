// SPDX-License-Identifier: GPL-2.0-only

package tree

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"kgen/gen/debian"
)

const (
	wholeDownload = "update\ndownload --print-uris\ndownload\n"
	theDeb        = "downloads/linux-source-7.3_7.3.4-1_all.deb"
)

var theTree = []string{"trees/7.3", "trees/7.3.json"}

func quiet(string, int64, int64) {}

func TestFetch(t *testing.T) {
	w := newWorld(t, "")
	for _, reason := range []string{"the first time", "again"} {
		tr, err := Fetch(t.Context(), "7.3", quiet)
		if err != nil {
			t.Fatalf("%s: %v", reason, err)
		}
		want := &Tree{Dir: filepath.Join(w.cache, "trees/7.3"), Name: "7.3", Version: "7.3.4", Flavour: Folder}
		if diff := cmp.Diff(want, tr); diff != "" {
			t.Errorf("%s:\n%s", reason, diff)
		}
		if diff := cmp.Diff(theTree, w.files()); diff != "" {
			t.Errorf("%s, left in the cache:\n%s", reason, diff)
		}
		if w.log() != wholeDownload {
			t.Errorf("%s: apt-get was asked %q, want %q", reason, w.log(), wholeDownload)
		}
	}
	sources, err := os.ReadFile(filepath.Join(w.fake, "sources.list"))
	if err != nil {
		t.Fatal(err)
	}
	if want := "deb [signed-by=" + "/usr/share/keyrings/debian-archive-keyring.gpg" + "] http://mirror.test/debian trixie-backports main\n"; string(sources) != want {
		t.Errorf("apt's sources are %q, want %q", sources, want)
	}
	list, err := List()
	if err != nil {
		t.Fatal(err)
	}
	wantRecord := &Record{Package: "linux-source-7.3", Version: "7.3.4-1", Date: time.Date(2026, 11, 15, 22, 30, 52, 0, time.UTC)}
	for _, l := range list {
		switch l.Release.Name {
		case "7.3":
			if diff := cmp.Diff(wantRecord, l.Record); diff != "" || l.Dir != filepath.Join(w.cache, "trees/7.3") {
				t.Errorf("listed in %s with record:\n%s", l.Dir, diff)
			}
		default:
			if l.Dir != "" || l.Record != nil {
				t.Errorf("%s is listed as fetched: %+v", l.Release.Name, l)
			}
		}
	}
}

// TestListWithoutRecord: a record that somebody removed is no reason to fail.
func TestListWithoutRecord(t *testing.T) {
	w := newWorld(t, "")
	writeAll(t, w.cache, map[string]string{"trees/7.3/Makefile": ""})
	list, err := List()
	if err != nil {
		t.Fatal(err)
	}
	if l := list[0]; l.Dir != filepath.Join(w.cache, "trees/7.3") || l.Record != nil {
		t.Errorf("got %+v, want the folder and no record", l)
	}
	writeAll(t, w.cache, map[string]string{"trees/7.3.json": "{"})
	if _, err := List(); err == nil || !strings.Contains(err.Error(), "fetch the tree again") {
		t.Errorf("a broken record: %v", err)
	}
}

func TestFetchFails(t *testing.T) {
	tests := []struct {
		reason, mode string
		setup        func(w *world)
		want         error
		says         string
		left         []string
	}{
		{"no network", "offline", nil, ErrNetwork, "Temporary failure resolving", nil},
		{"the mirror lacks the package", "gone", nil, ErrNetwork, "Unable to locate package", nil},
		{"the disk fills while downloading", "full", nil, ErrNoSpace, "No space left on device", nil},
		{"apt sees a wrong hash", "hash", nil, ErrCorrupt, "Hash Sum mismatch", nil},
		{"cut short, though apt is content", "short", nil, ErrCorrupt, "has 1000 bytes, expected", nil},
		{"of the right size, but broken", "broken", nil, ErrCorrupt, "linux-source-7.3_7.3.4-1_all.deb", nil},
		{"apt leaves nothing", "nothing", nil, ErrCorrupt, "left no linux-source-7.3_7.3.4-1_all.deb", nil},
		{"apt says what kgen does not understand", "odd", nil, nil, `"what`, nil},
		{"the disk fills while unpacking", "", func(w *world) {
			w.tool("xz", "echo 'xz: (stdout): Write error: No space left on device' >&2; exit 1")
		}, ErrNoSpace, "No space left on device", []string{theDeb}},
		{"a program dies", "", func(w *world) {
			w.tool("xz", "echo 'xz: Cannot allocate memory' >&2; exit 1")
		}, nil, "Cannot allocate memory", []string{theDeb}},
		{"a program dies without a word, and with more to read", "", func(w *world) {
			run(w.t, w.fake, "sh", "-c", "head -c 1000000 /dev/urandom > package/usr/src/linux-source-7.3.tar.xz")
			w.pack()
			w.tool("xz", "exit 3")
		}, nil, "exit status 3", []string{theDeb}},
		{"the package has no kernel archive", "", func(w *world) {
			run(w.t, w.fake, "rm", "package/usr/src/linux-source-7.3.tar.xz")
			w.pack()
		}, nil, "linux-source-*.tar.xz: Not found in archive", []string{theDeb}},
		{"the archive has no kernel", "", func(w *world) {
			run(w.t, w.fake, "tar", "-cJf", "package/usr/src/linux-source-7.3.tar.xz", "log")
			w.pack()
		}, ErrCorrupt, "Makefile", nil},
		{"no Debian mirror", "", func(w *world) {
			writeAll(w.t, etcApt, map[string]string{"sources.list": ""})
		}, ErrNoMirror, "--tree DIR", nil},
	}
	for _, tt := range tests {
		t.Run(tt.reason, func(t *testing.T) {
			w := newWorld(t, tt.mode)
			if tt.setup != nil {
				tt.setup(w)
			}
			_, err := Fetch(t.Context(), "7.3", quiet)
			if err == nil || tt.want != nil && !errors.Is(err, tt.want) || !strings.Contains(err.Error(), tt.says) {
				t.Errorf("got %v, want %v that says %q", err, tt.want, tt.says)
			} else if strings.Contains(err.Error(), "\n") {
				t.Errorf("the message has several lines: %q", err)
			} else if tt.want != nil && !strings.Contains(err.Error(), debian.Remedies[tt.want]) {
				t.Errorf("the message has no remedy: %v", err)
			}
			if diff := cmp.Diff(tt.left, w.files()); diff != "" {
				t.Errorf("left in the cache:\n%s", diff)
			}
		})
	}
}

func TestFetchRefuses(t *testing.T) {
	w := newWorld(t, "")
	if _, err := Fetch(t.Context(), "9.9", quiet); !errors.Is(err, ErrUnknownRelease) || !strings.Contains(err.Error(), "7.3, 6.12 or 6.1") {
		t.Errorf("an unknown name: %v", err)
	}
	t.Setenv("XDG_CACHE_HOME", filepath.Join(w.bin, "apt-get"))
	if _, err := Fetch(t.Context(), "7.3", quiet); err == nil || !strings.Contains(err.Error(), "set XDG_CACHE_HOME") {
		t.Errorf("a cache that cannot be made: %v", err)
	}
}

func TestFetchNeedsTools(t *testing.T) {
	newWorld(t, "")
	for _, tool := range fetchTools {
		bin := t.TempDir()
		for _, other := range fetchTools {
			if other != tool {
				writeAll(t, bin, map[string]string{other: ""})
				if err := os.Chmod(filepath.Join(bin, other), 0o755); err != nil {
					t.Fatal(err)
				}
			}
		}
		t.Setenv("PATH", bin)
		_, err := Fetch(t.Context(), "7.3", quiet)
		if want := tool + " is not installed: install the package " + debian.Tools[tool]; !errors.Is(err, ErrMissingTool) || err.Error() != want {
			t.Errorf("without %s: got %v, want %q", tool, err, want)
		}
	}
}

func TestFetchLeftover(t *testing.T) {
	tests := []struct{ reason, bytes, asked, told string }{
		{"a whole package is not downloaded again", "-0", "", ""},
		{"half a package is thrown away", "-300", wholeDownload, "throwing away linux-source-7.3_7.3.4-1_all.deb, which is broken"},
		{"so is an empty one", "0", wholeDownload, "throwing away"},
	}
	for _, tt := range tests {
		w := newWorld(t, "")
		w.left(tt.bytes)
		told := ""
		_, err := Fetch(t.Context(), "7.3", func(doing string, _, _ int64) { told += doing + "\n" })
		if err != nil {
			t.Errorf("%s: %v", tt.reason, err)
		}
		if w.log() != tt.asked || !strings.Contains(told, tt.told) {
			t.Errorf("%s: apt-get was asked %q, want %q; told %q, want %q", tt.reason, w.log(), tt.asked, told, tt.told)
		}
		if diff := cmp.Diff(theTree, w.files()); diff != "" {
			t.Errorf("%s: left in the cache:\n%s", tt.reason, diff)
		}
	}
}

// TestFetchAfterKill: a fetch that was killed had no time to clean up.
func TestFetchAfterKill(t *testing.T) {
	w := newWorld(t, "")
	writeAll(t, w.cache, map[string]string{
		"trees/.7.3.part/Makefile":                       "half",
		"trees/.7.3.part/stale":                          "",
		"trees/7.3.json":                                 "{",
		"downloads/.apt-7.3/deb/linux-source-7.3_1_.deb": "half",
	})
	tr, err := Fetch(t.Context(), "7.3", quiet)
	if err != nil {
		t.Fatal(err)
	}
	if there(filepath.Join(tr.Dir, "stale")) {
		t.Error("the tree has a file of the half-made one")
	}
	if diff := cmp.Diff(theTree, w.files()); diff != "" {
		t.Errorf("left in the cache:\n%s", diff)
	}
}

func TestFetchTogether(t *testing.T) {
	w := newWorld(t, "")
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			if _, err := Fetch(t.Context(), "7.3", quiet); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if w.log() != wholeDownload {
		t.Errorf("apt-get was asked %q, want %q", w.log(), wholeDownload)
	}
}

func TestFetchInterrupted(t *testing.T) {
	tests := []struct {
		reason, mode string
		setup        func(w *world)
		left         []string
	}{
		{"while downloading", "hang", func(*world) {}, nil},
		{"while unpacking", "", func(w *world) {
			w.tool("xz", `sleep 60 & echo $! > "$FAKE/child"; wait`)
		}, []string{theDeb}},
	}
	for _, tt := range tests {
		t.Run(tt.reason, func(t *testing.T) {
			w := newWorld(t, tt.mode)
			tt.setup(w)
			ctx, cancel := context.WithCancel(t.Context())
			go func() {
				for w.child() == "" && ctx.Err() == nil {
					time.Sleep(10 * time.Millisecond)
				}
				cancel()
			}()
			start := time.Now()
			if _, err := Fetch(ctx, "7.3", quiet); !errors.Is(err, context.Canceled) {
				t.Errorf("got %v, want context.Canceled", err)
			}
			cancel()
			if d := time.Since(start); d > 20*time.Second {
				t.Errorf("it took %v to end", d)
			}
			if diff := cmp.Diff(tt.left, w.files()); diff != "" {
				t.Errorf("left in the cache:\n%s", diff)
			}
			// Gone, or dead and waiting for init.
			stat, err := os.ReadFile("/proc/" + w.child() + "/stat")
			if err == nil && !strings.Contains(string(stat), ") Z ") {
				t.Errorf("a child of a child outlived the fetch: %s", stat)
			}
		})
	}
}

// TestFetchInterruptedWaiting: who waits for another fetch can stop waiting.
func TestFetchInterruptedWaiting(t *testing.T) {
	w := newWorld(t, "")
	path := filepath.Join(w.cache, "trees/.7.3.lock")
	writeAll(t, w.cache, map[string]string{"trees/.7.3.lock": ""})
	unlock, err := debian.Lock(t.Context(), path, func() { t.Error("waits for nobody") })
	if err != nil {
		t.Fatal(err)
	}
	defer unlock()
	ctx, cancel := context.WithCancel(t.Context())
	told := 0
	_, err = Fetch(ctx, "7.3", func(doing string, _, _ int64) {
		if doing == "waiting for another fetch of 7.3" {
			told++
			time.AfterFunc(300*time.Millisecond, cancel) // some tries later
		}
	})
	if !errors.Is(err, context.Canceled) || told != 1 || w.log() != "" {
		t.Errorf("got %v, told %d times, apt-get was asked %q", err, told, w.log())
	}
}
