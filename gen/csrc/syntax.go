// SPDX-License-Identifier: GPL-2.0-only

package csrc

import (
	"bytes"
	"fmt"
	"regexp"
	"sync"

	sitter "github.com/tree-sitter/go-tree-sitter"
	sitterc "github.com/tree-sitter/tree-sitter-c/bindings/go"
)

// node is a node of the syntax tree, copied out of the parser's memory so that
// a File is plain Go data. Nodes lie in preorder: children follow their parent.
type node struct {
	kind       string
	start, end int // byte range
	parent     int // index, or -1
	next       int // index of the first node after this one's subtree
}

// syntax is the tree of a file.
type syntax struct {
	nodes  []node
	errors int // nodes ERROR and MISSING
}

var language = sync.OnceValue(func() *sitter.Language { return sitter.NewLanguage(sitterc.Language()) })

// parse reads a part of src, at the offsets it has there. It reads anything,
// with errors in the tree for what is not C: that it fails means that grammar
// and parser were not built for each other.
func parse(src []byte, part span) syntax {
	p := sitter.NewParser()
	defer p.Close()
	err := p.SetLanguage(language())
	if err == nil && part != (span{0, len(src)}) {
		r := sitter.Range{StartByte: uint(part.start), EndByte: uint(part.end), EndPoint: sitter.Point{Row: 1 << 30}}
		err = p.SetIncludedRanges([]sitter.Range{r})
	}
	if err != nil {
		panic(fmt.Sprintf("csrc: the C grammar does not fit the parser: %v", err))
	}
	tree := p.Parse(blank(src), nil)
	defer tree.Close()
	c := tree.Walk()
	defer c.Close()

	s := syntax{nodes: make([]node, 0, len(src)/3)}
	s.copy(c, make(map[uint16]string), -1)
	return s
}

// annotations are the words by which sparse tells pointers apart, the length of a
// flexible array, and what becomes of a variable at the end of its scope. The
// grammar takes them for a mistake.
var annotations = regexp.MustCompile(`\b__(?:(?:rcu|user|iomem|percpu|kernel|force|private)\b|(?:counted_by|free)\(\w+\))`)

// blank hides the annotations, with every byte in its place.
func blank(src []byte) []byte {
	return annotations.ReplaceAllFunc(src, func(word []byte) []byte {
		return bytes.Repeat([]byte{' '}, len(word))
	})
}

// copy adds the cursor's node and all below it.
func (s *syntax) copy(c *sitter.TreeCursor, kinds map[uint16]string, parent int) {
	n := c.Node()
	id := n.KindId()
	kind, ok := kinds[id]
	if !ok {
		kind = n.Kind()
		kinds[id] = kind
	}
	if n.IsError() || n.IsMissing() {
		s.errors++
	}
	at := len(s.nodes)
	s.nodes = append(s.nodes, node{kind: kind, start: int(n.StartByte()), end: int(n.EndByte()), parent: parent})
	if c.GotoFirstChild() {
		for {
			s.copy(c, kinds, at)
			if !c.GotoNextSibling() {
				break
			}
		}
		c.GotoParent()
	}
	s.nodes[at].next = len(s.nodes)
}

// smallest finds the innermost node that covers the span.
func (s *syntax) smallest(at span) int {
	found := 0
	for i := 0; i < len(s.nodes); {
		n := s.nodes[i]
		if n.start <= at.start && at.end <= n.end && n.end > n.start {
			found = i
			i++
		} else {
			i = n.next
		}
	}
	return found
}

// children lists the indices of a node's children.
func (s *syntax) children(i int) []int {
	var c []int
	for k := i + 1; k < s.nodes[i].next; k = s.nodes[k].next {
		c = append(c, k)
	}
	return c
}
