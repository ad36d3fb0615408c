// SPDX-License-Identifier: GPL-2.0-only

package modbench

import (
	"context"
	"fmt"
	"os"
	"time"

	"kgen/gen/bench"
	"kgen/gen/bench/result"
	"kgen/gen/harness"
	"kgen/gen/modharness"
	"kgen/gen/visible"
	"kgen/model"
)

// Options say what to measure.
type Options struct {
	Base     harness.Tree // the tree without any series
	Version  string       // of the tree
	Designs  []Design     // beside stock, which is always there, twice
	File     string       // what the module was read from
	Object   *model.Object
	Rounds   int
	Kgen     string
	Progress func(string)
}

// columns are what is timed, the one that designs are ranked by first.
var columns = []result.Column{
	{Name: modharness.TimeBoth, Title: "load+enable", Warm: true, Unit: "ns", Meaning: "load and enable of one life of the module together: what loading it waits for in the code under test"},
	{Name: modharness.TimeLoad, Title: "load", Unit: "ns", Meaning: "the steps of load_module() from post_relocation() on up to ftrace, with what a design builds there"},
	{Name: modharness.TimeEnable, Title: "enable", Warm: true, Unit: "ns", Meaning: "ftrace_module_enable() over all records of the module, with what a design builds there"},
	{Name: modharness.TimeLock, Title: "locked", Warm: true, Unit: "ns", Meaning: "the part of enable in which ftrace_lock is held"},
	{Name: modharness.TimeLookup, Title: "lookup", Warm: true, Unit: "ns", Meaning: fmt.Sprintf("kallsyms_lookup() of a record's address in the live module, the mean of at most %d spread over its records", modharness.MostLookups)},
	{Name: modharness.TimeName, Title: "name", Warm: true, Unit: "ns", Meaning: fmt.Sprintf("find_kallsyms_symbol_value() of a symbol's name in the live module, the mean of at most %d spread over its table", modharness.MostNames)},
	{Name: modharness.TimeUnload, Title: "unload", Unit: "ns", Meaning: "free_module()"},
}

// Run builds, verifies and measures. The error matches modharness.ErrDiffers
// where a design gives other answers than it claims to.
func Run(ctx context.Context, o Options) (*result.Run, error) {
	var names []string
	for _, d := range o.Designs {
		names = append(names, d.List)
	}
	if err := bench.Distinct(names); err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "kgen-modbench-*")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	compiler, err := bench.CompilerVersion(ctx)
	if err != nil {
		return nil, err
	}
	machine := bench.Machine()
	machine.HugePages = "4 KiB pages"
	stock := harness.Source{Patched: o.Base, Base: o.Base}
	designs := []modharness.Design{{Name: bench.Stock, Source: stock}, {Name: bench.StockAgain, Source: stock}}
	for _, d := range o.Designs {
		designs = append(designs, modharness.Design{Name: d.List, Source: harness.Source{Patched: d.Tree, Base: o.Base}, Changes: d.Changes})
	}
	when := time.Now().UTC().Truncate(time.Second)
	all, err := modharness.Measure(ctx, dir, designs, o.Object, modharness.MeasureOptions{Rounds: o.Rounds, CPU: machine.Pinned, Progress: o.Progress})
	if err != nil {
		return nil, err
	}
	run := &result.Run{
		Format: 1, Kgen: o.Kgen, When: when, Machine: machine, Compiler: compiler, Flags: harness.Optimized, Tree: o.Version,
		Map: visible.Text(o.File), Symbols: all[0].Symbols,
		Module: &result.Module{Name: visible.Text(o.Object.Name), Records: all[0].Records, Valid: all[0].Valid},
	}
	for _, c := range columns {
		if len(all[0].Samples[c.Name]) > 0 {
			run.Columns = append(run.Columns, c)
		}
	}
	for i, m := range all {
		v := result.Variant{Name: m.Name, Samples: m.Samples, RAM: m.Kept - all[0].Kept, Peak: m.Peak(all[0]), Asked: m.Compared, Differ: m.Differ, Verdicts: m.Verdicts}
		if i > 1 {
			d := o.Designs[i-2]
			v.Series, v.Params, v.Mechanisms = d.List, d.Params, d.Mechanisms
		}
		v.Control = i == 1
		run.Verified += m.Compared
		run.Variants = append(run.Variants, v)
	}
	run.Noise = bench.Noise(run)
	return run, nil
}
