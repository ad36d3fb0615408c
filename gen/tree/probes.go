// SPDX-License-Identifier: GPL-2.0-only

package tree

import (
	"fmt"
	"strconv"
)

// probe reads one feature: its value and the place that shows it.
type probe struct {
	name    string
	meaning string
	read    func(*scanner) (value, evidence string)
}

const (
	kallsyms = "kernel/kallsyms.c"
	internal = "kernel/kallsyms_internal.h"
	header   = "include/linux/kallsyms.h"
	ftrace   = "kernel/trace/ftrace.c"
	hostTool = "scripts/kallsyms.c"
)

// Probes that code asks for one by one.
var (
	offsetsProbe = probe{"offsets", "how kallsyms_offsets stores addresses", readOffsets}
	seqsProbe    = probe{"seqs-of-names", "kallsyms_seqs_of_names gives the name order, for binary search", code(kallsyms, `\bkallsyms_seqs_of_names\s*\[`)}
	compareProbe = probe{"name-compare", "how a name lookup compares", readCompare}
	limitProbe   = probe{"name-limit", "KSYM_NAME_LEN, bytes of the longest name with its terminator", readLimit}
)

// probes are all features in the order they are shown.
var probes = []probe{
	offsetsProbe,
	seqsProbe,
	{"marker-spacing", "symbols per entry of kallsyms_markers", readSpacing},
	compareProbe,
	{"big-symbols", "record lengths of two ULEB128 bytes, for names over 127 compressed bytes", body(kallsyms, "kallsyms_expand_symbol", `&\s*0x80\b`)},
	limitProbe,
	{"search-buffer", "the name search expands every probe into a buffer on the stack", body(kallsyms, "kallsyms_lookup_names", `\bchar\s+\w+\s*\[\s*KSYM_NAME_LEN\s*\]`)},
	{"ftrace-single", "ftrace_lookup_symbols() looks a single symbol up by binary search", body(ftrace, "ftrace_lookup_symbols", `\bcnt\s*==\s*1\b`)},
	{"selftest", "the kernel tests its lookups at boot", present("kernel/kallsyms_selftest.c")},
	{"perf-test", "the lookup benchmark is there already", present("lib/test_kallsyms_perf.c")},
	{"module-kallsyms", "where the symbols of modules are looked up", readModules},
	{"host-size", "scripts/kallsyms emits .size for its tables", text(hostTool, `\.size kallsyms_`)},
	{"host-pc-relative", "scripts/kallsyms has --pc-relative", text(hostTool, `"pc-relative"`)},
	{"host-absolute-percpu", "scripts/kallsyms has --absolute-percpu", text(hostTool, `"absolute-percpu"`)},
	{"checkpatch", "the style of patches can be checked", present("scripts/checkpatch.pl")},
	{"get-maintainer", "recipients of patches can be found", present("scripts/get_maintainer.pl")},
}

// code makes a probe for a pattern in a file, outside comments and strings.
func code(rel, pattern string) func(*scanner) (value, evidence string) {
	return func(s *scanner) (string, string) {
		place, _, ok := s.file(rel).find(pattern)
		return yesAt(place, ok, rel)
	}
}

// text makes a probe for a pattern in a file, also in strings.
func text(rel, pattern string) func(*scanner) (value, evidence string) {
	return func(s *scanner) (string, string) {
		place, _, ok := s.file(rel).findText(pattern)
		return yesAt(place, ok, rel)
	}
}

// body makes a probe for a pattern in the body of a function.
func body(rel, function, pattern string) func(*scanner) (value, evidence string) {
	return func(s *scanner) (string, string) {
		place, _, ok := s.file(rel).findIn(function, pattern)
		return yesAt(place, ok, rel)
	}
}

// present makes a probe for a file.
func present(rel string) func(*scanner) (value, evidence string) {
	return func(s *scanner) (string, string) {
		return yesAt(rel, s.exists(rel), rel)
	}
}

func yesAt(place string, ok bool, otherwise string) (value, evidence string) {
	if ok {
		return yes, place
	}
	return no, otherwise
}

// readOffsets mirrors the branches of kallsyms_sym_address().
func readOffsets(s *scanner) (value, evidence string) {
	const function = "kallsyms_sym_address"
	src := s.file(kallsyms)
	if place, _, ok := src.findIn(function, `\boffset_to_ptr\s*\(`); ok {
		return placeRelative, place
	}
	place, _, ok := src.findIn(function, `\bkallsyms_relative_base\b`)
	if !ok {
		return unknown, kallsyms
	}
	value = baseRelative
	if _, _, ok := src.findIn(function, `\bkallsyms_addresses\b`); ok {
		value = baseOrAbsolute
	}
	if _, _, ok := src.findIn(function, `\bCONFIG_KALLSYMS_ABSOLUTE_PERCPU\b`); ok {
		value += orPercpu
	}
	return value, place
}

// readSpacing takes a shared constant where there is one, and otherwise the shift
// in the index of get_symbol_offset().
func readSpacing(s *scanner) (value, evidence string) {
	if place, groups, ok := s.file(internal).find(`(?m)^[ \t]*#[ \t]*define[ \t]+KALLSYMS_MARKER_SHIFT[ \t]+(\d+)\b`); ok {
		return spacing(groups[0], "KALLSYMS_MARKER_SHIFT "+groups[0]), place
	}
	if place, groups, ok := s.file(kallsyms).findIn("get_symbol_offset", `\bkallsyms_markers\s*\[\s*\w+\s*>>\s*(\d+)\s*\]`); ok {
		return spacing(groups[0], "a literal"), place
	}
	return unknown, kallsyms
}

// spacing is the power of two of a shift; shifts of more than 31 are no spacing of
// 32-bit sequence numbers.
func spacing(shift, how string) string {
	n, err := strconv.ParseUint(shift, 10, 6)
	if err != nil || n > 31 {
		return unknown
	}
	return fmt.Sprintf("%d (%s)", 1<<n, how)
}

// readCompare looks for the function that cut ".llvm.N" off names before they
// were compared with CONFIG_LTO_CLANG.
func readCompare(s *scanner) (value, evidence string) {
	if place, _, ok := s.file(kallsyms).find(`\bcleanup_symbol_name\s*\(`); ok {
		return stripped, place
	}
	return exact, kallsyms
}

func readLimit(s *scanner) (value, evidence string) {
	if place, groups, ok := s.file(header).find(`(?m)^[ \t]*#[ \t]*define[ \t]+KSYM_NAME_LEN[ \t]+(\d+)\b`); ok {
		return groups[0], place
	}
	return unknown, header
}

// readModules knows the file of kernels since v5.19 and that of older ones.
func readModules(s *scanner) (value, evidence string) {
	for _, rel := range []string{"kernel/module/kallsyms.c", "kernel/module.c"} {
		if place, _, ok := s.file(rel).find(`\bfind_kallsyms_symbol\s*\(`); ok {
			return rel, place
		}
	}
	return unknown, "kernel/module"
}
