// SPDX-License-Identifier: GPL-2.0-only

package realmap

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"kgen/gen/debian"
)

// fakeApt stands for both of apt's programs, and logs what it is asked. It knows
// one package, and one that stands for it.
const fakeApt = `#!/bin/sh
for arg; do
	case $arg in
	-*Dir::State::lists=*) lists=${arg#*=} ;;
	update | depends | download | --print-uris | linux-*) words="$words $arg" ;;
	esac
done
case $lists in /var/*) exit 1 ;; esac
echo $words >> "$FAKE/log"
case $words in
" update") ;;
" depends linux-image-1") printf 'linux-image-1\n  Depends: other\n  Depends: linux-image-1.2\n' ;;
" depends linux-odd") printf 'linux-odd\n  Depends: other\n' ;;
" download --print-uris linux-image-1.2") echo "'http://m.test/x' linux-image-1.2_1_all.deb $(stat -c %s "$FAKE/p.deb") SHA256:0" ;;
" download linux-image-1.2") cp "$FAKE/p.deb" linux-image-1.2_1_all.deb ;;
*) echo "E: Unable to locate package" >&2; exit 100 ;;
esac
`

// fakeDebian puts the fake apt, with one package of some files, first in PATH, and
// returns how to read its log.
func fakeDebian(t *testing.T, files map[string]string) (log func() string) {
	t.Helper()
	dir, etc := t.TempDir(), t.TempDir()
	for path, text := range map[string]string{
		filepath.Join(dir, "apt-get"):      fakeApt,
		filepath.Join(dir, "apt-cache"):    fakeApt,
		filepath.Join(dir, "log"):          "",
		filepath.Join(etc, "sources.list"): "deb http://m.test/debian bookworm main\n",
	} {
		if err := os.WriteFile(path, []byte(text), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Rename(debOf(t, files), filepath.Join(dir, "p.deb")); err != nil {
		t.Fatal(err)
	}
	t.Setenv("FAKE", dir)
	t.Setenv("PATH", dir+":"+os.Getenv("PATH"))
	old := etcApt
	etcApt = etc
	t.Cleanup(func() { etcApt = old })
	return func() string {
		data, err := os.ReadFile(filepath.Join(dir, "log"))
		if err != nil {
			t.Fatal(err)
		}
		return string(data)
	}
}

func quiet(string, int64, int64) {}

// TestFetchTogether: the files of a package come out of one download, and those
// that are there are left alone.
func TestFetchTogether(t *testing.T) {
	log := fakeDebian(t, map[string]string{"lib/a.ko": "a", "lib/b.ko": "b", "lib/c.ko": "c"})
	from := source{meta: "linux-image-1"}
	files := []File{{"modules/c.ko", from, "lib/c.ko"}, {"modules/b.ko", from, "lib/b.ko"}, {"maps/a", from, "lib/a.ko"}}
	cache := t.TempDir()
	if err := os.MkdirAll(filepath.Join(cache, "modules"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(cache, "modules/b.ko"), []byte("kept"), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, reason := range []string{"the first time", "again"} {
		if err := fetchAll(t.Context(), cache, files, quiet); err != nil {
			t.Fatalf("%s: %v", reason, err)
		}
		for path, want := range map[string]string{"modules/b.ko": "kept", "modules/c.ko": "c", "maps/a": "a"} {
			if got, err := os.ReadFile(filepath.Join(cache, path)); err != nil || string(got) != want {
				t.Errorf("%s: %s holds %q, %v, want %q", reason, path, got, err, want)
			}
		}
		const want = "update\ndepends linux-image-1\ndownload --print-uris linux-image-1.2\ndownload linux-image-1.2\n"
		if got := log(); got != want {
			t.Errorf("%s: apt was asked %q, want %q", reason, got, want)
		}
		noneLeft(t, cache)
	}
}

func TestFetchRefusals(t *testing.T) {
	canceled, cancel := context.WithCancel(t.Context())
	cancel()
	for _, c := range []struct {
		reason  string
		ctx     context.Context
		noTools bool
		from    source
		want    error
	}{
		{"no apt-get", t.Context(), true, source{meta: "linux-image-1"}, debian.ErrMissingTool},
		{"a package that apt does not know", t.Context(), false, source{meta: "linux-none"}, debian.ErrNetwork},
		{"one that stands for no kernel", t.Context(), false, source{meta: "linux-odd"}, debian.ErrNetwork},
		{"a package without the file", t.Context(), false, source{meta: "linux-image-1"}, debian.ErrCorrupt},
		{"more space than any disk has", t.Context(), false, source{need: 1 << 60}, debian.ErrNoSpace},
		{"interrupted", canceled, false, source{meta: "linux-image-1"}, context.Canceled},
	} {
		t.Run(c.reason, func(t *testing.T) {
			fakeDebian(t, map[string]string{"lib/a.ko": "a"})
			if c.noTools {
				t.Setenv("PATH", "")
			}
			cache := t.TempDir()
			err := fetchAll(c.ctx, cache, []File{{"a", c.from, "lib/none.ko"}}, quiet)
			if !errors.Is(err, c.want) || strings.ContainsRune(err.Error(), '\n') {
				t.Fatalf("got %v, want one line of %v", err, c.want)
			}
			noneLeft(t, cache)
			if exists(filepath.Join(cache, "a")) {
				t.Error("the file was made")
			}
		})
	}
}

// noneLeft wants nothing in the folder of downloads but locks.
func noneLeft(t *testing.T, cache string) {
	t.Helper()
	entries, err := os.ReadDir(filepath.Join(cache, "downloads"))
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if !strings.HasSuffix(e.Name(), ".lock") {
			t.Errorf("left behind: %s", e.Name())
		}
	}
}
