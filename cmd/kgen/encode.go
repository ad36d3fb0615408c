// SPDX-License-Identifier: GPL-2.0-only

package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime/debug"

	"github.com/spf13/cobra"

	"kgen/gen/wholefile"
	"kgen/model"
)

type encodeFlags struct {
	mapFile, dialect, out                        string
	shift                                        int
	all, pcRelative, absolutePercpu, stats, json bool
}

func newEncodeCommand() *cobra.Command {
	var f encodeFlags
	cmd := &cobra.Command{
		Use:   "encode --map FILE",
		Short: "Write the kernel's symbol tables, as scripts/kallsyms.c does",
		Long: `Write the kernel's symbol tables as assembler text, byte for byte as the
scripts/kallsyms.c of the dialect's kernel does, with any density of markers.

The map is nm output, a System.map, /proc/kallsyms, or an ELF file (a vmlinux),
"-" for text on stdin. The text goes to -o, or to stdout.`,
		Example: `  kgen encode --map System.map --all-symbols -o kallsyms.S --stats
  kgen encode --map System.map --all-symbols --dialect 6.12 --absolute-percpu
  nm -n vmlinux | kgen encode --map - --shift 4 -o kallsyms.S`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			return encode(cmd, f)
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&f.mapFile, "map", "", "read the symbols of `FILE`")
	flags.StringVarP(&f.out, "output", "o", "", "write to `FILE`")
	flags.StringVar(&f.dialect, "dialect", "7.3", "write for `KERNEL`: 6.12 or 7.3")
	flags.IntVar(&f.shift, "shift", model.StockMarkerShift, "one marker every 1 << `N` symbols, 0..8")
	flags.BoolVar(&f.all, "all-symbols", false, "keep data symbols too (CONFIG_KALLSYMS_ALL)")
	flags.BoolVar(&f.pcRelative, "pc-relative", true, "7.3: relocatable offsets; =false for non-relocatable 32-bit kernels")
	flags.BoolVar(&f.absolutePercpu, "absolute-percpu", false, "6.12: store per-CPU symbols as they are (64-bit SMP kernels)")
	flags.BoolVar(&f.stats, "stats", false, "print the sizes of the tables on stderr")
	flags.BoolVar(&f.json, "json", false, "print them on stdout as JSON (with -o)")
	return cmd
}

var dialects = map[string]model.Dialect{"6.12": model.BaseRelative, "7.3": model.PlaceRelative}

func (f encodeFlags) check(cmd *cobra.Command) error {
	dialect, known := dialects[f.dialect]
	switch {
	case !known:
		return usagef("--dialect %s: expected 6.12 or 7.3", f.dialect)
	case f.shift < 0 || f.shift > model.MaxMarkerShift:
		return usagef("--shift %d: expected 0 to %d", f.shift, model.MaxMarkerShift)
	case f.absolutePercpu && dialect != model.BaseRelative:
		return usagef("--absolute-percpu: 7.3 has no such mode; use --dialect 6.12")
	case cmd.Flags().Changed("pc-relative") && dialect != model.PlaceRelative:
		return usagef("--pc-relative: 6.12 has no such mode; use --dialect 7.3")
	case f.out != "" && sameFile(f.out, f.mapFile):
		return usagef("-o %s is the map itself; name another file", f.out)
	case f.json && f.out == "":
		return usagef("--json needs -o FILE: without it the tables are on stdout")
	}
	return nil
}

func encode(cmd *cobra.Command, f encodeFlags) error {
	if err := f.check(cmd); err != nil {
		return err
	}
	// All memory is live to the end, and the end is near.
	debug.SetGCPercent(800)
	m, err := readMapFile(f.mapFile, cmd.InOrStdin(), cmd.ErrOrStderr())
	if err != nil {
		return err
	}
	symbols, bounds := model.Prepare(m.Symbols, model.PrepareOptions{AllSymbols: f.all, AbsolutePercpu: f.absolutePercpu})
	t, err := model.Encode(symbols, model.EncodeOptions{MarkerShift: uint(f.shift)})
	if err != nil {
		return fmt.Errorf("%s: %w", f.mapFile, err)
	}
	opts := model.AsmOptions{
		Dialect: dialects[f.dialect], Bounds: bounds,
		PCRelative: f.pcRelative, AbsolutePercpu: f.absolutePercpu,
	}
	write := func(w io.Writer) error { return model.WriteAsm(w, symbols, t, opts) }
	if f.out == "" {
		err = write(cmd.OutOrStdout())
	} else {
		err = writeWhole(f.out, write)
	}
	if errors.Is(err, model.ErrAddressRange) {
		return fmt.Errorf("%s: %w; %s", f.mapFile, err, f.rangeRemedy())
	}
	if err != nil {
		return err
	}
	if !f.stats && !f.json {
		return nil
	}
	return f.report(cmd, statsOf(t, len(m.Skipped), len(m.Modules)))
}

func (f encodeFlags) rangeRemedy() string {
	switch {
	case dialects[f.dialect] == model.BaseRelative && !f.absolutePercpu:
		return "kernels with per-CPU symbols at 0 are built with --absolute-percpu"
	case dialects[f.dialect] == model.PlaceRelative && !f.pcRelative:
		return "64-bit kernels are built with --pc-relative"
	}
	return "the kernel's own build fails on this map too"
}

// writeWhole makes a file that is either complete or not there. What is no file,
// such as a pipe or a device, is written to as it is.
func writeWhole(path string, write func(io.Writer) error) error {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real
	}
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		return usagef("-o %s: a folder; name a file in it", path)
	} else if err == nil && !info.Mode().IsRegular() {
		f, err := os.OpenFile(path, os.O_WRONLY, 0)
		if err != nil {
			return fmt.Errorf("-o: %w", err)
		}
		w := bufio.NewWriter(f)
		return firstError(write(w), w.Flush(), f.Close())
	}
	err := wholefile.Write(path, write)
	var pe *fs.PathError
	if errors.As(err, &pe) {
		return fmt.Errorf("-o: %w", err)
	}
	return err
}

// firstError is the first that is not nil: those after it follow from it.
func firstError(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// sameFile says whether two names are of one file.
func sameFile(a, b string) bool {
	x, err := os.Stat(a)
	if err != nil {
		return false
	}
	y, err := os.Stat(b)
	return err == nil && x.Mode().IsRegular() && os.SameFile(x, y)
}

// encodeStats are the sizes of one set of tables.
type encodeStats struct {
	Symbols         int     `json:"symbols"`
	Skipped         int     `json:"skipped_names"`
	Modules         int     `json:"module_symbols_left_out"`
	Shift           uint    `json:"shift"`
	NamesBytes      int     `json:"names_bytes"`
	PlainBytes      int     `json:"uncompressed_bytes"`
	Ratio           float64 `json:"compressed_to_uncompressed"`
	Markers         int     `json:"markers"`
	MarkersBytes    int     `json:"markers_bytes"`
	TokenTableBytes int     `json:"token_table_bytes"`
	OffsetsBytes    int     `json:"offsets_bytes"`
	SeqsBytes       int     `json:"seqs_of_names_bytes"`
	TotalBytes      int     `json:"total_bytes"`
}

func statsOf(t *model.Tables, skipped, modules int) encodeStats {
	const (
		indexBytes = 256 * 2 // kallsyms_token_index
		countBytes = 4       // kallsyms_num_syms
	)
	s := encodeStats{
		Symbols: t.NumSyms(), Skipped: skipped, Modules: modules, Shift: t.MarkerShift,
		NamesBytes: len(t.Names), PlainBytes: t.PlainBytes(),
		Markers: len(t.Markers), MarkersBytes: 4 * len(t.Markers),
		TokenTableBytes: len(t.TokenTable), OffsetsBytes: 4 * t.NumSyms(), SeqsBytes: len(t.SeqsOfNames),
	}
	if s.PlainBytes > 0 {
		s.Ratio = float64(s.NamesBytes) / float64(s.PlainBytes)
	}
	s.TotalBytes = s.NamesBytes + s.MarkersBytes + s.TokenTableBytes + indexBytes +
		s.OffsetsBytes + s.SeqsBytes + countBytes
	return s
}

func (f encodeFlags) report(cmd *cobra.Command, s encodeStats) error {
	if f.json {
		enc := json.NewEncoder(cmd.OutOrStdout())
		enc.SetIndent("", "  ")
		return enc.Encode(s)
	}
	_, err := fmt.Fprintf(cmd.ErrOrStderr(), `symbols         %10d
names           %10d bytes, %.1f%% of %d
markers         %10d bytes, %d, one every %d symbols
token table     %10d bytes
offsets         %10d bytes
name order      %10d bytes
all tables      %10d bytes
`, s.Symbols, s.NamesBytes, 100*s.Ratio, s.PlainBytes,
		s.MarkersBytes, s.Markers, 1<<s.Shift, s.TokenTableBytes, s.OffsetsBytes, s.SeqsBytes, s.TotalBytes)
	return err
}
