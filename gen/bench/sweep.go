// SPDX-License-Identifier: GPL-2.0-only

package bench

import (
	"errors"
	"fmt"

	"kgen/gen/tree"
	"kgen/model"
)

// Sweep lists the designs of kgen sweep: every density with and without
// token-match, and each other mechanism over its parameters.
func Sweep(t *tree.Tree) ([]Design, error) {
	var out []Design
	for _, text := range sweepLists() {
		d, err := FromList(t, text)
		if errors.Is(err, errAsInTree) {
			continue // upstream
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", text, err)
		}
		out = append(out, d)
	}
	return out, nil
}

func sweepLists() []string {
	const match = ",token-match"
	lists := []string{"token-match"} // density 8, which without it is stock
	for shift := range model.StockMarkerShift {
		density := fmt.Sprintf("density=%d", shift)
		lists = append(lists, density, density+match)
	}
	for shift := model.MinSubMarkerShift; shift <= model.MaxSubMarkerShift; shift++ {
		lists = append(lists, subMarkers(shift)+match)
	}
	lists = append(lists, "static-index", "static-index"+match, "batch-index", "token-match,batch-index")
	for _, prefetch := range []string{",name-offsets", ",name-offsets=1"} {
		lists = append(lists, "token-match"+prefetch)
		for _, shift := range []int{6, 5, 4} {
			lists = append(lists, subMarkers(shift)+match+prefetch)
		}
	}
	for bucket := 4; bucket <= 6; bucket++ {
		for _, bits := range []int{model.NarrowStarts, model.WideStarts} {
			lists = append(lists, fmt.Sprintf("%s%s,hash-order=%d:start-bits=%d", subMarkers(5), match, bucket, bits))
		}
	}
	for _, shift := range []int{6, 4} {
		lists = append(lists, fmt.Sprintf("%s%s,hash-order=4:start-bits=8", subMarkers(shift), match))
	}
	for bucket := 4; bucket <= 5; bucket++ {
		lists = append(lists, fmt.Sprintf("%s%s,hash-order=%d:start-bits=8:prefetch=1", subMarkers(5), match, bucket))
	}
	return append(lists, "token-match,hash-order=5:start-bits=8")
}

func subMarkers(shift int) string { return fmt.Sprintf("sub-markers=%d", shift) }
