// SPDX-License-Identifier: GPL-2.0-only

package series

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestScaleOf(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "System.map")
	var text strings.Builder
	const n = 600
	for i := range n {
		fmt.Fprintf(&text, "%016x T function_number_%d\n", uint64(0xffffffff81000000)+uint64(i)*16, i)
	}
	text.WriteString("0000000000000000 A an_absolute_symbol_that_is_left_out\n")
	if err := os.WriteFile(name, []byte(text.String()), 0o644); err != nil {
		t.Fatal(err)
	}
	s, err := ScaleOf(0, name)
	if err != nil || s.Symbols != n || s.Map != "System.map" {
		t.Fatalf("ScaleOf = %d symbols of %q, %v, want %d of System.map", s.Symbols, s.Map, err, n)
	}
	for shift := 0; shift <= 8; shift++ {
		g := s.gaps(shift)
		markers := (n + 1<<shift - 1) >> shift
		if g.All != markers-1 {
			t.Errorf("shift %d: %d gaps, want one less than the %d markers", shift, g.All, markers)
		}
		// A record is a length byte and at least one token.
		if g.Least < 2<<shift {
			t.Errorf("shift %d: markers %d bytes apart, under the least that records take", shift, g.Least)
		}
	}
	if dense, stock := s.gaps(0), s.gaps(8); dense.Narrow != dense.All || stock.Narrow != 0 {
		t.Errorf("at 1:1 %d of %d gaps are under 0x200 bytes, at 256:1 %d of %d", dense.Narrow, dense.All, stock.Narrow, stock.All)
	}

	if s, err := ScaleOf(7, ""); err != nil || s.Symbols != 7 || s.gaps(4) != nil {
		t.Errorf("ScaleOf(7) = %+v, %v", s, err)
	}
	empty := filepath.Join(dir, "empty")
	if err := os.WriteFile(empty, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	for _, bad := range []string{filepath.Join(dir, "nowhere"), empty, dir} {
		if _, err := ScaleOf(0, bad); !errors.Is(err, ErrMap) && err == nil {
			t.Errorf("ScaleOf(%s): %v, want an error", bad, err)
		} else if !strings.Contains(err.Error(), bad) {
			t.Errorf("ScaleOf(%s): %v does not name the file", bad, err)
		}
	}
}
