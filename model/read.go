// SPDX-License-Identifier: GPL-2.0-only

package model

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strings"
)

var (
	// ErrMapSyntax: a line of a symbol map that scripts/kallsyms.c refuses, or
	// that it would take for something nm does not print.
	ErrMapSyntax = errors.New("malformed symbol map")
	// ErrMapFormat: the input is neither text nor an ELF file that holds symbols.
	ErrMapFormat = errors.New("not a symbol map")
	// ErrHiddenAddresses: /proc/kallsyms shows every address as 0.
	ErrHiddenAddresses = errors.New("addresses are hidden")
)

// Map is what a symbol map holds, in its order.
type Map struct {
	Symbols []Symbol       // the kernel's own symbols
	Modules []ModuleSymbol // lines of /proc/kallsyms that name a module
	Skipped []SkippedName  // names that the host tool leaves out
}

// ModuleSymbol is a symbol of a loaded module, in /proc/kallsyms.
type ModuleSymbol struct {
	Symbol
	Module string
}

// SkippedName is a symbol whose name is too long for the kernel's buffers.
type SkippedName struct {
	Line int // 1-based line of the map, 0 when it was read from an ELF file
	Name string
}

// String is the warning that scripts/kallsyms.c prints for the symbol.
func (s SkippedName) String() string {
	return fmt.Sprintf("Symbol %s too long for kallsyms (%d >= %d).\n"+
		"Please increase KSYM_NAME_LEN both in kernel and kallsyms.c", s.Name, len(s.Name), KsymNameLen)
}

// compressed lists what kernel files are usually packed with.
var compressed = []struct{ magic, unpack string }{
	{"\x1f\x8b", "gunzip"},
	{"\xfd7zXZ", "unxz"},
	{"\x28\xb5\x2f\xfd", "unzstd"},
}

// Read reads a symbol map in any of the forms ReadText and ReadELF know, and
// tells which it is by its first bytes. An ELF file must also be an
// io.ReaderAt, as every *os.File is.
func Read(r io.Reader) (*Map, error) {
	br := bufio.NewReader(r)
	start, err := br.Peek(6)
	if err != nil && err != io.EOF {
		return nil, fmt.Errorf("reading symbol map: %w", err)
	}
	for _, c := range compressed {
		if strings.HasPrefix(string(start), c.magic) {
			return nil, fmt.Errorf("%w: compressed; %s it first", ErrMapFormat, c.unpack)
		}
	}
	var m *Map
	if strings.HasPrefix(string(start), "\x7fELF") {
		at, ok := r.(io.ReaderAt)
		if !ok {
			return nil, fmt.Errorf("%w: an ELF file from a pipe; name the file itself", ErrMapFormat)
		}
		m, err = ReadELF(at)
	} else {
		m, err = readText(br, sizeOf(r)) // br does not know
	}
	if err != nil {
		return nil, err
	}
	return m, m.checkVisible()
}

// checkVisible refuses what the kernel shows to readers without privilege.
func (m *Map) checkVisible() error {
	for i := range m.Symbols {
		if m.Symbols[i].Addr != 0 {
			return nil
		}
	}
	if len(m.Symbols) < 2 {
		return nil
	}
	return fmt.Errorf("%w: all %d symbols are at 0; read /proc/kallsyms as root, or set kernel.kptr_restrict to 1 or 0",
		ErrHiddenAddresses, len(m.Symbols))
}
