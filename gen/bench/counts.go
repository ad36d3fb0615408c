// SPDX-License-Identifier: GPL-2.0-only

package bench

import (
	"fmt"
	"runtime"
	"sync"

	"golang.org/x/sync/errgroup"

	"kgen/gen/bench/result"
	"kgen/model"
)

// mostCounted is how many lookups a column's counts are the means of, at most.
const mostCounted = 20_000

// count fills in what the model counts for each variant whose design it knows.
func count(run *result.Run, in *input, s *symbols, designs []Design) error {
	t, err := model.Encode(s.table, model.EncodeOptions{MarkerShift: model.StockMarkerShift})
	if err != nil {
		return err
	}
	stock, err := model.NewDesign(t, model.StockChoice())
	if err != nil {
		return err
	}
	var g errgroup.Group
	g.SetLimit(runtime.GOMAXPROCS(0)) // each has tables of its own
	var mu sync.Mutex
	begun := map[model.Choice]bool{}
	counted := map[model.Choice]map[string]result.Counts{}
	for _, d := range designs {
		if d.Choice == nil || begun[*d.Choice] {
			continue
		}
		begun[*d.Choice] = true
		g.Go(func() error {
			c, err := countDesign(stock, in, *d.Choice)
			if err != nil {
				return fmt.Errorf("%s: %w", d.Name, err)
			}
			mu.Lock()
			defer mu.Unlock()
			counted[*d.Choice] = c
			return nil
		})
	}
	if err := g.Wait(); err != nil {
		return err
	}
	for i, d := range designs {
		if d.Choice != nil {
			run.Variants[i].Counts = counted[*d.Choice]
		}
	}
	return nil
}

func countDesign(stock *model.Design, in *input, c model.Choice) (map[string]result.Counts, error) {
	d, err := stock.With(c)
	if err != nil {
		return nil, err
	}
	if d.Batch() != nil {
		d.Batch().Start(true)
	}
	byName := func(name string) model.Cost {
		_, _, cost := d.LookupName(name)
		return cost
	}
	return map[string]result.Counts{
		"hit":        mean(in.names, byName),
		"hit-unique": mean(in.unique, byName),
		"miss":       mean(in.misses, byName),
		"address": mean(in.addrs, func(addr uint64) model.Cost {
			_, _, cost := d.LookupAddr(addr)
			return cost
		}),
		"duplicates": mean([]string{in.crowd}, func(name string) model.Cost {
			_, cost := d.OnEachMatch(name)
			return cost
		}),
	}, nil
}

// mean is the mean cost of lookups, of all or of some of them, evenly chosen.
func mean[T any](all []T, look func(T) model.Cost) result.Counts {
	var sum model.Cost
	n := 0.0
	for i := 0; i < len(all); i += len(all)/mostCounted + 1 {
		sum.Add(look(all[i]))
		n++
	}
	return result.Counts{
		Probes: float64(sum.Probes) / n, Hops: float64(sum.Hops) / n, Bytes: float64(sum.NameBytes) / n,
		Tokens: float64(sum.Tokens) / n, Lines: float64(sum.CacheLines.Total()) / n, Decodes: float64(sum.Entries) / n,
	}
}
