// SPDX-License-Identifier: GPL-2.0-only

package model

import (
	"bufio"
	"debug/elf"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// ErrReadelf: text that is not what `readelf -sW` prints.
var ErrReadelf = errors.New("malformed symbol listing")

// ReadReadelf reads the symbol table from the output of `readelf -sW`. The names
// that readelf shows for symbols of sections, which have none of their own, are
// returned apart, by section.
func ReadReadelf(r io.Reader) (symbols []ElfSymbol, sections map[int]string, err error) {
	sections = make(map[int]string)
	scanner := bufio.NewScanner(r)
	scanner.Buffer(nil, blockSize)
	const expected = "expected a line of readelf -sW"
	inTable, promised, line := false, 0, 0
	for scanner.Scan() {
		line++
		text := scanner.Text()
		if rest, ok := strings.CutPrefix(text, "Symbol table '"); ok {
			name, count, _ := strings.Cut(rest, "' contains ")
			if inTable = name == ".symtab"; inTable {
				if _, err := fmt.Sscanf(count, "%d entr", &promised); err != nil {
					return nil, nil, fmt.Errorf("%w: line %d: expected a count of entries, found %q; list the module again",
						ErrReadelf, line, count)
				}
			}
			continue
		}
		fields := strings.TrimLeft(text, " ")
		if !inTable || fields == "" || strings.HasPrefix(fields, "Num:") {
			continue
		}
		symbol, err := parseReadelfLine(fields, len(symbols))
		if err != nil {
			return nil, nil, fmt.Errorf("%w: line %d: %w, found %q; list the module again", ErrReadelf, line, err, text)
		}
		if elf.ST_TYPE(symbol.Info) == elf.STT_SECTION {
			sections[int(symbol.Shndx)], symbol.Name = symbol.Name, ""
		}
		symbols = append(symbols, symbol)
	}
	if err := scanner.Err(); err != nil {
		return nil, nil, fmt.Errorf("%w: after line %d: %w; %s", ErrReadelf, line, err, expected)
	}
	if promised == 0 {
		return nil, nil, fmt.Errorf("%w: expected a .symtab with entries, found none up to line %d; give what readelf -sW prints of an unstripped module",
			ErrReadelf, line)
	}
	if len(symbols) != promised {
		return nil, nil, fmt.Errorf("%w: line %d: expected a .symtab of %d entries, found %d; list the module again, whole",
			ErrReadelf, line, promised, len(symbols))
	}
	return symbols, sections, nil
}

// parseReadelfLine reads number, value, size, type, binding, visibility, section
// and name. What an architecture adds to the visibility stands in brackets.
func parseReadelfLine(line string, number int) (ElfSymbol, error) {
	var s ElfSymbol
	var field [7]string
	for i := range field {
		line = strings.TrimLeft(line, " ")
		for i == 6 && strings.HasPrefix(line, "[") { // of the visibility
			_, after, _ := strings.Cut(line, "]")
			line = strings.TrimLeft(after, " ")
		}
		field[i], line, _ = strings.Cut(line, " ")
	}
	if field[0] != strconv.Itoa(number)+":" {
		return s, fmt.Errorf("expected entry %d", number)
	}
	var err error
	if s.Value, err = strconv.ParseUint(field[1], 16, 64); err != nil {
		return s, errors.New("expected a hexadecimal value")
	}
	if s.Size, err = strconv.ParseUint(field[2], 0, 64); err != nil {
		return s, errors.New("expected a size")
	}
	typ, ok := readelfTypes[field[3]]
	if !ok {
		return s, errors.New("expected a symbol type")
	}
	bind, ok := readelfBinds[field[4]]
	if !ok {
		return s, errors.New("expected a symbol binding")
	}
	vis, ok := readelfVisibilities[field[5]]
	if !ok {
		return s, errors.New("expected a symbol visibility")
	}
	s.Info, s.Other = elf.ST_INFO(bind, typ), byte(vis)
	if strings.HasSuffix(line, "[...]") {
		return s, errors.New("expected a whole name, which readelf shows with -W")
	}
	section, rest, err := parseShndx(field[6], line)
	s.Shndx, s.Name = section, rest
	return s, err
}

// parseShndx reads a section index. A reserved one, as that of a symbol which
// livepatch is to resolve, is shown as "OS [0xff20]".
func parseShndx(field, rest string) (uint16, string, error) {
	if index, ok := readelfSections[field]; ok {
		return uint16(index), rest, nil
	}
	if field == "OS" || field == "PRC" || field == "RSV" {
		field, rest, _ = strings.Cut(strings.TrimLeft(rest, " "), " ")
	}
	if _, number, ok := strings.Cut(field, "[0x"); ok { // also RSV[0xff..], without a blank
		index, err := strconv.ParseUint(strings.TrimSuffix(number, "]"), 16, 16)
		if err != nil {
			return 0, "", errors.New("expected a reserved section index")
		}
		return uint16(index), rest, nil
	}
	index, err := strconv.ParseUint(field, 10, 16)
	if err != nil {
		return 0, "", errors.New("expected a section index")
	}
	return uint16(index), rest, nil
}

// The words of readelf.
var (
	readelfTypes = map[string]elf.SymType{
		"NOTYPE": elf.STT_NOTYPE, "OBJECT": elf.STT_OBJECT, "FUNC": elf.STT_FUNC, "SECTION": elf.STT_SECTION,
		"FILE": elf.STT_FILE, "COMMON": elf.STT_COMMON, "TLS": elf.STT_TLS, "IFUNC": elf.STT_GNU_IFUNC,
	}
	readelfBinds = map[string]elf.SymBind{
		"LOCAL": elf.STB_LOCAL, "GLOBAL": elf.STB_GLOBAL, "WEAK": elf.STB_WEAK, "UNIQUE": 10, // STB_GNU_UNIQUE
	}
	readelfVisibilities = map[string]elf.SymVis{
		"DEFAULT": elf.STV_DEFAULT, "INTERNAL": elf.STV_INTERNAL, "HIDDEN": elf.STV_HIDDEN, "PROTECTED": elf.STV_PROTECTED,
	}
	readelfSections = map[string]elf.SectionIndex{
		"UND": elf.SHN_UNDEF, "ABS": elf.SHN_ABS, "COM": elf.SHN_COMMON,
	}
)
