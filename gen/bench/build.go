// SPDX-License-Identifier: GPL-2.0-only

package bench

import (
	"context"
	"debug/elf"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"golang.org/x/sync/semaphore"

	"kgen/gen/harness"
)

// built is a variant's object file, ready to be linked, and what is known of it.
type built struct {
	object string
	tables *tables
	Text   int64 `json:"text"` // bytes of the functions under test
}

// builder builds variants for one map.
type builder struct {
	store    *store
	base     harness.Tree
	compiler string // first line of its --version
	symbols  *symbols
	toolRuns int
	progress func(string)
	work     *semaphore.Weighted // as many things at a time as there are processors

	mu    sync.Mutex
	tools map[string]func() (*tables, error) // by key: made once, for whoever asks first
}

// build makes the object of a design. The folder of its sources is removed.
func (b *builder) build(ctx context.Context, d Design) (*built, error) {
	dir, err := b.store.workspace()
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	w, err := harness.Prepare(dir, harness.Source{Patched: d.Tree, Base: b.base})
	if err != nil {
		return nil, err
	}
	t, err := b.tablesOf(ctx, d.Name, w)
	if err != nil {
		return nil, err
	}
	if err := writeSources(dir); err != nil {
		return nil, err
	}
	ftrace, err := ftraceUnit(d.Tree, b.symbols.bounds)
	if err != nil {
		return nil, err
	}
	for name, text := range map[string]string{"bench.c": unit(w, b.symbols.bounds), "ftrace.c": ftrace} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			return nil, err
		}
	}
	var h hasher
	if err := h.addTree(dir, func(name string) bool { return !strings.HasPrefix(name, "build") }); err != nil {
		return nil, err
	}
	h.add("tables", []byte(filepath.Base(t.file)))
	h.add("compiler", []byte(b.compiler+strings.Join(kernelFlags, " ")+objectLayout))
	v := &built{tables: t}
	if file, ok := b.store.get(h.key(), ".o", v); ok {
		v.object = file
		return v, nil
	}
	done, err := b.begin(ctx, "compiling "+d.Name)
	if err != nil {
		return nil, err
	}
	defer done()
	return v, b.compile(ctx, w, h.key(), v)
}

// begin waits for a processor, and tells what it is for. Who waits for what another
// one makes must not hold one.
func (b *builder) begin(ctx context.Context, doing string) (done func(), err error) {
	if err := b.work.Acquire(ctx, 1); err != nil {
		return nil, context.Cause(ctx)
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.progress(doing)
	return func() { b.work.Release(1) }, nil
}

// compile compiles the kernel file twice: alone, to see how large its functions
// are, and with what the measuring program wants of it. The second is joined with
// the part of ftrace.c and the labels of the tables, and only one name of all stays
// visible.
func (b *builder) compile(ctx context.Context, w *harness.Work, key string, v *built) error {
	in := func(name string) string { return filepath.Join(w.Dir, name) }
	joined := in("joined.o")
	for _, c := range []struct {
		source, object string
		more           harness.Profile
		counted        bool
	}{
		{"bench.c", "text.o", harness.Profile{"-DKBENCH_TEXT"}, true},
		{"bench.c", "unit.o", nil, false},
		{"ftrace.c", "ftrace.o", nil, true},
	} {
		if err := w.CompileUnit(ctx, b.symbols.variant, slices.Concat(kernelFlags, c.more), in(c.source), in(c.object)); err != nil {
			return err
		}
		if !c.counted {
			continue
		}
		size, err := functionBytes(in(c.object))
		if err != nil {
			return err
		}
		v.Text += size
	}
	if err := os.WriteFile(in("labels.s"), []byte(v.tables.labelsText()), 0o644); err != nil {
		return err
	}
	if err := runTool(ctx, w.Dir, "as", "-o", in("labels.o"), in("labels.s")); err != nil {
		return err
	}
	if err := runTool(ctx, w.Dir, "ld", "-r", "-o", joined, in("unit.o"), in("ftrace.o"), in("labels.o")); err != nil {
		return err
	}
	if err := runTool(ctx, w.Dir, "objcopy", "--rename-section=.text=.kgen_code", "--keep-global-symbol=kbench_variant", joined); err != nil {
		return err
	}
	var err error
	v.object, err = b.store.put(key, ".o", joined, v)
	return err
}

// tablesOf makes the tables of a variant, or takes them from another one whose
// host tool is the same.
func (b *builder) tablesOf(ctx context.Context, name string, w *harness.Work) (*tables, error) {
	var h hasher
	err := h.addTree(filepath.Join(w.Dir, "tree"), func(name string) bool { return name != filepath.Join("kernel", "kallsyms.c") })
	if err != nil {
		return nil, err
	}
	h.add("map", []byte(b.symbols.hash))
	h.add("options", []byte(strings.Join(w.ToolOptions(b.symbols.variant), " ")))
	h.add("compiler", []byte(b.compiler))
	h.add("layout", []byte(tablesLayout))
	key := h.key()
	b.mu.Lock()
	if b.tools[key] == nil {
		b.tools[key] = sync.OnceValues(func() (*tables, error) {
			t := &tables{}
			if file, ok := b.store.get(key, ".tables", t); ok && len(t.HostTool) >= b.toolRuns {
				t.file = file
				return t, nil
			}
			done, err := b.begin(ctx, "making the tables of "+name)
			if err != nil {
				return nil, err
			}
			defer done()
			return b.runHostTool(ctx, w, key)
		})
	}
	get := b.tools[key]
	b.mu.Unlock()
	return get()
}

func (b *builder) runHostTool(ctx context.Context, w *harness.Work, key string) (*tables, error) {
	tool, err := w.BuildHostTool(ctx, b.symbols.variant.Compiler, true, harness.Optimized)
	if err != nil {
		return nil, err
	}
	parser := harness.NewImageParser(64)
	var times []float64
	for i := range b.toolRuns {
		var out io.Writer = parser
		if i > 0 {
			out = io.Discard // the same again, for its time
		}
		took, err := harness.RunHostToolOn(ctx, tool, w.ToolOptions(b.symbols.variant), b.symbols.file, out)
		if err != nil {
			return nil, err
		}
		times = append(times, float64(took.Nanoseconds()))
	}
	im, err := parser.Image()
	if err != nil {
		return nil, err
	}
	t, data, err := layOut(im)
	if err != nil {
		return nil, err
	}
	t.HostTool = times
	file := filepath.Join(w.Dir, "tables")
	if err := os.WriteFile(file, data, 0o644); err != nil {
		return nil, err
	}
	t.file, err = b.store.put(key, ".tables", file, t)
	return t, err
}

// functionBytes is the size of all functions in an object file.
func functionBytes(object string) (int64, error) {
	f, err := elf.Open(object)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	symbols, err := f.Symbols()
	if err != nil {
		return 0, fmt.Errorf("%s: %w", object, err)
	}
	sum := int64(0)
	for _, s := range symbols {
		// Initcalls run once, and what registers them is a stand-in's.
		if elf.ST_TYPE(s.Info) == elf.STT_FUNC && !strings.HasPrefix(s.Name, "kshim_") {
			sum += int64(s.Size)
		}
	}
	return sum, nil
}

// runTool runs one of binutils, or the compiler, in the folder dir. What one that is
// killed has no time to remove goes with the folder.
func runTool(ctx context.Context, dir, name string, args ...string) error {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir = dir
	cmd.Env = append(cmd.Environ(), "TMPDIR=.")
	out, err := cmd.CombinedOutput()
	switch {
	case err == nil:
		return nil
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case errors.Is(err, exec.ErrNotFound):
		return fmt.Errorf("%w: %s is missing; install it (on Debian: apt install gcc binutils)", ErrTool, name)
	}
	first, _, _ := strings.Cut(strings.TrimSpace(string(out)), "\n")
	return fmt.Errorf("%w: %s: %w: %s", ErrTool, name, err, first)
}
