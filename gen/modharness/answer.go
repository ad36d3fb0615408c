// SPDX-License-Identifier: GPL-2.0-only

package modharness

import (
	"encoding/binary"
	"fmt"
	"strings"

	"kgen/gen/harness"
)

// fields describes an answer: 4 and 8 are integers of so many bytes, s is a
// string, [..] is repeated as often as the integer before it says.
var fields = map[harness.Op]string{
	loadModule: strings.Repeat("8", 16), endInit: strings.Repeat("8", 15), letTimePass: "8", unload: "8",
	addressLookup: "488ss", symbolName: "4s", kallsym: "484ss", lookupName: "8", findValue: "8",
	onEachSymbol: "[s8]4", setKernel: "4", ftraceLookup: "4[8]", ftraceEnable: "44[4]4",
	timeLookups: "88", timeEnable: "888", lookupAcross: "488ss",
	timeNames: "88", timeUnload: "8", heldBytes: "88",
}

// next cuts the answer to op off the front of b, or says that it is cut short.
func next(b []byte, op harness.Op) (answer, rest []byte, ok bool) {
	n, ok := measure(b, fields[op])
	if !ok {
		return nil, nil, false
	}
	return b[:n], b[n:], true
}

func measure(b []byte, fields string) (int, bool) {
	at := 0
	for i := 0; i < len(fields); i++ {
		size, count := int(fields[i]-'0'), 0
		if fields[i] == 's' || fields[i] == '[' {
			if len(b) < at+4 {
				return 0, false
			}
			size, count = 4, int(binary.LittleEndian.Uint32(b[at:]))
		}
		at += size
		switch fields[i] {
		case 's':
			at += count
		case '[':
			end := i + strings.IndexByte(fields[i:], ']')
			for range count {
				if at > len(b) {
					return 0, false
				}
				n, ok := measure(b[at:], fields[i+1:end])
				if !ok {
					return 0, false
				}
				at += n
			}
			i = end
		}
		if at > len(b) {
			return 0, false
		}
	}
	return at, true
}

// answer builds one, or reads one.
type answer []byte

func (a *answer) put4(v int)    { *a = binary.LittleEndian.AppendUint32(*a, uint32(int32(v))) }
func (a *answer) put8(v uint64) { *a = binary.LittleEndian.AppendUint64(*a, v) }
func (a *answer) puts(s string) { a.put4(len(s)); *a = append(*a, s...) }

func (a *answer) take4() int {
	v := int32(binary.LittleEndian.Uint32(*a))
	*a = (*a)[4:]
	return int(v)
}

func (a *answer) take8() uint64 {
	v := binary.LittleEndian.Uint64(*a)
	*a = (*a)[8:]
	return v
}

func (a *answer) takes() string {
	n := a.take4()
	s := string((*a)[:n])
	*a = (*a)[n:]
	return s
}

// describe writes an answer for a person.
func describe(op harness.Op, raw []byte) string {
	a := answer(raw)
	switch op {
	case addressLookup, lookupAcross:
		ret, size, offset, mod, name := a.take4(), a.take8(), a.take8(), a.takes(), a.takes()
		if ret == 0 {
			return fmt.Sprintf("nothing (module %q)", mod)
		}
		return fmt.Sprintf("%s+%#x/%#x [%s], returns %d", name, offset, size, mod, ret)
	case symbolName:
		return fmt.Sprintf("%d, %q", a.take4(), a.takes())
	case kallsym:
		ret, value, letter, name, mod := a.take4(), a.take8(), a.take4(), a.takes(), a.takes()
		if ret != 0 {
			return fmt.Sprint(ret)
		}
		return fmt.Sprintf("%x %c %s [%s]", value, letter, name, mod)
	case lookupName, findValue:
		return fmt.Sprintf("%#x", a.take8())
	case onEachSymbol:
		n := a.take4()
		var seen []string
		for i := range n {
			name, value := a.takes(), a.take8()
			if i < 12 {
				seen = append(seen, fmt.Sprintf("%s=%#x", name, value))
			}
		}
		return fmt.Sprintf("%d calls: %s; returns %d", n, strings.Join(seen, " "), a.take4())
	case ftraceLookup:
		ret := a.take4()
		var addrs []string
		for range a.take4() {
			addrs = append(addrs, fmt.Sprintf("%#x", a.take8()))
		}
		return fmt.Sprintf("%d, %s", ret, strings.Join(addrs, " "))
	case ftraceEnable:
		cached, allocations := a.take4(), a.take4()
		var flags []string
		for i := range a.take4() {
			if f := a.take4(); i < 24 {
				flags = append(flags, fmt.Sprintf("%x", uint32(f)))
			}
		}
		return fmt.Sprintf("flags %s; process_cached_mods() %d times; %d allocations, %d blocks left behind", strings.Join(flags, " "), cached, allocations, a.take4())
	}
	return fmt.Sprintf("% x", raw)
}
