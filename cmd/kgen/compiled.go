// SPDX-License-Identifier: GPL-2.0-only

package main

import (
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"kgen/gen/harness"
	"kgen/gen/series"
	"kgen/gen/tree"
	"kgen/patches"
	"kgen/templates"
)

// compiledFlags ask for the answers of the C as well: of the tree, with the
// series of --series applied.
type compiledFlags struct {
	c    bool
	tree string
}

const compiledHelp = `
With --c the C answers as well: kernel/kallsyms.c and scripts/kallsyms.c of
--tree, with the series of --series applied, are compiled with sanitizers and
asked. It is an error if they answer other than the specification.`

// compiledAnswer is what the C said to one call.
type compiledAnswer struct {
	Call   string `json:"call"`
	Answer string `json:"answer"`
}

func (f *compiledFlags) add(cmd *cobra.Command) {
	cmd.Flags().BoolVar(&f.c, "c", false, "let the compiled C answer as well; needs --tree")
	cmd.Flags().StringVar(&f.tree, "tree", "", "with --c: kernel `TREE`, a folder or a fetched name")
}

func (f *compiledFlags) check(mapFile string) error {
	switch {
	case f.c && mapFile == "-":
		return usagef("--c reads the map twice, and --map - can be read once; put it in a file")
	case f.c && f.tree == "":
		return usagef("--c needs --tree: the kernel whose C is compiled; kgen tree list shows the names")
	case !f.c && f.tree != "":
		return usagef("--tree is for --c, which is missing")
	}
	return nil
}

// ask compiles the C and puts the queries to it, each in the calls that answer
// it.
func (f *compiledFlags) ask(cmd *cobra.Command, d designFlags, queries []string, addrs map[string]uint64) ([]compiledAnswer, error) {
	t, err := tree.Open(f.tree)
	if err != nil {
		return nil, err
	}
	patched, err := d.patched(cmd, t)
	if err != nil {
		return nil, err
	}
	m, err := readMapFile(d.mapFile, cmd.InOrStdin(), io.Discard)
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "kgen-c-*")
	if err != nil {
		return nil, fmt.Errorf("--c: %w; set TMPDIR to a folder that can be written", err)
	}
	defer os.RemoveAll(dir)
	w, err := harness.Prepare(dir, harness.Source{Patched: patched, Base: t})
	if err != nil {
		return nil, err
	}
	var calls []harness.Query
	for _, q := range queries {
		if addr, ok := addrs[q]; ok {
			calls = append(calls, harness.Query{Op: harness.LookupSymbolName, A: addr}, harness.Query{Op: harness.LookupSizeOffset, A: addr})
		} else {
			calls = append(calls, harness.Query{Op: harness.LookupName, Name: q}, harness.Query{Op: harness.OnEachMatch, Name: q})
		}
	}
	got, moved, err := w.Ask(cmd.Context(), m.Symbols, d.all, calls)
	if err != nil {
		return nil, fmt.Errorf("--c: %w", blameTree(t, err))
	}
	if moved > 0 {
		fmt.Fprintf(cmd.ErrOrStderr(), "kgen: note: Linux %s cannot store the addresses of %d symbols of the map, far below _text; to its C they are behind the last symbol\n", t.Version, moved)
	}
	var answers []compiledAnswer
	for _, a := range got {
		if a.Got != a.Want {
			return nil, fmt.Errorf("--c: %s = %s, specified %s: the C of this tree and series is wrong; kgen check --to agree finds a small example", a.Call, a.Got, a.Want)
		}
		answers = append(answers, compiledAnswer{a.Call, a.Got})
	}
	return answers, nil
}

// patched is the tree with the series of --series applied.
func (f *designFlags) patched(cmd *cobra.Command, t *tree.Tree) (harness.Tree, error) {
	words, err := f.mechanisms(cmd)
	if err != nil || len(words) == 0 {
		return t, err
	}
	s, _, err := series.Compose(templates.FS, strings.Join(words, ","))
	if err != nil {
		return nil, usagef("--series %s --c: %w", f.series, err)
	}
	return series.Patched(series.Options{
		Series: s, Tree: t, Patches: patches.FS, Templates: templates.FS, Warn: func(string) {},
		Values: map[string]string{
			"shift":        strconv.FormatUint(uint64(f.params.Shift), 10),
			"bucket-shift": strconv.FormatUint(uint64(f.params.BucketShift), 10),
			"start-bits":   strconv.FormatUint(uint64(f.params.StartBits), 10),
		},
	})
}

func printCompiled(w io.Writer, answers []compiledAnswer) error {
	for _, a := range answers {
		if _, err := fmt.Fprintf(w, "C: %s = %s\n", a.Call, a.Answer); err != nil {
			return err
		}
	}
	return nil
}
