// SPDX-License-Identifier: GPL-2.0-only

package bench

import (
	"encoding/binary"
	"fmt"
	"math"
	"strings"

	"kgen/gen/harness"
)

// tables are what the host tool wrote of the map, as the measuring program has
// them: one piece of memory, in which each label has its place. They never are in
// an object file: assembling and linking a million symbols takes longer than
// everything else that is done with them.
type tables struct {
	file     string    // with the bytes
	Labels   []label   `json:"labels"`
	Places   []places  `json:"places"`
	HostTool []float64 `json:"hosttool"`
}

// label is one table, in the order of the output.
type label struct {
	Name string `json:"name"`
	At   int64  `json:"at"`
	Size int64  `json:"size"`
}

// places are 32-bit words side by side that hold distances from themselves. In the
// file they are as if the tables began at address 0.
type places struct {
	At    int64 `json:"at"`
	Count int64 `json:"count"`
}

// layOut places the tables of an image one after the other, each at a multiple of
// 8, and fills in what depends on where _text lies.
func layOut(im *harness.Image) (t *tables, data []byte, err error) {
	t, data = &tables{}, make([]byte, 0, im.Bytes()+8*len(im.Blocks))
	for i := range im.Blocks {
		b := &im.Blocks[i]
		data = append(data, make([]byte, -len(data)&7)...)
		at := len(data)
		t.Labels = append(t.Labels, label{b.Label, int64(at), int64(len(b.Data))})
		data = append(data, b.Data...)
		for _, r := range b.Relocs {
			if err := t.place(data, at+int(r.Offset), r); err != nil {
				return nil, nil, fmt.Errorf("%w: %s+%#x: %w", ErrTool, b.Label, r.Offset, err)
			}
		}
	}
	return t, data, nil
}

func (t *tables) place(data []byte, at int, r harness.Reloc) error {
	value := textAt + r.Addend
	if r.Kind == harness.TextRelative64 {
		binary.LittleEndian.PutUint64(data[at:], uint64(value))
		return nil
	}
	// A distance of two addresses below 2 GiB has 32 bits.
	if value < 0 || value > math.MaxInt32 {
		return fmt.Errorf("a symbol is %d bytes from _text, and in this program must be %d to %d", r.Addend, -textAt, math.MaxInt32-textAt)
	}
	if r.Kind == harness.PlaceRelative {
		value -= int64(at)
		t.addPlace(int64(at))
	}
	binary.LittleEndian.PutUint32(data[at:], uint32(value))
	return nil
}

func (t *tables) addPlace(at int64) {
	if n := len(t.Places); n > 0 && t.Places[n-1].At+4*t.Places[n-1].Count == at {
		t.Places[n-1].Count++
		return
	}
	t.Places = append(t.Places, places{at, 1})
}

// end is how long the tables are with what is between them.
func (t *tables) end() int64 {
	if n := len(t.Labels); n > 0 {
		return t.Labels[n-1].At + t.Labels[n-1].Size
	}
	return 0
}

// sizes are bytes by label.
func (t *tables) sizes() map[string]int64 {
	out := map[string]int64{}
	for _, l := range t.Labels {
		out[l.Name] = l.Size
	}
	return out
}

// bytes are those of the tables alone.
func (t *tables) bytes() int64 {
	sum := int64(0)
	for _, l := range t.Labels {
		sum += l.Size
	}
	return sum
}

// pages are the bytes of the huge pages that the tables fill.
func (t *tables) pages() int64 { return (t.end() + hugePage - 1) / hugePage * hugePage }

// labelsText is assembler text that gives the labels their places in a section of
// the size of whole huge pages, which the linker script puts on such pages. It has
// no bytes in an object file.
func (t *tables) labelsText() string {
	var s strings.Builder
	s.WriteString("\t.section .kgen_tables,\"ax\",@nobits\n\t.globl kbench_tables\nkbench_tables:\n")
	for _, l := range t.Labels {
		fmt.Fprintf(&s, "\t.globl %s\n\t%s = kbench_tables + %d\n", l.Name, l.Name, l.At)
	}
	fmt.Fprintf(&s, "\t.skip %d\n\t.globl kbench_tables_end\nkbench_tables_end:\n", t.pages())
	return s.String()
}

// tablesLayout is part of the key of tables. It changes with layOut.
const tablesLayout = "2"
