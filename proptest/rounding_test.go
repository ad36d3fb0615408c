// SPDX-License-Identifier: GPL-2.0-only

package proptest

import (
	"strings"
	"testing"

	"kgen/model"
)

// rounding counts the searches of a table whose probes are rounded down to a
// multiple of 256, or not.
type rounding struct {
	probes  int
	aligned int // probes of a symbol that has a marker
	hops    int
}

// search halves the places in name order. With round set it takes, for each
// middle, the multiple of 256 below it, where that is still in the range.
func (r *rounding) search(symbols []model.Symbol, order []int, name string, round bool) (found bool) {
	low, high := 0, len(order)-1
	for low <= high {
		mid := low + (high-low)/2
		if down := mid &^ 255; round && down >= low {
			mid = down
		}
		seq := order[mid]
		r.probes++
		r.hops += seq & 255
		if seq&255 == 0 {
			r.aligned++
		}
		switch strings.Compare(name, symbols[seq].Name) {
		case 0:
			return true
		case 1:
			low = mid + 1
		default:
			high = mid - 1
		}
	}
	return false
}

// TestRoundingTheMiddleSavesNoWalk counts an idea from the mailing list: probe
// only ranks that are multiples of 256, because markers stand at multiples of
// 256. Ranks are places in name order, markers stand in address order, and
// kallsyms_seqs_of_names leads from one to the other as good as at random: of
// the rounded probes, too, about one in 256 meets a marker, and the walks add
// up to what they were. Only where names happen to be in the order of addresses would it work.
func TestRoundingTheMiddleSavesNoWalk(t *testing.T) {
	symbols, err := RealSymbols()
	if err != nil {
		t.Fatal(err)
	}
	tables := encode(Table{Symbols: symbols}, model.StockMarkerShift)
	byName := make([]model.Symbol, len(symbols))
	order := seqs(tables)
	for rank, seq := range order {
		byName[rank] = symbols[seq]
	}
	for _, tc := range []struct {
		name    string
		symbols []model.Symbol
		order   []int
		saves   bool
	}{
		{"the real map", symbols, order, false},
		{"the same names, in the order of addresses", byName, upTo(len(symbols)), true},
	} {
		var plain, rounded rounding
		for i := 0; i < len(symbols); i += 16 {
			name := symbols[i].Name
			if !plain.search(tc.symbols, tc.order, name, false) || !rounded.search(tc.symbols, tc.order, name, true) {
				t.Fatalf("%s: %s is not found", tc.name, name)
			}
		}
		t.Logf("%s: plain %+v, rounded %+v", tc.name, plain, rounded)
		if saves := rounded.hops < plain.hops*9/10; saves != tc.saves {
			t.Errorf("%s: %d hops, %d with rounding; want a tenth saved: %v", tc.name, plain.hops, rounded.hops, tc.saves)
		}
		share := 256 * float64(rounded.aligned) / float64(rounded.probes)
		if meets := share > 4; meets != tc.saves {
			t.Errorf("%s: %.2f of 256 rounded probes meet a marker; want many: %v", tc.name, share, tc.saves)
		}
	}
}
