// SPDX-License-Identifier: GPL-2.0-only

package model

import "container/heap"

// pairQueue finds the most frequent pair. A pair's count only falls once the
// round that brought it in is over. So a count seen earlier is an upper bound,
// and a heap by such bounds need not look at all of the host tool's 65,536
// entries of token_profit.
type pairQueue struct {
	count func(pair uint16) int32
	heap  pairHeap
}

// boundedPair is a pair with the count it had when last looked at.
type boundedPair struct {
	bound int32
	pair  uint16
}

func newPairQueue(count func(pair uint16) int32) *pairQueue {
	q := &pairQueue{count: count}
	for pair := range 1 << 16 {
		if n := count(uint16(pair)); n > 0 {
			q.heap = append(q.heap, boundedPair{n, uint16(pair)})
		}
	}
	heap.Init(&q.heap)
	return q
}

// best returns the first of the most frequent pairs, or a count of 0 when there
// are no pairs left. It mirrors find_best_token().
func (q *pairQueue) best() (pair uint16, count int32) {
	for len(q.heap) > 0 {
		top := &q.heap[0]
		now := q.count(top.pair)
		switch {
		case now == top.bound:
			return top.pair, now
		case now == 0:
			heap.Pop(&q.heap)
		default:
			top.bound = now
			heap.Fix(&q.heap, 0)
		}
	}
	return 0, 0
}

// admit enters the pairs that token x came to be part of.
func (q *pairQueue) admit(x byte) {
	for i := range 256 {
		q.enter(pairKey(byte(i), x))
		if byte(i) != x {
			q.enter(pairKey(x, byte(i)))
		}
	}
}

func (q *pairQueue) enter(pair uint16) {
	if n := q.count(pair); n > 0 {
		heap.Push(&q.heap, boundedPair{n, pair})
	}
}

// pairHeap orders pairs by count, most frequent first, then by key.
type pairHeap []boundedPair

func (h pairHeap) Len() int      { return len(h) }
func (h pairHeap) Swap(i, j int) { h[i], h[j] = h[j], h[i] }
func (h pairHeap) Less(i, j int) bool {
	if h[i].bound != h[j].bound {
		return h[i].bound > h[j].bound
	}
	return h[i].pair < h[j].pair
}

func (h *pairHeap) Push(x any) { *h = append(*h, x.(boundedPair)) }

func (h *pairHeap) Pop() any {
	last := (*h)[len(*h)-1]
	*h = (*h)[:len(*h)-1]
	return last
}
