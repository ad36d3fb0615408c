// SPDX-License-Identifier: GPL-2.0-only

package check

import (
	"context"
	"fmt"
	"os"
	"strings"
	"time"
)

// smokeRun runs a host tool that was built on a small input, since a tool that
// compiles and dies would break every build of a kernel. Only scripts/kallsyms is
// known here. It returns what went wrong, or nothing.
func smokeRun(ctx context.Context, w *workspace, tool string) (string, error) {
	if tool != "scripts/kallsyms" {
		return "", nil
	}
	const symbols = 600 // more than two blocks of 256
	if err := os.WriteFile(w.path("out/kgen.map"), []byte(smallMap(symbols)), 0o644); err != nil {
		return "", cacheError(err)
	}
	limited, cancel := context.WithTimeout(ctx, 20*time.Second)
	defer cancel()
	out, err := proc{
		name: w.path("out/" + tool), args: []string{"--all-symbols", w.path("out/kgen.map")},
		dir: w.path("out"), keep: []*os.File{w.lock},
	}.run(limited)
	switch {
	case ctx.Err() != nil:
		return "", ctx.Err()
	case limited.Err() != nil:
		return fmt.Sprintf("%s does not end on a map of %d symbols", tool, symbols), nil
	case err != nil: // died of a signal
		return fmt.Sprintf("%s dies on a map of %d symbols: %v", tool, symbols, err), nil
	case out.code != 0:
		return fmt.Sprintf("%s fails on a map of %d symbols: exit code %d, %s", tool, symbols, out.code, out.last()), nil
	case !strings.Contains(out.stdout, fmt.Sprintf("\t.long\t%d\n", symbols)):
		return fmt.Sprintf("%s does not count the %d symbols of a small map", tool, symbols), nil
	}
	return "", nil
}

// smallMap is a map as nm -n prints it, with the bounds of text that the tool
// looks for. Its addresses have 32 bits, as those of a kernel for which newer tools
// do without --pc-relative; one that refuses more there is right.
func smallMap(n int) string {
	var b strings.Builder
	const base = uint64(0x81000000)
	for i := range n {
		name := fmt.Sprintf("smoke_test_%d", i)
		switch i {
		case 0:
			name = "_text"
		case 1:
			name = "_stext"
		case n - 1:
			name = "_etext"
		}
		fmt.Fprintf(&b, "%016x T %s\n", base+uint64(i)*16, name)
	}
	return b.String()
}
