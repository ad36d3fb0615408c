// SPDX-License-Identifier: GPL-2.0-only

package realmap

import (
	"archive/tar"
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"kgen/gen/debian"
)

// debOf makes a package that holds files, and returns its path.
func debOf(t *testing.T, files map[string]string) string {
	t.Helper()
	root := t.TempDir()
	write := func(name, text string) {
		path := filepath.Join(root, "p", name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write("DEBIAN/control", "Package: p\nVersion: 1\nArchitecture: all\nMaintainer: m <m@example.org>\nDescription: d\n")
	for name, text := range files {
		write(name, text)
	}
	deb := filepath.Join(root, "p.deb")
	if out, err := exec.Command("dpkg-deb", "--build", filepath.Join(root, "p"), deb).CombinedOutput(); err != nil {
		t.Fatalf("building a package: %v\n%s", err, out)
	}
	return deb
}

func TestExtract(t *testing.T) {
	packed, err := exec.Command("sh", "-c", "printf module | xz --stdout").Output()
	if err != nil {
		t.Fatal(err)
	}
	deb := debOf(t, map[string]string{
		"boot/System.map-1":                 "a stub",
		"usr/lib/debug/boot/System.map-1":   "the map",
		"usr/lib/debug/boot/vmlinux-1":      strings.Repeat("behind", 1<<16),
		"lib/modules/1/kernel/amdgpu.ko.xz": string(packed),
		"lib/modules/1/kernel/odd.ko.zst":   "x",
	})
	broken := filepath.Join(t.TempDir(), "broken.deb")
	data, err := os.ReadFile(deb)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(broken, data[:len(data)/2], 0o644); err != nil {
		t.Fatal(err)
	}
	const module, systemMap = "lib/modules/*/kernel/amdgpu.ko", "usr/lib/debug/boot/System.map-*"
	for _, c := range []struct {
		reason, deb string
		patterns    []string
		want        []string // contents
		says        string   // of the error, where one is wanted
	}{
		{"the map, not the stub of the same name", deb, []string{systemMap}, []string{"the map"}, ""},
		{"a compressed module is unpacked", deb, []string{module}, []string{"module"}, ""},
		{"several, though the last wanted comes first", deb, []string{systemMap, module}, []string{"the map", "module"}, ""},
		{"compressed in a way that is not known", deb, []string{"lib/modules/*/kernel/odd.ko"}, nil, "holds no lib/modules/*/kernel/odd.ko"},
		{"one of two is not in the package", deb, []string{systemMap, "boot/vmlinuz-*"}, nil, "holds no boot/vmlinuz-*;"},
		{"a truncated package", broken, []string{systemMap}, nil, "fetch again"},
	} {
		t.Run(c.reason, func(t *testing.T) {
			files, err := extract(t.Context(), c.deb, c.patterns, t.TempDir())
			if c.want == nil {
				if !errors.Is(err, debian.ErrCorrupt) || !strings.Contains(err.Error(), c.says) {
					t.Fatalf("got %v, want ErrCorrupt that says %q", err, c.says)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			for i, file := range files {
				if got, err := os.ReadFile(file); err != nil || string(got) != c.want[i] {
					t.Errorf("got %q, %v, want %q", got, err, c.want[i])
				}
			}
		})
	}
}

func TestExtractFromTruncatedXZ(t *testing.T) {
	var stream bytes.Buffer
	w := tar.NewWriter(&stream)
	text := "\xfd7zXZ\x00 and no more"
	if err := w.WriteHeader(&tar.Header{Name: "./a.ko.xz", Size: int64(len(text)), Mode: 0o644}); err != nil {
		t.Fatal(err)
	}
	if _, err := w.Write([]byte(text)); err != nil {
		t.Fatal(err)
	}
	if _, err := extractFrom(t.Context(), &stream, []string{"a.ko"}, t.TempDir()); err == nil {
		t.Fatal("a truncated compressed file was taken for whole")
	}
}

func TestFetchLeavesWhatIsThere(t *testing.T) {
	cache := t.TempDir()
	for _, f := range Files {
		path := filepath.Join(cache, f.path)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte("kept"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("PATH", "") // nothing can be run
	if err := fetchAll(t.Context(), cache, Files, func(string, int64, int64) {}); err != nil {
		t.Fatalf("fetching what is there: %v", err)
	}
	if err := os.Remove(filepath.Join(cache, Files[len(Files)-1].path)); err != nil {
		t.Fatal(err)
	}
	if err := fetchAll(t.Context(), cache, Files, func(string, int64, int64) {}); !errors.Is(err, debian.ErrMissingTool) {
		t.Fatalf("one of several is gone: got %v, want a try to fetch it", err)
	}
}

func TestPathNamesTheRemedy(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	if _, err := SystemMap.Path(); !errors.Is(err, ErrMissing) || !strings.Contains(err.Error(), "make maps") {
		t.Fatalf("got %v, want ErrMissing with its remedy", err)
	}
}
