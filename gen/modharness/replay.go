// SPDX-License-Identifier: GPL-2.0-only

package modharness

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"os"
	"strings"

	"kgen/gen/harness"
	"kgen/model"
)

// A replay file is a scene as JSON under lines that begin with "# ": for the
// reader, what was asked, expected and found.
const replayMagic = "# kgen module replay 1"

// replayed is a scene in a replay file.
type replayed struct {
	Modules []*model.Object
	Core    []model.Symbol
	Records []uint64
	Starved bool
	Failing bool
	Seed    uint64
}

func formatReplay(f *Finding, sc *scene) ([]byte, error) {
	var b bytes.Buffer
	fmt.Fprintln(&b, replayMagic)
	for _, l := range [][2]string{{"variant", f.Variant.String()}, {"kind", string(f.Kind)}, {"when", f.When}, {"query", f.Query}, {"expected", f.Expected}, {"got", f.Got}} {
		fmt.Fprintf(&b, "# %s: %s\n", l[0], strings.ReplaceAll(l[1], "\n", " "))
	}
	for line := range strings.SplitSeq(f.Modules, "\n") {
		fmt.Fprintf(&b, "# %s\n", line)
	}
	e := json.NewEncoder(&b)
	e.SetIndent("", "\t")
	err := e.Encode(replayed{sc.objects, sc.core, sc.records, sc.starved, sc.failing, sc.seed})
	return b.Bytes(), err
}

// replayName is the same for the same content, so that a failure that is found
// again does not pile up.
func replayName(text []byte) string {
	sum := sha256.Sum256(text)
	return fmt.Sprintf("%x.modules", sum[:6])
}

// IsReplay says whether a file is one of this package's replay files.
func IsReplay(name string) bool {
	text, err := os.ReadFile(name)
	return err == nil && bytes.HasPrefix(text, []byte(replayMagic+"\n"))
}

// CheckReplay says why a file cannot be replayed. The error matches
// harness.ErrReplay where it was read.
func CheckReplay(file string) error {
	_, err := readReplay(file)
	return err
}

// readReplay reads a file of formatReplay.
func readReplay(file string) (*scene, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	if !bytes.HasPrefix(text, []byte(replayMagic+"\n")) {
		return nil, fmt.Errorf("%s: %w: expected %q in its first line, found %.40q", file, harness.ErrReplay, replayMagic, text)
	}
	for bytes.HasPrefix(text, []byte("# ")) {
		_, text, _ = bytes.Cut(text, []byte("\n"))
	}
	var r replayed
	if err := json.Unmarshal(text, &r); err != nil {
		return nil, fmt.Errorf("%s: %w: %w; expected the file as it was written", file, harness.ErrReplay, err)
	}
	if len(r.Modules) == 0 {
		return nil, fmt.Errorf("%s: %w: expected modules, found none", file, harness.ErrReplay)
	}
	return &scene{objects: r.Modules, core: r.Core, records: r.Records, starved: r.Starved, failing: r.Failing, seed: r.Seed}, nil
}

// Replay compares the modules of a replay file in every variant.
func Replay(ctx context.Context, dir string, src harness.Source, file string, opts Options) (*Report, error) {
	var err error
	if opts.replay, err = readReplay(file); err != nil {
		return nil, err
	}
	return Agree(ctx, dir, src, opts)
}
