// SPDX-License-Identifier: GPL-2.0-only

package harness

// Image is what the host tool wrote: every labelled block of its assembler
// output, in the order of the output. A block has exactly the bytes between
// its label and the next, less padding for alignment, so that a read one byte
// too far can be seen.
type Image struct {
	Blocks []Block
}

// Block is one table under its label, as kallsyms_names.
type Block struct {
	Label  string
	Data   []byte
	Relocs []Reloc
}

// Reloc is a place in a block whose value depends on where _text lies, and
// perhaps on where the block does. The bytes in Data are 0 there.
type Reloc struct {
	Offset uint32
	Kind   RelocKind
	Addend int64 // distance from _text
}

// RelocKind says how the value is stored.
type RelocKind uint32

// The numbers are those of shim/runtime.c.
const (
	PlaceRelative  RelocKind = 1 // 32 bits, _text + Addend less the place's own address
	TextRelative32 RelocKind = 2 // 32 bits, _text + Addend
	TextRelative64 RelocKind = 3 // 64 bits, _text + Addend
)

func (k RelocKind) size() int {
	if k == TextRelative64 {
		return 8
	}
	return 4
}

// Block finds the block of a label.
func (im *Image) Block(label string) *Block {
	for i := range im.Blocks {
		if im.Blocks[i].Label == label {
			return &im.Blocks[i]
		}
	}
	return nil
}

// Bytes is the size of all blocks: what the tables add to .rodata.
func (im *Image) Bytes() int {
	n := 0
	for i := range im.Blocks {
		n += len(im.Blocks[i].Data)
	}
	return n
}
