// SPDX-License-Identifier: GPL-2.0-only

package bench

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"
	"golang.org/x/sync/semaphore"

	"kgen/gen/bench/result"
	"kgen/gen/harness"
	"kgen/model"
)

// lookupsPerRound is how many names of a column are looked up in a round. They
// touch more of the tables than a second-level cache holds.
const lookupsPerRound = 2048

// Options say what to measure.
type Options struct {
	Base     harness.Tree // the tree without any series
	Version  string       // of the tree
	Designs  []Design     // beside stock, which is always there, twice
	Map      string       // what the symbols are
	Symbols  []model.Symbol
	Rounds   int
	ToolRuns int // how often the host tool is run, to see how long it takes
	Kgen     string
	Progress func(string)
}

// Run builds, verifies and measures.
func Run(ctx context.Context, o Options) (*result.Run, error) {
	var names []string
	for _, d := range o.Designs {
		names = append(names, d.Name)
	}
	if err := Distinct(names); err != nil {
		return nil, err
	}
	s, err := openStore()
	if err != nil {
		return nil, err
	}
	dir, err := s.workspace()
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	syms, err := newSymbols(dir, o.Symbols)
	if err != nil {
		return nil, err
	}
	compiler, err := CompilerVersion(ctx)
	if err != nil {
		return nil, err
	}
	b := &builder{
		store: s, base: o.Base, compiler: compiler, symbols: syms, toolRuns: o.ToolRuns, progress: o.Progress,
		work: semaphore.NewWeighted(int64(runtime.GOMAXPROCS(0))), tools: map[string]func() (*tables, error){},
	}
	choice := model.StockChoice()
	stock := Design{Name: Stock, Tree: o.Base, Choice: &choice}
	designs := slices.Concat([]Design{stock}, o.Designs)
	inputs := make(chan *input, 1)
	go func() { inputs <- newInput(syms) }()
	variants, err := buildAll(ctx, b, designs)
	if err != nil {
		return nil, err
	}
	designs, variants = slices.Insert(designs, 1, stock), slices.Insert(variants, 1, variants[0])
	if err := checkRoom(variants); err != nil {
		return nil, err
	}
	run := &result.Run{
		Format: 1, Kgen: o.Kgen, When: time.Now().UTC().Truncate(time.Second), Machine: Machine(),
		Compiler: compiler, Flags: kernelFlags, Tree: o.Version, Map: o.Map, Symbols: len(syms.table),
		Stream: int(variants[0].tables.sizes()["kallsyms_names"]), Columns: columns(),
	}
	for i, d := range designs {
		run.Variants = append(run.Variants, describe(d, variants[i], variants[0]))
	}
	run.Variants[1].Name, run.Variants[1].Control = StockAgain, true
	in, file := <-inputs, filepath.Join(dir, "input")
	o.Progress("counting and linking")
	var program string
	g, linking := errgroup.WithContext(ctx)
	g.Go(func() error { return count(run, in, syms, designs) })
	g.Go(func() error { return in.write(file, textAt-syms.bounds.Text) })
	g.Go(func() (err error) {
		program, err = link(linking, dir, o.Base, variants)
		return err
	})
	if err := g.Wait(); err != nil {
		return nil, err
	}
	if err := measure(ctx, program, file, o, &findings{run, in}); err != nil {
		return nil, err
	}
	run.Noise = Noise(run)
	return run, s.prune()
}

// buildAll builds every design. How many at a time is for the builder to say, which
// knows when one waits for another one's tables.
func buildAll(ctx context.Context, b *builder, designs []Design) ([]*built, error) {
	g, ctx := errgroup.WithContext(ctx)
	out := make([]*built, len(designs))
	for i, d := range designs {
		g.Go(func() (err error) {
			if out[i], err = b.build(ctx, d); err != nil {
				err = fmt.Errorf("%s: %w", d.Name, err)
			}
			return err
		})
	}
	return out, g.Wait()
}

// describe is what is known of a variant before it runs.
func describe(d Design, v, stock *built) result.Variant {
	return result.Variant{
		Name: d.Name, Series: d.Series, Params: d.Params, Mechanisms: d.Mechanisms,
		Rodata: v.tables.bytes() - stock.tables.bytes(), Text: v.Text - stock.Text,
		Tables: v.tables.sizes(), HostTool: v.tables.HostTool,
		Samples: map[string][]float64{}, Instructions: map[string][]float64{},
	}
}

// CompilerVersion is the first line that gcc says of itself. The error matches
// ErrTool where there is none.
func CompilerVersion(ctx context.Context) (string, error) {
	out, err := exec.CommandContext(ctx, "gcc", "--version").Output()
	if err != nil {
		return "", fmt.Errorf("%w: gcc: %w; install it (on Debian: apt install gcc binutils)", ErrTool, err)
	}
	first, _, _ := strings.Cut(string(out), "\n")
	return first, nil
}
