// SPDX-License-Identifier: GPL-2.0-only

package harness

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"

	"kgen/model"
)

// table is one map as the host tool wrote it for a variant.
type table struct {
	source  []model.Symbol // the map
	symbols []model.Symbol // what the table holds, in its order
	bounds  model.Bounds
	image   *Image
}

// hostToolRun is RunHostTool, or does the same.
type hostToolRun func(ctx context.Context, tool string, options []string, symbols []model.Symbol) ([]byte, error)

// makeTable runs a build of the host tool on a map. Other builds have to write
// the same.
func (s *session) makeTable(ctx context.Context, run hostToolRun, v Variant, source []model.Symbol, tool string, others ...string) (*table, error) {
	options := s.work.ToolOptions(v)
	text, err := run(ctx, tool, options, source)
	if err != nil {
		return nil, err
	}
	for _, other := range others {
		again, err := run(ctx, other, options, source)
		if err != nil {
			return nil, err
		}
		if !bytes.Equal(text, again) {
			return nil, fmt.Errorf("%w: it writes other tables when built by another compiler with the other sign of char; first difference in line %d",
				ErrHostTool, 1+bytes.Count(text[:commonPrefix(text, again)], []byte("\n")))
		}
	}
	t := &table{source: source}
	if t.image, err = ParseImage(text, v.Bits); err != nil {
		return nil, err
	}
	t.symbols, t.bounds = model.Prepare(slices.Clone(source), v.prepareOptions())
	s.mu.Lock()
	s.report.Tables++
	s.mu.Unlock()
	return t, nil
}

func commonPrefix(a, b []byte) int {
	n := min(len(a), len(b))
	for i := range n {
		if a[i] != b[i] {
			return i
		}
	}
	return n
}

// tableKey is what decides how the host tool writes the whole kernel.
type tableKey struct {
	bits    int
	options string
}

// realTable makes the table of the whole kernel once for all variants that
// share it. One of them is held against the other builds of the host tool, each
// of which takes seconds.
func (s *session) realTable(ctx context.Context, v Variant) (*table, error) {
	key := tableKey{v.Bits, strings.Join(s.work.ToolOptions(v), " ")}
	s.mu.Lock()
	if s.tables[key] == nil {
		var others []string
		if len(s.tables) == 0 {
			others = s.tools[1:]
		}
		s.tables[key] = sync.OnceValues(func() (*table, error) {
			return s.makeTable(ctx, RunHostTool, v, FitMap(s.opts.RealMap, v), s.tools[0], others...)
		})
	}
	get := s.tables[key]
	s.mu.Unlock()
	return get()
}

// FitMap makes the map of a 64-bit kernel fit a variant. For 32 bits,
// addresses lose their upper half. Where the host tool does not know absolute
// per-CPU symbols, those at the bottom of the address space, out of reach of
// _text, go behind the last symbol; 7.3 has them at ordinary addresses too.
func FitMap(symbols []model.Symbol, v Variant) []model.Symbol {
	out := slices.Clone(symbols)
	var last uint64
	for i := range out {
		out[i].Addr &= v.mask()
		last = max(last, out[i].Addr)
	}
	if v.AbsolutePercpu {
		return out
	}
	text := model.BoundsOf(out).Text
	after := (last + 0xffff) &^ 0xfff
	for i := range out {
		if out[i].Addr < text && text-out[i].Addr > 1<<31 {
			out[i].Addr += after
		}
	}
	return out
}
