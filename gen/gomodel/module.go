// SPDX-License-Identifier: GPL-2.0-only

package gomodel

import "strings"

const (
	// modulePrefix starts the path of every generated module. It names no
	// place on the network: nothing imports the module.
	modulePrefix = "kgenmodel/"
	// goVersion is the oldest language the generated code is written in; it
	// ranges over integers.
	goVersion = "1.22"

	gopterPath    = "github.com/leanovate/gopter"
	gopterVersion = "v0.2.11"
)

// gopterSums are the lines of kgen's own go.sum for gopter; a test compares
// them. More are not needed: nothing of gopter that the generated test imports
// imports another module.
var gopterSums = []string{
	"h1:vRjThO1EKPb/1NsDXuDrzldR28RLkBflWYcU9CvzWu4=",
	"/go.mod h1:aK3tzZP/C+p1m3SPRE4SYZFGP7jjkuSI4f7Xvpt0S9c=",
}

func goMod(name string) []byte {
	return []byte("// SPDX-License-Identifier: GPL-2.0-only\n\n" +
		"module " + modulePrefix + name + "\n\n" +
		"go " + goVersion + "\n\n" +
		"require " + gopterPath + " " + gopterVersion + "\n")
}

func goSum() []byte {
	var b strings.Builder
	for _, sum := range gopterSums {
		b.WriteString(gopterPath + " " + gopterVersion)
		if !strings.HasPrefix(sum, "/") {
			b.WriteByte(' ')
		}
		b.WriteString(sum + "\n")
	}
	return []byte(b.String())
}
