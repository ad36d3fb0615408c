// SPDX-License-Identifier: GPL-2.0-only

package harness

import (
	"errors"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestParseImage(t *testing.T) {
	tests := []struct {
		reason string
		text   string
		bits   int
		want   []Block
	}{
		{"labels cut blocks, alignment before a label belongs to none", "a:\n\t.byte 1\n\t.balign 4\nb:\n\t.long 2\n", 64,
			[]Block{{Label: "a", Data: []byte{1}}, {Label: "b", Data: []byte{2, 0, 0, 0}}}},
		{"alignment inside a block is padding", "a:\n\t.byte 1\n\t.balign 4\n\t.byte 2, 0x03\n", 64,
			[]Block{{Label: "a", Data: []byte{1, 0, 0, 0, 2, 3}}}},
		{"little-endian", "a:\n\t.short 258\n\t.quad 0x0102030405060708\n", 64,
			[]Block{{Label: "a", Data: []byte{2, 1, 8, 7, 6, 5, 4, 3, 2, 1}}}},
		{"negative numbers wrap", "a:\n\t.long -1\n\t.byte -128\n", 64, []Block{{Label: "a", Data: []byte{255, 255, 255, 255, 128}}}},
		{"a comment sign inside a string is text", "a:\n\t.asciz\t\"/*\"\n", 64, []Block{{Label: "a", Data: []byte("/*\x00")}}},
		{"a quote in a comment is no string", "a:\n\t.byte 7\t/* \"T */\n", 64, []Block{{Label: "a", Data: []byte{7}}}},
		{"7.3 stores distances from the place", "a:\n\t.long\t_text - . + (-16)\t/* Tx */\n\t.long\t_text - . + (5)\n", 64,
			[]Block{{Label: "a", Data: make([]byte, 8), Relocs: []Reloc{{0, PlaceRelative, -16}, {4, PlaceRelative, 5}}}}},
		{"6.12 picks the width of a pointer: 64", pointer612, 64,
			[]Block{{Label: "a", Data: make([]byte, 8), Relocs: []Reloc{{0, TextRelative64, 0x10}}}}},
		{"6.12 picks the width of a pointer: 32", pointer612, 32,
			[]Block{{Label: "a", Data: make([]byte, 4), Relocs: []Reloc{{0, TextRelative32, 0x10}}}}},
		{"a distance may pass the middle of the address space", "a:\n\t.quad _text - 0xffff800080000000\n", 64,
			[]Block{{Label: "a", Data: make([]byte, 8), Relocs: []Reloc{{0, TextRelative64, 0x7fff80000000}}}}},
		{"an empty table has no bytes", "a:\n\t.size a, . - a\nb:\n", 64, []Block{{Label: "a"}, {Label: "b"}}},
	}
	for _, tt := range tests {
		t.Run(tt.reason, func(t *testing.T) {
			im, err := ParseImage([]byte(tt.text), tt.bits)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, im.Blocks); diff != "" {
				t.Errorf("-want +got\n%s", diff)
			}
		})
	}
}

const pointer612 = `#include <asm/bitsperlong.h>
#if BITS_PER_LONG == 64
#define PTR .quad
#else
#define PTR .long
#endif
a:
	PTR	_text + 0x10
`

// A host tool writes in pieces that end anywhere.
func TestImageParserInParts(t *testing.T) {
	const text = "a:\n\t.byte 0x0c, 0x41\t/* x */\n\t.long\t_text - . + (5)\nb:\n\t.byte 0x0C, 3\n\t.asciz \"ab\"\n\t.short 7"
	want, err := ParseImage([]byte(text), 64)
	if err != nil {
		t.Fatal(err)
	}
	for size := 1; size < len(text); size++ {
		p := NewImageParser(64)
		for part := range slices.Chunk([]byte(text), size) {
			if n, err := p.Write(slices.Clone(part)); n != len(part) || err != nil {
				t.Fatalf("wrote %d of %d: %v", n, len(part), err)
			}
		}
		got, err := p.Image()
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%d bytes at a time: -want +got\n%s", size, diff)
		}
	}
}

func TestParseImageRefuses(t *testing.T) {
	tests := []struct{ reason, text string }{
		{"a directive it does not know", "a:\n\t.float 1\n"},
		{"an expression it does not know", "a:\n\t.long b - a\n"},
		{"a number that does not fit", "a:\n\t.byte 256\n"},
		{"a byte of three digits", "a:\n\t.byte 0x041, 0x100\n"},
		{"a list that ends with a comma", "a:\n\t.byte 0x01,\n"},
		{"a negative number that does not fit", "a:\n\t.byte -129\n"},
		{"data under no label", "\t.byte 1\n"},
		{"a label defined twice", "a:\na:\n"},
		{"a quote inside a string", "a:\n\t.asciz \"x\"y\"\n"},
		{"an escape inside a string", "a:\n\t.asciz \"x\\n\"\n"},
		{"text after a comment", "a:\n\t.byte 1 /* x */ y */\n"},
		{"a comment over several lines", "a:\n\t.byte 1 /* x\n"},
		{"an #if without its #endif", "#if BITS_PER_LONG == 64\n"},
		{"an #if it cannot decide", "#if CONFIG_X\n#endif\n"},
		{"eight bytes that are relative to their place", "a:\n\t.quad _text - . + (1)\n"},
	}
	for _, tt := range tests {
		t.Run(tt.reason, func(t *testing.T) {
			if _, err := ParseImage([]byte(tt.text), 64); !errors.Is(err, ErrAssembler) {
				t.Errorf("got %v, expected ErrAssembler", err)
			}
		})
	}
}

// The parser must read what gcc assembles, in both dialects and word sizes, on
// a whole kernel and on small maps.
func TestParseImageAgainstAssembler(t *testing.T) {
	for _, version := range []string{"7.3", "6.12"} {
		tree := stock(t, version)
		w := prepare(t, Source{Patched: tree, Base: tree})
		tool, err := w.BuildHostTool(t.Context(), "gcc", true, Optimized)
		if err != nil {
			t.Fatal(err)
		}
		for _, v := range w.Variants()[:4] {
			t.Run(version+"-"+v.String(), func(t *testing.T) {
				maps := map[string][]byte{}
				kernel := realMap(t)
				if v != w.Variants()[0] {
					kernel = kernel[:20000]
				}
				whole, err := RunHostTool(t.Context(), tool, w.ToolOptions(v), FitMap(kernel, v))
				if err != nil {
					t.Fatal(err)
				}
				maps["whole kernel"] = whole
				for _, i := range []int{0, 1, 15, 45, 46, 47} {
					text, err := RunHostTool(t.Context(), tool, w.ToolOptions(v), SmallMap(7, i, v.Bits))
					if err != nil {
						t.Fatal(err)
					}
					maps[string(rune('0'+i))] = text
				}
				for name, text := range maps {
					im, err := ParseImage(text, v.Bits)
					if err == nil {
						err = CompareAssembled(t.Context(), t.TempDir(), text, im, v.Bits)
					}
					if err != nil {
						t.Errorf("%s: %v", name, err)
					}
				}
			})
		}
	}
}
