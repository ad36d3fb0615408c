// SPDX-License-Identifier: GPL-2.0-only

package report

import (
	"fmt"
	"strings"

	"kgen/gen/bench/result"
)

// Userspace is what every place that prints times has to say first.
const Userspace = "Userspace figures: the patched C ran in a process, not in a kernel."

// Method says in one paragraph how the times of a run came about.
func (s *Summary) Method() string {
	r := s.Run
	if r.Module != nil {
		return s.moduleMethod()
	}
	var b strings.Builder
	files := "kernel/kallsyms.c"
	if _, ok := s.Column("ftrace-one"); ok {
		files += ", and ftrace_lookup_symbols() with a stand-in for ftrace_location(),"
	}
	fmt.Fprintf(&b, "%s %s of Linux %s, as stock and as each series leaves it, was built by %s", Userspace, files, r.Tree, r.Compiler)
	if len(r.Flags) > 0 {
		fmt.Fprintf(&b, " with %s", strings.Join(r.Flags, " "))
	}
	fmt.Fprintf(&b, " and given the tables that the patched scripts/kallsyms.c made of %s, %s symbols.", r.Map, Comma(int64(r.Symbols)))
	if r.Verified > 0 {
		fmt.Fprintf(&b, " %s lookups were held against the specification before any was timed.", Comma(r.Verified))
	}
	least, most := s.rounds()
	fmt.Fprintf(&b, " All variants took turns in one process on one CPU, for %d", least)
	if most > least {
		fmt.Fprintf(&b, " to %d", most)
	}
	b.WriteString(" rounds a column.")
	return b.String()
}

// Reading says what the signs and columns of a table mean.
func (s *Summary) Reading() string {
	bytes := ""
	if s.Run.Module != nil {
		bytes = moduleBytes
	}
	return "A time is the median of its rounds, +- the wider side of its 95% interval, " +
		"x stock's time over it. ~ is no difference to stock: p is 0.05 or more, or it " +
		"is under 5% (15% with cold caches). ? cannot be ranked: the stock code, measured " +
		"twice, differed too much from itself. * has no other variant that is both as " +
		"small and as fast, by " + s.Main().Title + "." + bytes
}

// MachineText names the machine in one line.
func (s *Summary) MachineText() string {
	m := s.Run.Machine
	text := fmt.Sprintf("%s, %d CPUs, pinned to CPU %d; %s; %s; load %.1f when it began",
		m.CPU, m.Cores, m.Pinned, m.OS, m.HugePages, m.Load)
	for _, n := range m.Notes {
		text += "; " + n
	}
	return text + "."
}

// Unrankable lists the columns in which the machine was too noisy, with what
// the control showed.
func (s *Summary) Unrankable() []result.Noise {
	var list []result.Noise
	for _, c := range s.Columns {
		n, known := s.Noise(c.Name)
		if !known {
			n = result.Noise{Column: c.Name}
		}
		if !n.Rankable {
			list = append(list, n)
		}
	}
	return list
}

// Noisy says in one line which columns cannot be ranked, or "" where all can.
func (s *Summary) Noisy() string {
	var list []string
	for _, n := range s.Unrankable() {
		if n.Ratio == 0 {
			list = append(list, n.Column+" (no control)")
			continue
		}
		list = append(list, fmt.Sprintf("%s (the control took %.2f times as long, p = %.2g)", n.Column, n.Ratio, n.P))
	}
	if list == nil {
		return ""
	}
	return "Too noisy to rank: " + strings.Join(list, ", ") + "."
}

// rounds are the fewest and the most that stock was timed for in a column.
func (s *Summary) rounds() (least, most int) {
	for _, c := range s.Stock().Cells {
		if least == 0 || c.Rounds < least {
			least = c.Rounds
		}
		most = max(most, c.Rounds)
	}
	return least, most
}
