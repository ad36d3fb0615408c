// SPDX-License-Identifier: GPL-2.0-only

package proptest

import (
	"fmt"
	"os"
	"sync"

	"kgen/gen/realmap"
	"kgen/model"
)

// RealSymbols returns the symbols of a distribution kernel's map, 163 thousand,
// in table order. The slice is shared: it must not be changed. Where the map is
// not fetched, the error is a realmap.ErrMissing that tells how to get it.
var RealSymbols = sync.OnceValues(func() ([]model.Symbol, error) {
	path, err := realmap.SystemMap.Path()
	if err != nil {
		return nil, err
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("real symbol map: %w", err)
	}
	defer f.Close()
	m, err := model.Read(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	symbols, _ := model.Prepare(m.Symbols, model.PrepareOptions{AllSymbols: true})
	return symbols, nil
})
