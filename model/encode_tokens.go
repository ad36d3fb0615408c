// SPDX-License-Identifier: GPL-2.0-only

package model

import (
	"bytes"
	"fmt"
	"math"
)

// compressor holds all symbols in one arena while pairs of bytes are replaced
// by tokens. Symbols lie one after the other, each ended by a 0 byte, which
// also stands before the first.
//
// A token covers as many arena bytes as it expands to. Its first byte in head
// and its last byte in tail hold the token; the other bytes are dead. So both
// neighbours of a token are found without links: the next one starts len
// bytes on, the previous one ends one byte before.
type compressor struct {
	head, tail []byte
	token      [256]token
	count      *pairCounts
	// made lists, for each token that replaced a pair, the arena positions it
	// was put at, ascending. Pairs with a new token come into being only in
	// the round that makes the newer of the two, so these lists reach them all.
	made [256][]uint32
	// pairs lists the positions of the pairs of original bytes.
	pairs *pairPositions
}

// token is one entry of the host tool's best_table.
type token struct {
	pair [2]byte // the pair it stands for; unused for an original byte
	len  uint32  // bytes it expands to; 0 while the slot is free
	age  int     // 0 for an original byte, then the round that made it
}

func newCompressor(symbols []Symbol) *compressor {
	size := 1
	for i := range symbols {
		size += len(symbols[i].Name) + 2
	}
	c := &compressor{head: make([]byte, 1, size)}
	for i := range symbols {
		c.head = append(c.head, symbols[i].Type)
		c.head = append(c.head, symbols[i].Name...)
		c.head = append(c.head, 0)
	}
	c.tail = bytes.Clone(c.head)
	c.pairs, c.count = positionsOfPairs(c.head)
	for _, b := range c.head {
		c.token[b].len = 1
	}
	c.token[0].len = 0 // the separator is not a byte of any symbol
	return c
}

// selectTokens fills the free slots from 255 downwards, each with the most
// frequent pair of the moment, and replaces that pair everywhere. It mirrors
// optimize_result().
func (c *compressor) selectTokens() {
	round := 0
	for slot := 255; slot >= 0; slot-- {
		if c.token[slot].len != 0 {
			continue
		}
		best, count := c.count.best()
		if count == 0 {
			break
		}
		round++
		a, b := byte(best), byte(best>>8)
		c.token[slot] = token{
			pair: [2]byte{a, b},
			len:  c.token[a].len + c.token[b].len,
			age:  round,
		}
		c.replace(a, b, byte(slot), int(count))
	}
}

// replace puts token x for every pair (a, b), leftmost first within a symbol,
// and keeps the pair counts exact. It mirrors compress_symbols() with its
// forget_symbol() and learn_symbol(), which count overlapping pairs: "aaa"
// holds "aa" twice.
func (c *compressor) replace(a, b, x byte, count int) {
	made := make([]uint32, 0, count)
	lenA, lenB := c.token[a].len, c.token[b].len
	head, tail := c.head, c.tail
	// The pair's newer token knows every place the pair can be at; ahead leads
	// from there to the place of b.
	places, ahead := c.made[a], lenA
	switch {
	case c.token[a].age == 0 && c.token[b].age == 0:
		places = c.pairs.of(a, b)
	case c.token[b].age > c.token[a].age:
		places, ahead = c.made[b], 0
	}
	for _, q := range places {
		q += ahead
		if head[q] != b || tail[q-1] != a {
			continue
		}
		p := q - lenA
		before, after := tail[p-1], head[q+lenB]
		c.count.drop(a, b)
		if before != 0 {
			c.count.drop(before, a)
			c.count.add(before, x)
		}
		if after != 0 {
			c.count.drop(b, after)
			c.count.add(x, after)
		}
		head[q] = 0
		head[p] = x
		tail[q+lenB-1] = x
		made = append(made, p)
	}
	c.made[x] = made
}

// stream walks the arena and writes kallsyms_names with a marker every
// 1<<shift symbols. It mirrors the first loop of write_src().
func (c *compressor) stream(symbols []Symbol, shift uint) (names []byte, markers []uint32) {
	names = make([]byte, 0, len(c.head)+len(symbols))
	markers = make([]uint32, 0, (len(symbols)+1<<shift-1)>>shift)
	var record [KsymNameLen]byte
	pos := uint32(1)
	for i := range symbols {
		if i&(1<<shift-1) == 0 {
			markers = append(markers, uint32(len(names)))
		}
		size := 0
		for end := pos + 1 + uint32(len(symbols[i].Name)); pos < end; size++ {
			record[size] = c.head[pos]
			pos += c.token[record[size]].len
		}
		pos++ // the separator
		if size <= 0x7F {
			names = append(names, byte(size))
		} else {
			names = append(names, byte(size)|0x80, byte(size>>7))
		}
		names = append(names, record[:size]...)
	}
	return names, markers
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
	case t.age == 0:
		return append(to, i)
	default:
		return c.expand(c.expand(to, t.pair[0]), t.pair[1])
	}
}
