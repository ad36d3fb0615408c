// SPDX-License-Identifier: GPL-2.0-only

package model

// pairKey is the host tool's index of a pair into token_profit. Of equally
// frequent pairs the smallest key wins, so its byte order matters.
func pairKey(a, b byte) uint16 { return uint16(a) | uint16(b)<<8 }

// pairCounts is token_profit: how often each pair of neighbouring bytes
// occurs, overlapping ones included.
type pairCounts struct{ n [1 << 16]int32 }

func (c *pairCounts) add(a, b byte)  { c.n[pairKey(a, b)]++ }
func (c *pairCounts) drop(a, b byte) { c.n[pairKey(a, b)]-- }

// best returns the first of the most frequent pairs. It mirrors
// find_best_token().
func (c *pairCounts) best() (key uint16, count int32) {
	for i, n := range c.n {
		if n > count {
			key, count = uint16(i), n
		}
	}
	return key, count
}

// pairPositions lists the places of each pair of original bytes: the arena
// position of its first byte, ascending.
type pairPositions struct {
	start [1<<16 + 1]uint32
	at    []uint32
}

func (p *pairPositions) of(a, b byte) []uint32 {
	k := int(pairKey(a, b))
	return p.at[p.start[k]:p.start[k+1]]
}

// positionsOfPairs counts and lists all pairs in an arena whose symbols are
// separated by 0 bytes. It mirrors build_initial_token_table().
func positionsOfPairs(arena []byte) (*pairPositions, *pairCounts) {
	p, c := new(pairPositions), new(pairCounts)
	for i := 1; i < len(arena); i++ {
		c.n[pairKey(arena[i-1], arena[i])]++
	}
	for k := range c.n {
		if byte(k) == 0 || byte(k>>8) == 0 {
			c.n[k] = 0
		}
		p.start[k+1] = p.start[k] + uint32(c.n[k])
	}
	p.at = make([]uint32, p.start[1<<16])
	next := p.start
	for i := 1; i < len(arena); i++ {
		if a, b := arena[i-1], arena[i]; a != 0 && b != 0 {
			k := pairKey(a, b)
			p.at[next[k]] = uint32(i - 1)
			next[k]++
		}
	}
	return p, c
}
