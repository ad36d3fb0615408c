// SPDX-License-Identifier: GPL-2.0-only

package check

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"kgen/gen/manifest"
)

// healthy is what a guest says when nothing is wrong, shortened.
const healthy = `[    0.000000] Linux version 7.3.4
kgen-boot: init
kgen-boot: loaded
kgen-boot: symbols 35274
kgen-boot: modulesymbols 2
kgen-boot: record configfs_setattr [configfs]
kgen-boot: record configfs_new_inode [configfs]
[    1.387748] kallsyms_selftest: start
[   16.698208] kallsyms_selftest: finish
kgen-boot: end
[   17.180878] reboot: machine restart
`

func TestJudgeBoot(t *testing.T) {
	instead := func(old, with string) string {
		if !strings.Contains(healthy, old) {
			t.Fatalf("the log lacks %q", old)
		}
		return strings.Replace(healthy, old, with, 1)
	}
	for _, test := range []struct{ name, base, patched, want string }{
		{"nothing is wrong", healthy, healthy, ""},
		{"a wrong answer", healthy, instead("[   16.698208]", "[   16.1] kallsyms_selftest: kallsyms_lookup_name() for 'x' failed: addr=1, expect 2\n[   16.698208]"), "expect 2"},
		{"two interfaces disagree", healthy, instead("[   16.698208]", "[   16.1] kallsyms_selftest: x: mismatch between a() and b()\n[   16.698208]"), "mismatch between"},
		{"the selftest gives up", healthy, instead("kallsyms_selftest: finish", "kallsyms_selftest: abort"), "abort"},
		{"the selftest never ends", healthy, instead("[   16.698208] kallsyms_selftest: finish\n", ""), "did not say that it finished"},
		{"RCU is misused", healthy, instead("[   16.698208]", "[   16.1] WARNING: suspicious RCU usage\n[   16.698208]"), "suspicious RCU usage"},
		{"a warning with a thread number", healthy, instead("[   16.698208]", "[   16.1][   T12] BUG: sleeping function called from invalid context\n[   16.698208]"), "BUG: sleeping"},
		{"a warning of the tree's own", instead("[   16.698208]", "[   16.1] WARNING: CPU: 0\n[   16.698208]"), instead("[   16.698208]", "[   16.1] WARNING: CPU: 0\n[   16.698208]"), ""},
		{"the module is not loaded", healthy, instead("loaded", "error load /module.ko: Exec format error"), "Exec format error"},
		{"a symbol of the module is lost", healthy, instead("modulesymbols 2", "modulesymbols 1"), "lists 1 symbols"},
		{"a record is lost", healthy, instead("kgen-boot: record configfs_new_inode [configfs]\n", ""), "configfs_new_inode [configfs] is missing"},
		{"a record has another name", healthy, instead("configfs_new_inode", "configfs_other"), "configfs_other [configfs] instead of"},
		{"the benchmark ends early", healthy, instead("[   16.698208]", "[   16.1] test_kallsyms_perf: ended early: -12\n[   16.698208]"), "ended early: -12"},
	} {
		t.Run(test.name, func(t *testing.T) {
			var res manifest.Result
			judgeBoot(&res, readGuest(test.base), readGuest(test.patched))
			said := strings.Join(res.Messages, "\n")
			if res.OK != (test.want == "") || !strings.Contains(said, test.want) {
				t.Errorf("ok %v, %q, expected %q", res.OK, said, test.want)
			}
		})
	}
}

func TestReadGuest(t *testing.T) {
	log := readGuest(healthy)
	if !log.started || !log.ended || !log.loaded || !log.selftest || log.perf {
		t.Errorf("%+v: expected a guest that started, loaded its module and ended, without a benchmark", log)
	}
	if log.symbols != 35274 || log.moduleSymbols != 2 || len(log.records) != 2 {
		t.Errorf("%+v: expected 35274 symbols, and 2 with 2 records of the module", log)
	}
}

// withQEMU has a script in place of QEMU, which runs in the returned workspace.
func withQEMU(t *testing.T, script string) *kernels {
	t.Helper()
	bin := t.TempDir()
	if err := os.WriteFile(filepath.Join(bin, "qemu-system-x86_64"), []byte("#!/bin/sh\n"+script+"\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", bin+":"+os.Getenv("PATH"))
	return &kernels{builder{o: Options{Progress: func(string) {}}, w: &workspace{dir: t.TempDir(), lock: os.Stdin}}}
}

// A QEMU that aborts, as where KVM refuses a register of the host, is a guest that
// did not end, for the emulator to try and for the report to tell. One that the
// machine ends is an error.
func TestQEMUThatAborts(t *testing.T) {
	k := withQEMU(t, "echo hello >serial; kill -ABRT $$")
	log, err := k.qemu(t.Context(), "kvm", "host", time.Minute)
	if err != nil || log.ended || log.died != "QEMU: signal: aborted" {
		t.Errorf("%+v, %v; expected a guest that died", log, err)
	}
	if log, err := k.qemu(t.Context(), "tcg", "max", time.Minute); err == nil {
		t.Errorf("emulated: %+v; expected an error", log)
	}
	k = withQEMU(t, "kill -KILL $$")
	if log, err := k.qemu(t.Context(), "kvm", "host", time.Minute); err == nil {
		t.Errorf("killed: %+v; expected an error", log)
	}
}

// A kernel is built again only if its build was interrupted, not if its guest was.
func TestInterruptedGuest(t *testing.T) {
	for _, tt := range []struct {
		script  string
		limit   time.Duration
		running bool
	}{{"sleep 60", 300 * time.Millisecond, false}, {"true", time.Minute, true}} {
		k := withQEMU(t, tt.script)
		if err := k.w.resume(); err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithTimeout(t.Context(), tt.limit)
		_, err := k.guest(ctx)
		cancel()
		_, gone := os.Stat(k.w.path("running"))
		if (err == nil) != tt.running || (gone == nil) != tt.running {
			t.Errorf("%s: %v, and then %v", tt.script, err, gone)
		}
	}
}
