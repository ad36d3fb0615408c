// SPDX-License-Identifier: GPL-2.0-only

package tree

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

var makeVariable = regexp.MustCompile(`(?m)^(VERSION|PATCHLEVEL|SUBLEVEL|EXTRAVERSION)[ \t]*:?=[ \t]*([^#\n]*)`)

// readVersion composes the version as the kernel's Makefile composes
// KERNELVERSION. VERSION and PATCHLEVEL are there in every kernel since 2.0, and
// together in hardly any other project.
func (t *Tree) readVersion() (string, error) {
	data, err := t.ReadFile("Makefile")
	if err != nil {
		return "", err
	}
	values := map[string]string{}
	for _, m := range makeVariable.FindAllStringSubmatch(string(data), -1) {
		if _, again := values[m[1]]; !again {
			values[m[1]] = strings.TrimSpace(m[2])
		}
	}
	for _, name := range []string{"VERSION", "PATCHLEVEL", "SUBLEVEL"} {
		_, err := strconv.ParseUint(values[name], 10, 16)
		switch {
		case values[name] == "" && name != "SUBLEVEL":
			return "", fmt.Errorf("%w: %s/Makefile sets no %s; expected the top folder of a kernel source tree", ErrNotKernel, t.Dir, name)
		case values[name] != "" && err != nil:
			return "", fmt.Errorf("%w: %s/Makefile sets %s to %q; expected a number, as in the top folder of a kernel source tree", ErrNotKernel, t.Dir, name, values[name])
		}
	}
	version := values["VERSION"] + "." + values["PATCHLEVEL"]
	if values["SUBLEVEL"] != "" {
		version += "." + values["SUBLEVEL"]
	}
	return version + values["EXTRAVERSION"], nil
}
