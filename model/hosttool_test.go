// SPDX-License-Identifier: GPL-2.0-only

package model

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"kgen/gen/realmap"
	"kgen/gen/realmap/realmaptest"
)

// hostTool is a kernel tree's own scripts/kallsyms.c, built by the test.
type hostTool struct {
	dialect Dialect
	path    string
}

var (
	hostTools = map[string]Dialect{"6.12": BaseRelative, "7.3": PlaceRelative}
	builtIn   string // folder of the built tools, removed by TestMain
	building  sync.Mutex
)

func TestMain(m *testing.M) {
	var err error
	if builtIn, err = os.MkdirTemp("", "kgen-hosttool-"); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	code := m.Run()
	os.RemoveAll(builtIn)
	os.Exit(code)
}

// kernelTree is the fetched tree of a release, not to be written to. The helper
// of package tree cannot be used here: that package imports this one.
func kernelTree(tb testing.TB, version string) string {
	tb.Helper()
	cache, err := os.UserCacheDir()
	if err != nil {
		tb.Fatal(err)
	}
	dir := filepath.Join(cache, "kgen", "trees", version)
	if _, err := os.Stat(filepath.Join(dir, "scripts", "kallsyms.c")); err != nil {
		tb.Fatalf("the kernel tree %s is not fetched: run make trees (%v)", version, err)
	}
	return dir
}

// realMap is the System.map of a distribution kernel, 163 thousand symbols.
func realMap(tb testing.TB) string {
	tb.Helper()
	return realmaptest.Path(tb, realmap.SystemMap)
}

// buildHostTool compiles the tree's tool, once a run for each set of flags.
func buildHostTool(tb testing.TB, version string, flags ...string) hostTool {
	tb.Helper()
	building.Lock()
	defer building.Unlock()
	tool := hostTool{
		dialect: hostTools[version],
		path:    filepath.Join(builtIn, version+strings.Join(flags, "")),
	}
	if _, err := os.Stat(tool.path); err == nil {
		return tool
	}
	tree := kernelTree(tb, version)
	args := append([]string{"-O2", "-I" + filepath.Join(tree, "scripts", "include"), "-o", tool.path}, flags...)
	out, err := exec.Command("gcc", append(args, filepath.Join(tree, "scripts", "kallsyms.c"))...).CombinedOutput()
	if err != nil {
		tb.Fatalf("building scripts/kallsyms.c of %s: %v\n%s", version, err, out)
	}
	return tool
}

// hostCase is one way to run the tool.
type hostCase struct {
	all, pcRelative, absolutePercpu bool
}

// hostCases are the ways the dialect's kernels run it.
func (h hostTool) hostCases(bits32 bool) []hostCase {
	switch {
	case h.dialect == BaseRelative:
		return []hostCase{{}, {all: true}, {absolutePercpu: true}, {all: true, absolutePercpu: true}}
	case bits32:
		return []hostCase{{}, {all: true}, {all: true, pcRelative: true}}
	}
	return []hostCase{{pcRelative: true}, {all: true, pcRelative: true}}
}

func (c hostCase) args() []string {
	var args []string
	for _, flag := range []struct {
		set  bool
		name string
	}{{c.all, "--all-symbols"}, {c.pcRelative, "--pc-relative"}, {c.absolutePercpu, "--absolute-percpu"}} {
		if flag.set {
			args = append(args, flag.name)
		}
	}
	return args
}

func (c hostCase) String() string { return strings.Join(c.args(), "") }

// run returns what the tool prints for a map, and its complaint if it fails.
func (h hostTool) run(tb testing.TB, c hostCase, mapFile string) (out []byte, complaint string) {
	tb.Helper()
	var stdout, stderr bytes.Buffer
	cmd := exec.Command(h.path, append(c.args(), mapFile)...)
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Run(); err != nil {
		return nil, fmt.Sprintf("%v: %s", err, stderr.String())
	}
	return stdout.Bytes(), stderr.String()
}

// encodeAs is the model's counterpart of one run.
func (h hostTool) encodeAs(c hostCase, text []byte) (out []byte, warnings string, err error) {
	m, err := ReadText(bytes.NewReader(text))
	if err != nil {
		return nil, "", err
	}
	for _, s := range m.Skipped {
		warnings += s.String() + "\n"
	}
	symbols, bounds := Prepare(m.Symbols, PrepareOptions{AllSymbols: c.all, AbsolutePercpu: c.absolutePercpu})
	t, err := Encode(symbols, EncodeOptions{MarkerShift: StockMarkerShift})
	if err != nil {
		return nil, "", err
	}
	var asm bytes.Buffer
	err = WriteAsm(&asm, symbols, t, AsmOptions{
		Dialect: h.dialect, PCRelative: c.pcRelative, AbsolutePercpu: c.absolutePercpu, Bounds: bounds,
	})
	return asm.Bytes(), warnings, err
}

// firstDifference describes where two texts part.
func firstDifference(got, want []byte) string {
	g, w := bytes.Split(got, []byte("\n")), bytes.Split(want, []byte("\n"))
	for i := range min(len(g), len(w)) {
		if !bytes.Equal(g[i], w[i]) {
			return fmt.Sprintf("line %d:\n got %q\nwant %q", i+1, g[i], w[i])
		}
	}
	return fmt.Sprintf("%d lines, want %d", len(g), len(w))
}
