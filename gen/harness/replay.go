// SPDX-License-Identifier: GPL-2.0-only

package harness

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"strings"

	"kgen/model"
)

// ErrReplay: a file is no replay file of this kgen.
var ErrReplay = errors.New("not a replay file")

// A replay file is a symbol map under lines that begin with "# ": the variant,
// and for the reader what was asked, expected and found.
const replayMagic = "# kgen replay 1"

func formatReplay(f *Finding, symbols []model.Symbol) []byte {
	var b bytes.Buffer
	fmt.Fprintln(&b, replayMagic)
	for _, l := range [][2]string{{"variant", f.Variant.String()}, {"kind", string(f.Kind)}, {"query", f.Query}, {"expected", f.Expected}, {"got", f.Got}} {
		fmt.Fprintf(&b, "# %s: %s\n", l[0], strings.ReplaceAll(l[1], "\n", " "))
	}
	b.Write(FormatMap(symbols))
	return b.Bytes()
}

// replayName is the same for the same content, so that a failure that is found
// again does not pile up.
func replayName(text []byte) string {
	sum := sha256.Sum256(text)
	return fmt.Sprintf("%x.map", sum[:6])
}

// CheckReplay says why a file cannot be replayed. The error matches ErrReplay where
// it was read.
func CheckReplay(file string) error {
	_, _, err := readReplay(file)
	return err
}

// readReplay reads a file of formatReplay.
func readReplay(name string) (variant string, symbols []model.Symbol, err error) {
	text, err := os.ReadFile(name)
	if err != nil {
		return "", nil, err
	}
	head, rest, _ := bytes.Cut(text, []byte("\n"))
	if string(head) != replayMagic {
		return "", nil, fmt.Errorf("%s: %w: expected %q in its first line, found %.40q", name, ErrReplay, replayMagic, head)
	}
	for bytes.HasPrefix(rest, []byte("# ")) {
		head, rest, _ = bytes.Cut(rest, []byte("\n"))
		if v, ok := bytes.CutPrefix(head, []byte("# variant: ")); ok {
			variant = string(v)
		}
	}
	if !strings.Contains(variant, "-32-") && !strings.Contains(variant, "-64-") {
		return "", nil, fmt.Errorf("%s: %w: expected a variant with -32- or -64- in it, found %q", name, ErrReplay, variant)
	}
	m, err := model.ReadText(bytes.NewReader(rest))
	if err != nil {
		return "", nil, fmt.Errorf("%s: %w: %w; expected the file as it was written", name, ErrReplay, err)
	}
	return variant, m.Symbols, nil
}

// Replay compares the map of a replay file in its variant, and in every other
// one of the same word size.
func (w *Work) Replay(ctx context.Context, file string, opts Options) (*Report, error) {
	variant, symbols, err := readReplay(file)
	if err != nil {
		return nil, err
	}
	bits := 64
	if strings.Contains(variant, "-32-") {
		bits = 32
	}
	if opts.Variants == nil {
		opts.Variants = w.Variants()
	}
	var same []Variant
	for _, v := range opts.Variants {
		if v.Bits == bits {
			same = append(same, v)
		}
	}
	opts.Variants, opts.RealMap, opts.SmallMaps, opts.Generated = same, nil, 0, 0
	opts.replay = symbols
	return w.Agree(ctx, opts)
}
