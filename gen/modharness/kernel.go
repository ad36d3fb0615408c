// SPDX-License-Identifier: GPL-2.0-only

package modharness

import (
	"encoding/binary"
	"slices"
	"strings"

	"kgen/gen/harness"
	"kgen/model"
)

// callSize is what model.Kernel takes a call to the tracer to be, in bytes.
const callSize = 5

// kernelBlob is what a child has to know of the core kernel: its symbols in
// table order, and at which addresses of all symbols there is something that
// ftrace_location() finds.
func kernelBlob(k *model.Kernel) string {
	var traceable []uint64
	var addrs, names []byte
	num := 0
	k.OnEachSymbol(func(_ string, addr uint64) int {
		if k.FtraceLocation(addr) != 0 {
			traceable = append(traceable, addr)
		}
		return 0
	})
	slices.Sort(traceable)
	traceable = slices.Compact(traceable)
	le := binary.LittleEndian
	k.Core.OnEachSymbol(func(name string, addr uint64) int {
		addrs = le.AppendUint64(addrs, addr)
		names = append(append(names, name...), 0)
		num++
		return 0
	})
	b := le.AppendUint32(nil, uint32(num))
	b = le.AppendUint32(b, uint32(len(traceable)))
	b = append(b, addrs...)
	for _, addr := range traceable {
		b = le.AppendUint64(b, addr)
	}
	b = le.AppendUint32(b, uint32(len(names)))
	return string(append(b, names...))
}

// ftraceQuery asks for the addresses of names, which it sorts.
func ftraceQuery(names []string, record uint64) harness.Query {
	names = slices.Clone(names)
	slices.Sort(names)
	b := binary.LittleEndian.AppendUint32(nil, uint32(len(names)))
	b = binary.LittleEndian.AppendUint64(b, record)
	for _, name := range names {
		b = append(append(b, name...), 0)
	}
	return harness.Query{Op: ftraceLookup, Name: string(b)}
}

// lookupNames reads them back.
func lookupNames(q harness.Query) []string {
	if binary.LittleEndian.Uint32([]byte(q.Name)) == 0 {
		return nil
	}
	return strings.Split(strings.TrimSuffix(q.Name[12:], "\x00"), "\x00")
}
