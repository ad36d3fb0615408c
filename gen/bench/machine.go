// SPDX-License-Identifier: GPL-2.0-only

package bench

import (
	"os"
	"runtime"
	"strconv"
	"strings"

	"kgen/gen/bench/result"
)

// Machine says where this runs, on which CPU it is measured and what is known of
// the noise there. What backs tables is for the caller to say.
func Machine() result.Machine {
	m := result.Machine{
		CPU: "unknown", Cores: runtime.NumCPU(), Pinned: runtime.NumCPU() - 1,
		OS: firstLine("/proc/sys/kernel/ostype") + " " + firstLine("/proc/sys/kernel/osrelease"),
	}
	if load, _, ok := strings.Cut(firstLine("/proc/loadavg"), " "); ok {
		m.Load, _ = strconv.ParseFloat(load, 64)
	}
	info, _ := os.ReadFile("/proc/cpuinfo")
	virtual := false
	for line := range strings.Lines(string(info)) {
		key, value, _ := strings.Cut(line, ":")
		switch strings.TrimSpace(key) {
		case "model name":
			m.CPU = strings.TrimSpace(value)
		case "flags":
			virtual = strings.Contains(value+" ", " hypervisor ")
		}
	}
	if virtual {
		m.Notes = append(m.Notes, "a virtual machine: other guests share its caches and its time")
	}
	return m
}

func firstLine(file string) string {
	data, _ := os.ReadFile(file)
	line, _, _ := strings.Cut(string(data), "\n")
	return line
}
