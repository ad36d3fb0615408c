// SPDX-License-Identifier: GPL-2.0-only

package modharness

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"kgen/gen/harness"
	"kgen/model"
)

// Finding is one failure, shrunk to few symbols.
type Finding struct {
	Kind          harness.Kind
	Variant       Variant
	Op            string // the kernel's interface
	Query         string // as a call
	When          string // in the life of the modules
	Expected, Got string
	Symbols       int    // in the small modules, null symbols not counted
	Modules       string // what they are, a line a symbol
	File          string // the replay file, see Replay
}

// String is the finding in a few lines.
func (f Finding) String() string {
	text := fmt.Sprintf("%s in %s, %s: %s\n  expected %s\n  got      %s", f.Kind, f.Variant, f.When, f.Query, f.Expected, f.Got)
	if f.Symbols <= 12 {
		text += "\n" + f.Modules
	}
	if f.File != "" {
		text += fmt.Sprintf("\n  modules of %d symbols: %s", f.Symbols, f.File)
	}
	return text
}

// report shrinks a failure, writes the replay file and returns the finding.
func (wk *worker) report(ctx context.Context, v Variant, sc *scene, f *failure) (*Finding, error) {
	small := sc
	if !wk.s.opts.Brief {
		var err error
		if small, f, err = wk.shrink(ctx, v, sc, f); err != nil {
			return nil, err
		}
	}
	got := strings.ReplaceAll(f.got, wk.s.works[v.Arch].Dir+string(filepath.Separator)+"tree"+string(filepath.Separator), "")
	found := &Finding{
		Kind: f.kind, Variant: v, Op: opNames[f.query.Op], Query: call(f.query), When: f.stage, Expected: f.expected, Got: got,
		Symbols: small.symbols(), Modules: small.text(v),
	}
	if wk.s.opts.ReplayDir == "" {
		return found, nil
	}
	text, err := formatReplay(found, small)
	if err != nil {
		return nil, err
	}
	found.File = filepath.Join(wk.s.opts.ReplayDir, replayName(text))
	if err := os.MkdirAll(wk.s.opts.ReplayDir, 0o755); err != nil {
		return nil, err
	}
	return found, os.WriteFile(found.File, text, 0o644)
}

// symbols counts those of all modules.
func (sc *scene) symbols() int {
	n := 0
	for _, o := range sc.objects {
		n += len(o.Symbols) - 1
	}
	return n
}

// text lists the symbols as they lie in memory.
func (sc *scene) text(v Variant) string {
	var b strings.Builder
	for slot, o := range sc.objects {
		im := newImage(o, v.rules(), v.Arch.bits(), slot)
		fmt.Fprintf(&b, "  %s:", o.Name)
		if o.Livepatch {
			b.WriteString(" livepatch,")
		}
		for m, region := range im.module.Mem {
			if region.Size > 0 {
				fmt.Fprintf(&b, " %s at %#x", model.Memory(m), region.Base)
			}
		}
		for i, s := range im.module.Init.Symbols[1:] {
			section := fmt.Sprintf("section %#x", s.Shndx)
			if int(s.Shndx) < len(o.Sections) {
				section = o.Sections[s.Shndx].Name
			}
			fmt.Fprintf(&b, "\n    %4d %#x info %#x %s %q", i+1, s.Value, s.Info, section, s.Name)
		}
		for _, ip := range im.module.Records {
			fmt.Fprintf(&b, "\n    record %#x", ip)
		}
		b.WriteByte('\n')
	}
	for _, s := range sc.core {
		fmt.Fprintf(&b, "  core kernel: %#x %q\n", s.Addr, s.Name)
	}
	return strings.TrimSuffix(b.String(), "\n")
}
