// SPDX-License-Identifier: GPL-2.0-only

package check

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"kgen/gen/manifest"
)

// guestLog is what a guest said on its serial line.
type guestLog struct {
	accel, serial string // how it ran, and the file with all that it said

	started, ended bool   // its init did
	died           string // why the guest did not end by itself
	selftest       bool   // kallsyms_selftest came to its end
	perf           bool   // test_kallsyms_perf ran
	loaded         bool   // the module
	symbols        int    // lines of /proc/kallsyms
	moduleSymbols  int    // of these, the module's
	records        []string
	complaints     []string // what a healthy kernel does not say
}

var (
	stampedLine = regexp.MustCompile(`^\[ *[\d.]+\](?:\[ *[TC]\d+\])? `)
	// What the selftest prints where an answer is wrong.
	selftestLine = regexp.MustCompile(`kallsyms_selftest: .*(?:failed|abort|mismatch|Never found|\?!)`)
	// What the kernel prints when it finds itself in the wrong.
	splatLine = regexp.MustCompile(`^(?:WARNING: |BUG: |Oops|Kernel panic|general protection fault|INFO: (?:task|rcu)|rcu: INFO|UBSAN: |KASAN: |.*suspicious RCU usage|.*possible (?:circular|recursive) locking)`)
)

func readGuest(text string) *guestLog {
	log := &guestLog{}
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\r\n")
		if said, ok := strings.CutPrefix(line, "kgen-boot: "); ok {
			log.init(said)
			continue
		}
		line = stampedLine.ReplaceAllString(line, "")
		switch {
		case line == "kallsyms_selftest: finish":
			log.selftest = true
		case selftestLine.MatchString(line), splatLine.MatchString(line),
			strings.HasPrefix(line, "test_kallsyms_perf: ended early"):
			log.complaints = append(log.complaints, line)
		}
	}
	return log
}

// init reads a line of the guest's init.
func (l *guestLog) init(said string) {
	key, value, _ := strings.Cut(said, " ")
	switch key {
	case "init":
		l.started = true
	case "end":
		l.ended = true
	case "loaded":
		l.loaded = true
	case "perf":
		l.perf = true
	case "symbols":
		l.symbols, _ = strconv.Atoi(value)
	case "modulesymbols":
		l.moduleSymbols, _ = strconv.Atoi(value)
	case "record":
		l.records = append(l.records, value)
	case "error":
		l.complaints = append(l.complaints, "init: "+value)
	}
}

// judgeBoot compares two guests. What the tree says without the series is not
// held against it.
func judgeBoot(res *manifest.Result, base, patched *guestLog) {
	fail := func(format string, args ...any) { res.Messages = append(res.Messages, fmt.Sprintf(format, args...)) }
	if patched.died != "" {
		fail("the guest %s; see %s", patched.died, patched.serial)
	}
	for _, c := range patched.complaints {
		if !slices.Contains(base.complaints, c) {
			fail("%s", c)
		}
	}
	if patched.died == "" && !patched.selftest {
		fail("kallsyms_selftest did not say that it finished; see %s", patched.serial)
	}
	if patched.moduleSymbols != base.moduleSymbols {
		fail("/proc/kallsyms lists %d symbols of the module %s, without the series %d", patched.moduleSymbols, bootModule, base.moduleSymbols)
	}
	if !slices.Equal(patched.records, base.records) {
		fail("available_filter_functions lists %d functions of the module %s, without the series %d%s",
			len(patched.records), bootModule, len(base.records), firstOther(patched.records, base.records))
	}
	if len(res.Messages) > 0 {
		res.Summary = count(len(res.Messages), "failure")
		return
	}
	res.OK, res.Summary = true, "selftest passed"
	also := ""
	if patched.perf {
		also = ", test_kallsyms_perf ran"
	}
	res.Messages = []string{fmt.Sprintf("%d symbols, module %s with %d symbols and %d records as without the series%s (%s)",
		patched.symbols, bootModule, patched.moduleSymbols, len(patched.records), also, patched.accel)}
}

// firstOther names the first record in which two lists differ.
func firstOther(got, want []string) string {
	for i := range max(len(got), len(want)) {
		switch {
		case i >= len(got):
			return ": " + want[i] + " is missing"
		case i >= len(want):
			return ": " + got[i] + " is new"
		case got[i] != want[i]:
			return fmt.Sprintf(": %s instead of %s", got[i], want[i])
		}
	}
	return ""
}
