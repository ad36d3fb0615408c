// SPDX-License-Identifier: GPL-2.0-only

package harness

import (
	"bytes"
	"context"
	"debug/elf"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
)

// ErrParser: ParseImage and a real assembler disagree about a text.
var ErrParser = errors.New("the parsed tables are not those of the assembler")

// CompareAssembled lets gcc assemble what the host tool wrote and compares
// each block of the image, bytes and relocations, with the object file. It
// keeps ParseImage honest; it is too slow to run for every table.
func CompareAssembled(ctx context.Context, dir string, text []byte, im *Image, bits int) error {
	source, object := filepath.Join(dir, "tables.S"), filepath.Join(dir, "tables.o")
	header := filepath.Join(dir, "asm", "bitsperlong.h")
	if err := writeFile(source, text); err != nil {
		return err
	}
	if err := writeFile(header, []byte("#define BITS_PER_LONG "+strconv.Itoa(bits)+"\n")); err != nil {
		return err
	}
	if err := run(ctx, dir, "gcc", []string{"-m" + strconv.Itoa(bits), "-I" + dir, "-c", source, "-o", object}); err != nil {
		return fmt.Errorf("%w: %w", ErrParser, err)
	}
	f, err := os.Open(object)
	if err != nil {
		return err
	}
	defer f.Close()
	obj, err := elf.NewFile(f)
	if err != nil {
		return fmt.Errorf("%s: %w", object, err)
	}
	return compareObject(obj, im)
}

// compareObject walks the labels of an object file.
func compareObject(obj *elf.File, im *Image) error {
	symbols, err := obj.Symbols()
	if err != nil {
		return err
	}
	rodata := obj.Section(".rodata")
	if rodata == nil {
		return fmt.Errorf("%w: the object has no .rodata", ErrParser)
	}
	data, err := rodata.Data()
	if err != nil {
		return err
	}
	relocs, err := objectRelocs(obj, symbols, data)
	if err != nil {
		return err
	}
	found, covered := 0, 0
	for _, s := range symbols {
		b := im.Block(s.Name)
		if b == nil {
			continue
		}
		found++
		if uint64(len(data)) < s.Value+uint64(len(b.Data)) || !bytes.Equal(data[s.Value:s.Value+uint64(len(b.Data))], b.Data) {
			return fmt.Errorf("%w: bytes of %s differ", ErrParser, s.Name)
		}
		for _, r := range b.Relocs {
			at := s.Value + uint64(r.Offset)
			if relocs[at] != (Reloc{Kind: r.Kind, Addend: r.Addend}) {
				return fmt.Errorf("%w: %s+%#x: parsed %+v, assembled %+v", ErrParser, s.Name, r.Offset, r, relocs[at])
			}
			covered++
		}
	}
	if found != len(im.Blocks) || covered != len(relocs) {
		return fmt.Errorf("%w: %d of %d labels, %d of %d relocations", ErrParser, found, len(im.Blocks), covered, len(relocs))
	}
	return nil
}

// objectRelocs lists the relocations of .rodata by their place. Those of 32
// bits keep their addend in the section, where it is cleared.
func objectRelocs(obj *elf.File, symbols []elf.Symbol, data []byte) (map[uint64]Reloc, error) {
	out := map[uint64]Reloc{}
	name, size := ".rela.rodata", uint64(24)
	if obj.Class == elf.ELFCLASS32 {
		name, size = ".rel.rodata", 8
	}
	section := obj.Section(name)
	if section == nil {
		return out, nil
	}
	raw, err := section.Data()
	if err != nil {
		return nil, err
	}
	kinds := map[uint32]RelocKind{
		uint32(elf.R_X86_64_PC32): PlaceRelative, uint32(elf.R_X86_64_64): TextRelative64,
	}
	if size == 8 {
		kinds = map[uint32]RelocKind{uint32(elf.R_386_PC32): PlaceRelative, uint32(elf.R_386_32): TextRelative32}
	}
	for ; uint64(len(raw)) >= size; raw = raw[size:] {
		var at, addend uint64
		var kind, symbol uint32
		if size == 24 {
			info := obj.ByteOrder.Uint64(raw[8:])
			at, kind, symbol, addend = obj.ByteOrder.Uint64(raw), uint32(info), uint32(info>>32), obj.ByteOrder.Uint64(raw[16:])
		} else {
			info := obj.ByteOrder.Uint32(raw[4:])
			at, kind, symbol = uint64(obj.ByteOrder.Uint32(raw)), info&0xff, info>>8
			addend = uint64(int32(obj.ByteOrder.Uint32(data[at:])))
			obj.ByteOrder.PutUint32(data[at:], 0)
		}
		if kinds[kind] == 0 || symbols[symbol-1].Name != "_text" {
			return nil, fmt.Errorf("%w: relocation %d against %q at %#x", ErrParser, kind, symbols[symbol-1].Name, at)
		}
		out[at] = Reloc{Kind: kinds[kind], Addend: int64(addend)}
	}
	return out, nil
}
