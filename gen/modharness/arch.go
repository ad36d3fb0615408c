// SPDX-License-Identifier: GPL-2.0-only

package modharness

// Arch is an architecture whose rules for symbols the code under test is
// compiled with. The machine code is always that of x86.
type Arch string

// The architectures. Their names of mapping symbols differ, the kernel's rule
// for them does not; what differs is how far a record may lie behind its
// function, and bit 0 of a Thumb-2 function's value.
const (
	X86   Arch = "x86_64" // FTRACE_MCOUNT_MAX_OFFSET is 4 with IBT and else 0
	ARM64 Arch = "arm64"  // no FTRACE_MCOUNT_MAX_OFFSET: every record is valid
	ARM   Arch = "arm"    // 32 bits, CONFIG_THUMB2_KERNEL, no FTRACE_MCOUNT_MAX_OFFSET
)

// defines are the macros of the architecture.
func (a Arch) defines() string {
	switch a {
	case X86:
		return "#define FTRACE_MCOUNT_MAX_OFFSET kshim_max_offset\n"
	case ARM:
		return "#define CONFIG_THUMB2_KERNEL 1\n"
	}
	return ""
}

// bits is the word size.
func (a Arch) bits() int {
	if a == ARM {
		return 32
	}
	return 64
}
