// SPDX-License-Identifier: GPL-2.0-only

package model

import (
	"fmt"
	"math"
	"runtime"
	"sync"
)

// compressor replaces pairs of tokens by new tokens in all symbols at once.
// At the start every byte of a symbol is a token of its own.
type compressor struct {
	shards []*shard
	token  [256]token
}

// token is one entry of the host tool's best_table.
type token struct {
	pair [2]byte // the pair it stands for; unused for an original byte
	len  uint32  // bytes it expands to; 0 while the slot is free
	made bool    // of a pair, so not an original byte
}

// shardUnit is what the symbols are dealt out in: a multiple of every marker
// spacing, so that each shard starts at a marker, and worth a processor's time.
const shardUnit = 1 << 14

func newCompressor(symbols []Symbol) *compressor {
	units := (len(symbols) + shardUnit - 1) / shardUnit
	n := max(1, min(runtime.GOMAXPROCS(0), units))
	c := &compressor{shards: make([]*shard, n)}
	inParallel(n, func(i int) {
		start := min(units*i/n*shardUnit, len(symbols))
		end := min(units*(i+1)/n*shardUnit, len(symbols))
		c.shards[i] = newShard(symbols[start:end])
	})
	for _, s := range c.shards {
		for b, used := range s.used {
			if used {
				c.token[b].len = 1
			}
		}
	}
	return c
}

// uses says whether a symbol holds the byte.
func (c *compressor) uses(b byte) bool { return c.token[b].len == 1 }

// count returns how often a pair occurs now.
func (c *compressor) count(pair uint16) int32 {
	n := int32(0)
	for _, s := range c.shards {
		n += s.count[pair]
	}
	return n
}

// selectTokens fills the free slots from 255 downwards, each with the most
// frequent pair of the moment, and replaces that pair everywhere. It mirrors
// optimize_result(). Rounds are too short to be worth sharing among processors,
// and the name order is found meanwhile.
func (c *compressor) selectTokens() {
	pairs := newPairQueue(c.count)
	for slot := 255; slot >= 0; slot-- {
		if c.token[slot].len != 0 {
			continue
		}
		best, count := pairs.best()
		if count == 0 {
			break
		}
		a, b, x := byte(best), byte(best>>8), byte(slot)
		c.token[x] = token{pair: [2]byte{a, b}, len: c.token[a].len + c.token[b].len, made: true}
		for _, s := range c.shards {
			s.replace(&c.token, a, b, x)
		}
		pairs.admit(x)
	}
}

// stream makes kallsyms_names and kallsyms_markers. The shards write into one
// slice, each where it starts at the latest; then they are moved together.
func (c *compressor) stream(shift uint) (names []byte, markers []uint32) {
	starts := make([]int, len(c.shards)+1)
	for i, s := range c.shards {
		starts[i+1] = starts[i] + s.streamSize()
	}
	names = make([]byte, starts[len(c.shards)])
	sizes := make([]int, len(c.shards))
	marks := make([][]uint32, len(c.shards))
	inParallel(len(c.shards), func(i int) {
		sizes[i], marks[i] = c.shards[i].stream(&c.token, shift, names[starts[i]:starts[i+1]])
	})
	markers = []uint32{}
	end := 0
	for i, size := range sizes {
		for _, m := range marks[i] {
			markers = append(markers, uint32(end)+m)
		}
		end += copy(names[end:], names[starts[i]:][:size])
	}
	return names[:end], markers
}

// tokenTable expands every token into kallsyms_token_table and records where
// it starts in kallsyms_token_index.
func (c *compressor) tokenTable(t *Tables) error {
	for i := range c.token {
		if len(t.TokenTable) > math.MaxUint16 {
			return fmt.Errorf("%w: token %d would start at %d, expected at most %d; drop the longest repeated names",
				ErrTokenTable, i, len(t.TokenTable), math.MaxUint16)
		}
		t.TokenIndex[i] = uint16(len(t.TokenTable))
		t.TokenTable = c.expand(t.TokenTable, byte(i))
		t.TokenTable = append(t.TokenTable, 0)
	}
	return nil
}

// expand appends what a token stands for. It mirrors expand_symbol().
func (c *compressor) expand(to []byte, i byte) []byte {
	switch t := c.token[i]; {
	case t.len == 0:
		return to
	case !t.made:
		return append(to, i)
	default:
		return c.expand(c.expand(to, t.pair[0]), t.pair[1])
	}
}

// inParallel calls do with 0 to n-1, each on a goroutine.
func inParallel(n int, do func(i int)) {
	var wg sync.WaitGroup
	for i := 1; i < n; i++ {
		wg.Go(func() { do(i) })
	}
	do(0)
	wg.Wait()
}
