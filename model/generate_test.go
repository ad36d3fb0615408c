// SPDX-License-Identifier: GPL-2.0-only

package model

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strings"
)

// mapMaker writes symbol maps that are as awkward as the host tool accepts.
type mapMaker struct {
	*rand.Rand
	bits32 bool // addresses of a 32-bit kernel
	percpu bool // per-CPU symbols at 0, as 64-bit SMP kernels have them
	text   bytes.Buffer
}

func newMapMaker(seed uint64) *mapMaker {
	return &mapMaker{Rand: rand.New(rand.NewPCG(seed, 0))}
}

// base is where the kernel's text starts.
func (m *mapMaker) base() uint64 {
	if m.bits32 {
		return 0x80000000
	}
	return 0xffffffff81000000
}

func (m *mapMaker) line(addr uint64, typ byte, name string) {
	fmt.Fprintf(&m.text, "%016x %c %s\n", addr, typ, name)
}

// symbols writes n symbols in unsorted order, few addresses for many names, and
// the boundaries the filter knows.
func (m *mapMaker) symbols(n int) []byte {
	const span = 1 << 16
	m.text.Reset()
	b := m.base()
	bounds := []struct {
		name string
		at   uint64
	}{
		{"_text", 0}, {"_stext", 0}, {"_etext", span / 2},
		{"_sinittext", span * 3 / 4}, {"_einittext", span * 7 / 8}, {"_end", span},
		{"__per_cpu_start", span / 8}, {"__per_cpu_end", span / 4},
	}
	if n == 0 {
		bounds = nil
	}
	for i := range n {
		if i%(n/len(bounds)+1) == 0 && i/(n/len(bounds)+1) < len(bounds) {
			k := i / (n/len(bounds) + 1)
			at := b + bounds[k].at
			if m.percpu && strings.HasPrefix(bounds[k].name, "__per_cpu_") {
				at = bounds[k].at - span/8
			}
			if k == 0 || m.IntN(8) > 0 { // some maps lack some
				m.line(at, "TDAt"[m.IntN(4)], bounds[k].name)
			}
		}
		addr := b + uint64(m.IntN(span/16))*16
		switch {
		case m.IntN(4) == 0:
			addr = b + bounds[m.IntN(len(bounds))].at
		case m.percpu && m.IntN(4) == 0:
			addr = uint64(m.IntN(span / 4))
		}
		m.line(addr, m.symbolType(), m.name())
	}
	return m.text.Bytes()
}

func (m *mapMaker) symbolType() byte {
	const types = "TtTtTtDdBbRrWwVvAaun?!"
	return types[m.IntN(len(types))]
}

var nameParts = []string{
	"__start_", "__stop_", "__end_", "_start", "_end", "__pfx_", "_", "__", "get", "set", "a", "aa", "aaa",
	"irq", "x86", ".cold", ".llvm.123", " ", "/*", "/", "'", "%s", "\t", "\x7f", "\x80", "\xff", "é", "$x", "A", "T",
}

// name composes a name, at times an empty, a special or a very long one.
func (m *mapMaker) name() string {
	switch m.IntN(40) {
	case 0:
		return ""
	case 1:
		return []string{"__gp", "__kernel_sigtramp", "__kernel_syscall_via_epc", "__kernel_syscall_via_break"}[m.IntN(4)]
	case 2: // around the lengths where records and buffers change
		length := []int{126, 127, 128, 129, 254, 255, 256, 381, 509, 510, 512, 600}[m.IntN(12)]
		return m.noise(length)
	case 3:
		return strings.Repeat("a", m.IntN(20))
	}
	var b strings.Builder
	for range 1 + m.IntN(5) {
		part := nameParts[m.IntN(len(nameParts))]
		if strings.HasSuffix(b.String(), "*") && strings.HasPrefix(part, "/") {
			continue // would end a comment
		}
		b.WriteString(part)
	}
	return b.String()
}

// noise is text without repetition, which stays long when compressed.
func (m *mapMaker) noise(length int) string {
	b := make([]byte, length)
	for i := range b {
		b[i] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_."[m.IntN(64)]
	}
	return string(b)
}
