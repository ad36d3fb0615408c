// SPDX-License-Identifier: GPL-2.0-only

package harness

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"kgen/model"
)

// Kind is the manner in which the code under test failed.
type Kind string

// The kinds of failure.
const (
	Disagreement Kind = "disagreement" // an answer differs from the specification
	CrashKind    Kind = "crash"        // a signal, a sanitizer report or a kernel warning
	Hang         Kind = "hang"         // no answer in time
	BadTable     Kind = "bad table"    // the host tool failed, or wrote what cannot be used
)

func (c *Crash) kind() Kind {
	if c.Hang {
		return Hang
	}
	return CrashKind
}

// Finding is one failure, shrunk to a small map.
type Finding struct {
	Kind          Kind
	Variant       Variant
	Query         string // as a call; empty where the table itself is at fault
	Expected, Got string
	Symbols       int    // lines of the small map
	File          string // the replay file, see Work.Replay

	key failureKey
}

// String is the finding in a few lines.
func (f Finding) String() string {
	text := fmt.Sprintf("%s in %s", f.Kind, f.Variant)
	if f.Query != "" {
		text += ": " + f.Query
	}
	text += fmt.Sprintf("\n  expected %s\n  got      %s", f.Expected, f.Got)
	if f.File == "" {
		return text // of no one map
	}
	return text + fmt.Sprintf("\n  map of %d symbols: %s", f.Symbols, f.File)
}

// report shrinks a failure, writes the replay file and returns the finding.
func (wk *worker) report(ctx context.Context, v Variant, source []model.Symbol, f *failure) (*Finding, error) {
	small, f, err := wk.shrink(ctx, v, source, f)
	if err != nil {
		return nil, err
	}
	// Paths as the tree has them, not as the work folder does.
	got := strings.NewReplacer(filepath.Join(wk.s.work.Dir, "tree")+string(filepath.Separator), "", anywhere+"/tree/", "", " tree/", " ").Replace(f.got)
	found := &Finding{Kind: f.kind, Variant: v, Expected: f.expected, Got: got, Symbols: len(small), key: f.key()}
	if f.query != nil {
		found.Query = f.query.String()
	}
	if wk.s.opts.ReplayDir == "" {
		return found, nil
	}
	text := formatReplay(found, small)
	found.File = filepath.Join(wk.s.opts.ReplayDir, replayName(text))
	if err := os.MkdirAll(wk.s.opts.ReplayDir, 0o755); err != nil {
		return nil, err
	}
	return found, os.WriteFile(found.File, text, 0o644)
}
