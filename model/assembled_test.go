// SPDX-License-Identifier: GPL-2.0-only

package model

import (
	"bytes"
	"debug/elf"
	"encoding/binary"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// TestAssemblerMakesTheTables assembles the text and finds the tables in the
// object byte for byte: no name that the encoder lets pass is changed on the way.
func TestAssemblerMakesTheTables(t *testing.T) {
	var symbols []Symbol
	for b := 1; b < 256; b++ {
		for _, name := range []string{string([]byte{byte(b)}), "x" + string([]byte{byte(b), byte(b)}) + "y"} {
			if !bytes.ContainsAny([]byte(name), unwritable) {
				symbols = append(symbols, Symbol{Addr: uint64(b), Type: 't', Name: name})
			}
		}
	}
	for _, name := range []string{"/*", "//", "#", ";", "'", "%d", "$(x)", "@", "??/", "a b"} {
		symbols = append(symbols, Symbol{Addr: 256, Type: 'T', Name: name})
	}
	tables, err := Encode(symbols, EncodeOptions{MarkerShift: 3})
	if err != nil {
		t.Fatal(err)
	}
	var asm bytes.Buffer
	if err := WriteAsm(&asm, symbols, tables, AsmOptions{}); err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	source, object := filepath.Join(dir, "t.S"), filepath.Join(dir, "t.o")
	if err := os.WriteFile(source, asm.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command("gcc", "-c", "-o", object, source).CombinedOutput()
	if err != nil || len(out) > 0 {
		t.Fatalf("assembling: %v\n%s", err, out)
	}
	f, err := elf.Open(object)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	rodata, err := f.Section(".rodata").Data()
	if err != nil {
		t.Fatal(err)
	}
	labels, err := f.Symbols()
	if err != nil {
		t.Fatal(err)
	}
	at := make(map[string]uint64)
	for _, l := range labels {
		at[l.Name] = l.Value
	}
	offsets := make([]byte, 0, 4*len(symbols))
	for _, addr := range tables.Addrs {
		offsets = binary.LittleEndian.AppendUint32(offsets, uint32(addr))
	}
	for name, want := range map[string][]byte{
		"kallsyms_num_syms":      binary.LittleEndian.AppendUint32(nil, uint32(len(symbols))),
		"kallsyms_names":         tables.Names,
		"kallsyms_markers":       littleEndian(t, tables.Markers),
		"kallsyms_token_table":   tables.TokenTable,
		"kallsyms_token_index":   littleEndian(t, tables.TokenIndex[:]),
		"kallsyms_offsets":       offsets,
		"kallsyms_seqs_of_names": tables.SeqsOfNames,
	} {
		start, found := at[name]
		if !found || !bytes.HasPrefix(rodata[start:], want) {
			t.Errorf("%s is not in the object as it is in memory", name)
		}
	}
}

func littleEndian(t *testing.T, v any) []byte {
	t.Helper()
	b, err := binary.Append(nil, binary.LittleEndian, v)
	if err != nil {
		t.Fatal(err)
	}
	return b
}
