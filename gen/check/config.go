// SPDX-License-Identifier: GPL-2.0-only

package check

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"slices"
	"strings"
)

// coreConfig is what the tiny configurations of the tree lack to compile the code
// that kgen's series are about, and to boot it: symbol tables and their users.
var coreConfig = strings.Fields(`
	64BIT PRINTK PRINTK_TIME EXPERT TTY SERIAL_8250 SERIAL_8250_CONSOLE
	BLK_DEV_INITRD RD_GZIP BINFMT_ELF BINFMT_SCRIPT DEVTMPFS PROC_FS PROC_KCORE SYSFS
	DEBUG_KERNEL DEBUG_FS KALLSYMS KALLSYMS_ALL KALLSYMS_SELFTEST MODULES MODULE_UNLOAD
	HYPERVISOR_GUEST PARAVIRT KVM_GUEST PVH KERNEL_GZIP POSIX_TIMERS FUTEX MULTIUSER
	HIGH_RES_TIMERS X86_TSC RUNTIME_TESTING_MENU
	FTRACE FUNCTION_TRACER DYNAMIC_FTRACE KPROBES BPF_SYSCALL LIVEPATCH`)

// tinyConfigs are the parts of make tinyconfig.
var tinyConfigs = []string{"kernel/configs/tiny-base.config", "kernel/configs/tiny.config", "arch/x86/configs/tiny.config"}

// configure writes out/.config: everything off but the tiny configuration, what
// kgen's series are about, and the given symbols: NAME for y, or NAME=m.
func (w *workspace) configure(ctx context.Context, read reader, s state, symbols []string) (output, error) {
	var text strings.Builder
	for _, name := range tinyConfigs {
		data, err := read(name)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return output{}, err
		}
		text.Write(data)
	}
	for _, name := range slices.Concat(coreConfig, symbols) {
		if !strings.Contains(name, "=") {
			name += "=y"
		}
		fmt.Fprintf(&text, "CONFIG_%s\n", name)
	}
	if err := os.WriteFile(w.path("out/kgen.config"), []byte(text.String()), 0o644); err != nil {
		return output{}, cacheError(err)
	}
	kept, err := w.keptConfig(text.String(), s)
	if err != nil {
		return output{}, err
	}
	data, err := os.ReadFile(kept)
	// What Kconfig said when it was made is no news in a later state.
	said, saidErr := os.ReadFile(kept + ".said")
	if kept != "" && err == nil && saidErr == nil {
		return output{stderr: string(said)}, cacheError(os.WriteFile(w.path("out/.config"), data, 0o644))
	}
	out, err := w.make(ctx, "KCONFIG_ALLCONFIG="+w.path("out/kgen.config"), "allnoconfig")
	if err != nil || out.code != 0 || kept == "" {
		return out, err
	}
	data, err = os.ReadFile(w.path("out/.config"))
	if err == nil {
		err = os.WriteFile(kept+".said", []byte(out.stdout+out.stderr), 0o644)
	}
	if err == nil {
		err = os.WriteFile(kept, data, 0o644)
	}
	return out, cacheError(err)
}

// keptConfig names the file that keeps the .config which the text gives with the
// Kconfig files as they are now: making one takes as long as compiling two files,
// since Kconfig asks the compiler about a hundred options. It names none before
// the first build, which finds out which files these are.
func (w *workspace) keptConfig(text string, s state) (string, error) {
	list, err := os.ReadFile(w.path("out/include/config/auto.conf.cmd"))
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	if err != nil {
		return "", cacheError(err)
	}
	sum := sha256.New()
	fmt.Fprintln(sum, text)
	for _, file := range slices.Sorted(maps.Keys(s)) {
		if isKconfig(file) {
			fmt.Fprintf(sum, "%s %x\n", file, sha256.Sum256(s[file].data))
		}
	}
	for word := range strings.FieldsSeq(string(list)) {
		if rel := strings.TrimPrefix(word, w.path("tree")+"/"); isKconfig(rel) {
			if info, err := os.Stat(w.path("lower") + "/" + rel); err == nil {
				fmt.Fprintln(sum, rel, info.Size(), info.ModTime().UnixNano())
			}
		}
	}
	if err := os.MkdirAll(w.path("configs"), 0o755); err != nil {
		return "", cacheError(err)
	}
	return w.path(fmt.Sprintf("configs/%x", sum.Sum(nil)[:12])), nil
}

func isKconfig(file string) bool { return strings.HasPrefix(path.Base(file), "Kconfig") }

// configured reads the symbols that out/.config has on.
func (w *workspace) configured() (map[string]bool, error) {
	data, err := os.ReadFile(w.path("out/.config"))
	if err != nil {
		return nil, cacheError(err)
	}
	on := make(map[string]bool)
	for line := range strings.Lines(string(data)) {
		if name, ok := strings.CutSuffix(strings.TrimSpace(line), "=y"); ok {
			on[strings.TrimPrefix(name, "CONFIG_")] = true
		}
	}
	return on, nil
}
