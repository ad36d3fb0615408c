// SPDX-License-Identifier: GPL-2.0-only

package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"kgen/gen/mechanism"
	"kgen/gen/series"
	"kgen/model"
	"kgen/patches"
	"kgen/templates"
)

// designFlags say which table is looked up in, and how.
type designFlags struct {
	mapFile string
	all     bool
	series  string
	params  model.Params
}

func (f *designFlags) add(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringVar(&f.mapFile, "map", "", "look up in the symbols of `FILE`")
	flags.BoolVar(&f.all, "all-symbols", false, "keep data symbols too (CONFIG_KALLSYMS_ALL)")
	flags.StringVar(&f.series, "series", "", "look up as the kernel does with the series `NAME`, or with mechanisms joined by commas")
	flags.UintVar(&f.params.Shift, "shift", 4, "log2 of the symbols per marker, sub-marker or group")
	flags.UintVar(&f.params.BucketShift, "bucket-shift", 4, "log2 of the symbols per bucket of a hash")
	flags.UintVar(&f.params.StartBits, "start-bits", model.NarrowStarts, "bits of an entry of the table of bucket starts, 8 or 16")
	flags.UintVar(&f.params.BlockShift, "block-shift", 5, "log2 of the symbols per block of hash-blocks")
	flags.UintVar(&f.params.EntryBytes, "entry-bytes", 2, "bytes of an entry of hash-blocks, 2 or 3")
}

// designHelp explains --series in the long help of a command.
const designHelp = `NAME is stock for the kernel as it is, a series that kgen list shows, or
mechanisms joined by commas: density, sub-markers, group-sizes, static-index,
batch-index, name-offsets, hash-order, hash-blocks, token-match, seq-unroll.`

// tables reads the map and, with --series, makes the tables of the series for
// its symbols, with a batch open where there is one. Symbols of modules in
// /proc/kallsyms are not the core kernel's and are left out.
func (f *designFlags) tables(cmd *cobra.Command) (*model.Spec, *model.Design, error) {
	choice, err := f.choice(cmd) // first, as a mistake in the flags shows at once
	if err != nil {
		return nil, nil, err
	}
	m, err := readMapFile(f.mapFile, cmd.InOrStdin(), cmd.ErrOrStderr())
	if err != nil {
		return nil, nil, err
	}
	symbols, bounds := model.Prepare(m.Symbols, model.PrepareOptions{AllSymbols: f.all})
	spec := &model.Spec{Symbols: symbols, Bounds: bounds, Rules: model.Rules{AllSymbols: f.all}}
	if f.series == "" {
		return spec, nil, nil
	}
	t, err := model.Encode(symbols, model.EncodeOptions{MarkerShift: model.StockMarkerShift})
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", f.mapFile, err)
	}
	d, err := model.NewDesign(t, choice)
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", f.mapFile, err)
	}
	if d.Batch() != nil {
		d.Batch().Start(true)
	}
	return spec, d, nil
}

// choice is the design that --series and the parameters name.
func (f *designFlags) choice(cmd *cobra.Command) (model.Choice, error) {
	words, err := f.mechanisms(cmd)
	if err != nil {
		return model.Choice{}, err
	}
	if err := f.checkParams(cmd, words); err != nil {
		return model.Choice{}, err
	}
	c, err := model.Choose(words, f.params)
	if err != nil {
		return c, usagef("--series %s: %w", f.series, err)
	}
	return c, nil
}

// designParams are the flags of the parameters.
var designParams = []string{"shift", "bucket-shift", "start-bits", "block-shift", "entry-bytes"}

// modelParams are the parameters of the mechanisms that have no C, whose ranges
// are the model's. Those of the others are described with their C.
var modelParams = map[string][]string{
	string(model.GroupSizes): {"shift"},
	string(model.HashBlocks): {"bucket-shift", "start-bits", "block-shift", "entry-bytes"},
}

// checkParams refuses parameters that none of the mechanisms takes, and values
// that kgen generate would refuse.
func (f *designFlags) checkParams(cmd *cobra.Command, words []string) error {
	given := make(map[string]string)
	for _, name := range designParams {
		if flag := cmd.Flags().Lookup(name); flag.Changed {
			given[name] = flag.Value.String()
		}
	}
	taken := make(map[string]bool)
	for _, word := range words {
		for _, name := range modelParams[word] {
			taken[name] = true
		}
		m, err := mechanism.Load(templates.FS, word)
		if errors.Is(err, mechanism.ErrUnknown) {
			continue
		}
		if err == nil {
			_, err = m.Params.Values(given)
		}
		if err != nil {
			return usagef("%w", err)
		}
		for _, p := range m.Params {
			taken[p.Name] = true
		}
	}
	for _, name := range designParams {
		if _, ok := given[name]; ok && !taken[name] {
			return usagef("--%s: nothing of %s takes it; leave it out", name, f.named())
		}
	}
	return nil
}

// named is what is looked up with.
func (f *designFlags) named() string {
	if f.series == "" {
		return "a lookup without --series"
	}
	return "--series " + f.series
}

// mechanisms lists what of --series core lookups are made of. The defaults of
// the parameters are those of the series, where it is one.
func (f *designFlags) mechanisms(cmd *cobra.Command) ([]string, error) {
	if f.series == "" || f.series == "stock" {
		return nil, nil
	}
	s, err := series.Load(patches.FS, templates.FS, f.series)
	if errors.Is(err, series.ErrUnknown) {
		words := strings.Split(f.series, ",")
		for _, word := range words {
			if !slices.Contains(model.Mechanisms(), model.Mechanism(word)) {
				return nil, usagef("--series %s: %q is neither a series (kgen list) nor a mechanism of core lookups", f.series, word)
			}
		}
		return words, nil
	}
	if err != nil {
		return nil, err
	}
	for _, p := range s.Params() {
		if flag := cmd.Flags().Lookup(p.Name); flag != nil && !flag.Changed {
			if err := flag.Value.Set(fmt.Sprint(p.Default)); err != nil {
				return nil, err
			}
		}
	}
	var words []string
	for _, m := range s.Mechanisms {
		if slices.Contains(model.Mechanisms(), model.Mechanism(m.Name)) {
			words = append(words, m.Name)
		}
	}
	if !s.InCore() {
		return nil, usagef("--series %s: it changes no lookup in the kernel's own symbols; those of modules are shown by kgen trace --module FILE", f.series)
	}
	return words, nil
}
