// SPDX-License-Identifier: GPL-2.0-only

package tree

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// fakeApt stands for apt-get: it logs what it is asked, and says and leaves what a
// mode tells it to.
const fakeApt = `#!/bin/sh
for arg; do
	case $arg in
	update | download | --print-uris) words="$words $arg" ;;
	-oDir::Etc::sourcelist=*) list=${arg#*=} ;;
	esac
done
echo $words >> "$FAKE/log"
deb=$FAKE/linux-source-7.3_7.3.4-1_all.deb
case "$FAKE_MODE:$words" in
"offline: update") echo "E: Failed to fetch http://mirror.test/x  Temporary failure resolving 'mirror.test'" >&2; exit 100 ;;
"gone: download --print-uris") echo "E: Unable to locate package linux-source-7.3" >&2; exit 100 ;;
"odd: download --print-uris") echo "what" ;;
"full: download") echo "E: Write error - write (28: No space left on device)" >&2; exit 100 ;;
"hash: download") echo "E: Failed to fetch http://mirror.test/x  Hash Sum mismatch" >&2; exit 100 ;;
"short: download") head -c 1000 "$deb" > "${deb##*/}" ;;
"broken: download") head -c $(($(stat -c %s "$deb") - 100)) "$deb" > "${deb##*/}"; head -c 100 /dev/zero >> "${deb##*/}" ;;
"nothing: download") ;;
"hang: download") head -c 1000 "$deb" > "${deb##*/}"; sleep 60 & echo $! > "$FAKE/child"; wait ;;
*": update") cp "$list" "$FAKE/sources.list" ;;
*": download --print-uris") echo "'http://mirror.test/x' ${deb##*/} $(stat -c %s "$deb") SHA256:0" ;;
*": download") cp "$deb" . ;;
*) echo "not expected: $*" >&2; exit 1 ;;
esac
`

// world is a machine with a cache of its own, a Debian mirror, and the fake apt.
type world struct {
	t     *testing.T
	fake  string // what the fake apt has and logs
	cache string // kgen's folder in the cache
	bin   string // first in PATH
}

func newWorld(t *testing.T, mode string) *world {
	dir := t.TempDir()
	w := &world{t: t, fake: filepath.Join(dir, "fake"), cache: filepath.Join(dir, "cache", "kgen"), bin: filepath.Join(dir, "bin")}
	writeAll(t, dir, map[string]string{
		"bin/apt-get":                fakeApt,
		"etc/sources.list":           "deb http://mirror.test/debian bookworm main\n",
		"linux/Makefile":             "VERSION = 7\nPATCHLEVEL = 3\nSUBLEVEL = 4\n",
		"linux/kernel/kallsyms.c":    "int x;\n",
		"fake/log":                   "",
		"fake/package/usr/src/other": "",
		"fake/package/DEBIAN/control": "Package: linux-source-7.3\nVersion: 7.3.4-1\nArchitecture: all\n" +
			"Maintainer: A <a@example.org>\nDescription: x\n",
	})
	w.chmod("apt-get")
	stamp := time.Date(2026, 11, 15, 22, 30, 52, 0, time.UTC)
	if err := os.Chtimes(filepath.Join(dir, "linux/Makefile"), stamp, stamp); err != nil {
		t.Fatal(err)
	}
	run(t, dir, "tar", "-cJf", "fake/package/usr/src/linux-source-7.3.tar.xz", "linux")
	w.pack()
	t.Setenv("PATH", w.bin+":"+os.Getenv("PATH"))
	t.Setenv("XDG_CACHE_HOME", filepath.Dir(w.cache))
	t.Setenv("FAKE", w.fake)
	t.Setenv("FAKE_MODE", mode)
	old := etcApt
	etcApt = filepath.Join(dir, "etc")
	t.Cleanup(func() { etcApt = old })
	return w
}

// pack makes the package that the fake apt has.
func (w *world) pack() {
	run(w.t, w.fake, "dpkg-deb", "--root-owner-group", "--build", "package", "linux-source-7.3_7.3.4-1_all.deb")
}

// tool puts a shell script first in PATH.
func (w *world) tool(name, script string) {
	writeAll(w.t, w.bin, map[string]string{name: "#!/bin/sh\n" + script})
	w.chmod(name)
}

func (w *world) chmod(name string) {
	if err := os.Chmod(filepath.Join(w.bin, name), 0o755); err != nil {
		w.t.Fatal(err)
	}
}

// left puts a part of the package where an interrupted fetch leaves it.
func (w *world) left(bytes string) {
	name := "linux-source-7.3_7.3.4-1_all.deb"
	to := filepath.Join(w.cache, "downloads")
	if err := os.MkdirAll(to, 0o755); err != nil {
		w.t.Fatal(err)
	}
	run(w.t, to, "sh", "-c", "head -c "+bytes+" "+filepath.Join(w.fake, name)+" > "+name)
}

// log is what apt was asked, one word a call.
func (w *world) log() string {
	data, err := os.ReadFile(filepath.Join(w.fake, "log"))
	if err != nil {
		w.t.Fatal(err)
	}
	return string(data)
}

// child is the process that a program which hangs has started, or "".
func (w *world) child() string {
	data, _ := os.ReadFile(filepath.Join(w.fake, "child"))
	return strings.TrimSuffix(string(data), "\n")
}

// files are those in the cache, but for locks and the content of trees.
func (w *world) files() []string {
	var all []string
	for _, sub := range []string{"downloads", "trees"} {
		entries, err := os.ReadDir(filepath.Join(w.cache, sub))
		if err != nil {
			w.t.Fatal(err)
		}
		for _, e := range entries {
			if !strings.HasSuffix(e.Name(), ".lock") {
				all = append(all, sub+"/"+e.Name())
			}
		}
	}
	return all
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

func run(t *testing.T, dir, name string, args ...string) {
	t.Helper()
	cmd := exec.Command(name, args...)
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%s %v: %v\n%s", name, args, err, out)
	}
}
