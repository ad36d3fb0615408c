// SPDX-License-Identifier: GPL-2.0-only

package series

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"kgen/model"
)

// ErrMap says that a symbol map cannot be read.
var ErrMap = errors.New("cannot read the symbol map")

// printable is a file's name as a mail may have it: what is not plain text is
// escaped.
func printable(name string) string {
	quoted := strconv.QuoteToASCII(name)
	if plain := quoted[1 : len(quoted)-1]; plain != strings.ReplaceAll(name, `"`, `\"`) {
		return plain
	}
	return name
}

// wideGap is the distance that a public ELF-recovery tool takes for granted
// between two entries of kallsyms_markers, in bytes of the stream.
const wideGap = 0x200

// Scale is the table that the figures of the texts are for. The zero Scale has
// none, and the texts then state what holds for every table.
type Scale struct {
	Symbols int
	Map     string   // the symbol map they were counted in, by its base name
	offsets []uint32 // where the record of each of its symbols starts
}

// ScaleOf is the scale of so many symbols, or of those that a kernel with
// CONFIG_KALLSYMS_ALL keeps of a symbol map.
func ScaleOf(symbols int, mapFile string) (Scale, error) {
	if mapFile == "" {
		return Scale{Symbols: symbols}, nil
	}
	f, err := os.Open(mapFile)
	if err != nil {
		var pe *os.PathError
		errors.As(err, &pe)
		return Scale{}, fmt.Errorf("%w %s: %w; --map takes a System.map, /proc/kallsyms or a vmlinux", ErrMap, mapFile, pe.Err)
	}
	defer f.Close()
	m, err := model.Read(f)
	if err != nil {
		return Scale{}, fmt.Errorf("%w %s: %w", ErrMap, mapFile, err)
	}
	kept, _ := model.Prepare(m.Symbols, model.PrepareOptions{AllSymbols: true})
	t, err := model.Encode(kept, model.EncodeOptions{MarkerShift: 0})
	if err != nil {
		return Scale{}, fmt.Errorf("%w %s: %w", ErrMap, mapFile, err)
	}
	if t.NumSyms() == 0 {
		return Scale{}, fmt.Errorf("%w %s: no symbol in it that a kernel would keep", ErrMap, mapFile)
	}
	return Scale{Symbols: t.NumSyms(), Map: printable(filepath.Base(mapFile)), offsets: t.Markers}, nil
}

// Gaps says how far apart neighbours in kallsyms_markers are.
type Gaps struct {
	All    int // pairs of neighbours
	Narrow int // those closer than wideGap
	Least  int // the closest, in bytes of the stream
}

// gaps measures the marker table that the map would have at a density, nil
// without a map or with fewer than two markers.
func (s Scale) gaps(shift int) *Gaps {
	step := 1 << shift
	if len(s.offsets) <= step {
		return nil
	}
	g := &Gaps{}
	for i := step; i < len(s.offsets); i += step {
		gap := int(s.offsets[i] - s.offsets[i-step])
		if g.All == 0 || gap < g.Least {
			g.Least = gap
		}
		if gap < wideGap {
			g.Narrow++
		}
		g.All++
	}
	return g
}

// figures are what the manifest records of the scale.
func (s Scale) figures() map[string]string {
	if s.Symbols == 0 {
		return nil
	}
	f := map[string]string{"symbols": strconv.Itoa(s.Symbols)}
	if s.Map != "" {
		f["map"] = s.Map
	}
	return f
}
