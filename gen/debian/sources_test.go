// SPDX-License-Identifier: GPL-2.0-only

package debian

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestReadMirrors(t *testing.T) {
	tests := []struct {
		reason string
		files  map[string]string
		want   mirrors
	}{
		{"deb822, as installers write it", map[string]string{"sources.list.d/debian.sources": `Types: deb
# a comment
URIs: http://mirror.test/debian
Suites: bookworm bookworm-updates
Components: main
Signed-By: /usr/share/keyrings/debian-archive-keyring.gpg

Types: deb
URIs: http://mirror.test/debian-security
Suites: bookworm-security
Components: main
Signed-By: /usr/share/keyrings/debian-archive-keyring.gpg
`}, mirrors{"http://mirror.test/debian", "http://mirror.test/debian-security"}},
		{"one line each, with options and tabs", map[string]string{"sources.list": `
# deb http://off.test/debian bookworm main
deb-src http://src.test/debian bookworm main
deb	[arch=amd64 Signed-By=/usr/share/keyrings/debian-archive-keyring.gpg]	https://mirror.test/debian/	bookworm	main contrib # here
deb [ trusted=no ] https://mirror.test/debian-security bookworm-security main
`}, mirrors{"https://mirror.test/debian/", "https://mirror.test/debian-security"}},
		{"security in the old spelling", map[string]string{"sources.list": `
deb http://mirror.test/debian bullseye main
deb http://security.test/ bullseye/updates main
`}, mirrors{"http://mirror.test/debian", "http://security.test/"}},
		{"cloud images list their mirrors in files", map[string]string{"sources.list.d/debian.sources": `Types: deb deb-src
URIs: mirror+file:/etc/apt/mirrors/debian.list
Suites: bookworm bookworm-updates bookworm-backports
Components: main

Types: deb deb-src
URIs: mirror+file:/etc/apt/mirrors/debian-security.list
Suites: bookworm-security
Components: main
`}, mirrors{"mirror+file:/etc/apt/mirrors/debian.list", "mirror+file:/etc/apt/mirrors/debian-security.list"}},
		{"others use Debian's words, with a key of their own", map[string]string{
			"sources.list.d/a.list":         "deb [arch=amd64 Signed-By=/etc/apt/keyrings/vendor.gpg] https://vendor.test/debian bookworm main\n",
			"sources.list.d/b.list":         "deb https://tools.test/apt tools-bookworm main\n",
			"sources.list.d/c.sources":      "Types: deb\nURIs: https://node.test/x\nSuites: nodistro\nComponents: main\nSigned-By: /usr/share/keyrings/x.gpg\n",
			"sources.list.d/debian.sources": "Types: deb\nURIs: http://mirror.test/debian\nSuites: trixie\nComponents: main\n",
		}, mirrors{main: "http://mirror.test/debian"}},
		{"others without a key: the usual address wins", map[string]string{
			"sources.list":          "deb https://vendor.test/apt bookworm main\ndeb http://mirror.test/debian bookworm main\n",
			"sources.list.d/a.list": "deb https://vendor.test/other bookworm main\n",
		}, mirrors{main: "http://mirror.test/debian"}},
		{"a key in the file", map[string]string{"sources.list.d/x.sources": `Types: deb
URIs: https://vendor.test/debian
Suites: bookworm
Components: main
Signed-By:
 -----BEGIN PGP PUBLIC KEY BLOCK-----
 .
 abc: def
 -----END PGP PUBLIC KEY BLOCK-----

types: deb
uris: http://mirror.test/debian http://second.test/debian
suites:
 bookworm
 bookworm-updates
components: main
`}, mirrors{main: "http://mirror.test/debian"}},
		{"disabled, a CD, no main, source only, flat, cut short", map[string]string{
			"sources.list":             "deb cdrom:[Debian 12]/ bookworm main\ndeb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] cdrom:disc/debian bookworm main\ndeb [arch=amd64 http://cut.test/debian bookworm main\ndeb http://flat.test/debian ./\ndeb http://few.test/debian\ndeb http://contrib.test/debian bookworm contrib\n",
			"sources.list.d/a.sources": "Enabled: no\nTypes: deb\nURIs: http://off.test/debian\nSuites: bookworm\nComponents: main\n\nTypes: deb-src\nURIs: http://src.test/debian\nSuites: bookworm\nComponents: main\n",
			"sources.list.d/b.txt":     "deb http://ignored.test/debian bookworm main\n",
			"sources.list.d/c.list":    "deb http://mirror.test/debian stable main\r\n",
		}, mirrors{main: "http://mirror.test/debian"}},
	}
	for _, tt := range tests {
		etc := t.TempDir()
		writeAll(t, etc, tt.files)
		got, err := readMirrors(etc)
		if err != nil {
			t.Errorf("%s: %v", tt.reason, err)
		} else if got != tt.want {
			t.Errorf("%s: got %+v, want %+v", tt.reason, got, tt.want)
		}
	}
}

func writeAll(t *testing.T, dir string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

func TestReadMirrorsRefuses(t *testing.T) {
	tests := []struct {
		reason string
		files  map[string]string
	}{
		{"no sources at all", nil},
		{"another distribution", map[string]string{"sources.list": "deb http://archive.test/ubuntu jammy main\n"}},
		{"only the security archive", map[string]string{"sources.list": "deb http://mirror.test/debian-security bookworm-security main\n"}},
	}
	for _, tt := range tests {
		etc := t.TempDir()
		writeAll(t, etc, tt.files)
		if got, err := readMirrors(etc); !errors.Is(err, ErrNoMirror) || !strings.Contains(err.Error(), "use a Debian machine") {
			t.Errorf("%s: got %+v, %v; want ErrNoMirror with a remedy", tt.reason, got, err)
		}
	}
}

// TestReadMirrorsOfThisMachine: the tests themselves need a Debian machine.
func TestReadMirrorsOfThisMachine(t *testing.T) {
	if m, err := readMirrors("/etc/apt"); err != nil || m.main == "" {
		t.Errorf("got %+v, %v", m, err)
	}
}

func TestSourcesList(t *testing.T) {
	suites := []string{"bookworm", "bookworm-security"}
	both := mirrors{"http://a.test/debian", "http://b.test/debian-security"}
	want := "deb [signed-by=" + keyring + "] http://a.test/debian bookworm main\n" +
		"deb [signed-by=" + keyring + "] http://b.test/debian-security bookworm-security main\n"
	if diff := cmp.Diff(want, both.sourcesList(suites)); diff != "" {
		t.Errorf("both archives:\n%s", diff)
	}
	one := mirrors{main: "http://a.test/debian"}
	want, _, _ = strings.Cut(want, "deb [signed-by="+keyring+"] http://b.test")
	if diff := cmp.Diff(want, one.sourcesList(suites)); diff != "" {
		t.Errorf("no security archive:\n%s", diff)
	}
}
