// SPDX-License-Identifier: GPL-2.0-only

package main

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"kgen/gen/visible"
	"kgen/model"
)

func newTraceCommand() *cobra.Command {
	var f designFlags
	var c compiledFlags
	var module moduleFlags
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "trace NAME --map FILE|--module FILE",
		Short: "Show every probe of a lookup by name",
		Long: `Look up NAME in the symbols of a map, as kallsyms_on_each_match_symbol() does,
and show every symbol that is looked at: where it is in the table by name, its
sequence number, its place in the stream, the records walked past on the way,
the bytes of names compared, and whether NAME is before (<) or after (>) it.
A symbol that its fingerprint alone rules out (!=) is not looked for.

` + moduleHelp + `
Then NAME is an address in hex after 0x, or a symbol with or without +0xOFFSET,
and what is shown is every symbol that moves the scan and the search of an
index on; of --series module-linear, module-scan, module-index, module-sort.

For --series,
` + designHelp + "\n" + compiledHelp,
		Example: `  kgen trace vfs_read --map System.map --all-symbols
  kgen trace vfs_read --map System.map --series density --shift 3
  kgen trace vfs_read --map System.map --series sub-markers,hash-order
  kgen trace amdgpu_device_init+0x10 --module amdgpu.ko`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := module.check(cmd, "map", "c", "tree"); err != nil {
				return err
			}
			if module.file != "" {
				return module.trace(cmd, &f, args[0], asJSON)
			}
			if err := c.check(f.mapFile); err != nil {
				return err
			}
			_, d, err := f.tables(cmd)
			if err != nil {
				return err
			}
			t := d.TraceName(args[0])
			var compiled []compiledAnswer
			if c.c {
				if compiled, err = c.ask(cmd, f, args, nil); err != nil {
					return err
				}
			}
			if asJSON {
				enc := json.NewEncoder(cmd.OutOrStdout())
				enc.SetIndent("", "  ")
				err = enc.Encode(traced{d.Choice().String(), t, d.Space(), compiled})
			} else if err = printTrace(cmd.OutOrStdout(), d, t); err == nil {
				err = printCompiled(cmd.OutOrStdout(), compiled)
			}
			if err == nil && !t.Found {
				err = errNotFound
			}
			return err
		},
	}
	f.add(cmd)
	c.add(cmd)
	module.add(cmd)
	f.series = "stock"
	cmd.Flags().Lookup("series").DefValue = f.series
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}

// traced is a trace with what made it.
type traced struct {
	Design string `json:"design"`
	*model.Trace
	Space model.Space      `json:"space"`
	C     []compiledAnswer `json:"c,omitempty"` // with --c
}

func printTrace(w io.Writer, d *model.Design, t *model.Trace) error {
	var text strings.Builder
	fmt.Fprintln(&text, shorten(visible.Text(t.Name), visible.Width))
	fmt.Fprintf(&text, "%s (%+d bytes of tables)\n", d.Choice(), d.Space().TableBytes)
	fmt.Fprintf(&text, "%-6s %7s %7s %8s %4s %5s %2s %s\n", "step", "place", "seq", "offset", "hops", "bytes", "", "symbol")
	for _, p := range t.Probes {
		offset := "-"
		if p.Offset != nil {
			offset = fmt.Sprint(*p.Offset)
		}
		line := fmt.Sprintf("%-6s %7d %7d %8s %4d %5d %2s ", p.Step, p.Position, p.Seq, offset, p.Hops, p.Bytes, p.Verdict)
		fmt.Fprintln(&text, line+shorten(visible.Text(p.Symbol), visible.Width-len(line)))
	}
	if t.Found {
		fmt.Fprintf(&text, "found: %d\n", t.End-t.Start+1)
	} else {
		fmt.Fprintln(&text, "not found")
	}
	fmt.Fprintln(&text, costText(t.Cost))
	_, err := io.WriteString(w, text.String())
	return err
}

// shorten cuts a name to n characters, which end in dots then.
func shorten(name string, n int) string {
	if len(name) <= n {
		return name
	}
	return name[:n-2] + ".."
}
